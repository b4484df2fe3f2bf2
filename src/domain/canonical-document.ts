/**
 * The canonical document (spec, Canonical document): the one shape that every provider's documents come in. `schema.ts`
 * tells the shape and the limits of single fields, `rules.ts` what must hold between fields; this puts them together.
 */
import * as v from "valibot";
import { type Problem, validationError } from "../foundation/errors.ts";
import { problemsOf } from "../foundation/validation.ts";
import { findRuleProblems } from "./document-rules.ts";
import { type CanonicalDocument, CanonicalDocumentSchema } from "./canonical-schema.ts";
import { LINES_MAX } from "./document-codes.ts";

export * from "./canonical-schema.ts";
export * from "./document-codes.ts";
export * from "./document-types.ts";

export interface ParseOptions {
  /** Today in Athens, `YYYY-MM-DD`. */
  today: string;
  /** What stands before each path: `document`, or empty where the document is the whole body. */
  prefix: string;
}

/** An array over its limit is not read element by element. */
function isOverlong(input: unknown): Problem | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { lines } = input as { lines?: unknown };
  return Array.isArray(lines) && lines.length > LINES_MAX
    ? { path: "lines", message: `must have at most ${LINES_MAX} items` }
    : undefined;
}

/** What totals are made of: `1.5` cents or a quantity of `abc` is a value of the right type that nothing can be added to. */
const AMOUNTS: ReadonlySet<unknown> = new Set([
  "lines",
  "quantity",
  "unit_price",
  "net",
  "vat",
  "gross",
  "amount",
]);

function isAboutAmounts(issue: v.BaseIssue<unknown>): boolean {
  return AMOUNTS.has(issue.path?.at(-1)?.key);
}

/** The document, or everything that is wrong with it: of its shape, or, where that is right, of the rules between fields. */
export function checkDocumentInput(
  input: unknown,
  options: ParseOptions,
): { output: CanonicalDocument } | { problems: Problem[] } {
  const overlong = isOverlong(input);
  if (overlong !== undefined) {
    return {
      problems: [
        { ...overlong, path: options.prefix === "" ? overlong.path : `${options.prefix}.${overlong.path}` },
      ],
    };
  }
  const result = v.safeParse(CanonicalDocumentSchema, input);
  const shapeProblems = result.success ? [] : problemsOf(result.issues, options.prefix);
  if (!result.typed) return { problems: shapeProblems };
  const canAddUp = result.success || !result.issues.some(isAboutAmounts);
  const named = new Set(shapeProblems.map(({ path }) => path));
  const ruleProblems = findRuleProblems(result.output, { ...options, canAddUp });
  const problems = [...shapeProblems, ...ruleProblems.filter(({ path }) => !named.has(path))];
  return problems.length > 0 ? { problems } : { output: result.output };
}

/** The document. Throws `validation_failed` with every problem. */
export function parseDocument(input: unknown, options: ParseOptions): CanonicalDocument {
  const checked = checkDocumentInput(input, options);
  if ("problems" in checked) throw validationError(checked.problems);
  return checked.output;
}
