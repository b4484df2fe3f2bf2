/**
 * Parses the canonical document, the shape of every document, regardless of its provider: first the schema of its
 * fields (canonical-schema.ts), then the rules between fields (document-rules.ts).
 */
import * as v from "valibot";
import { type Problem, validationError } from "../foundation/errors.ts";
import { maximumItems } from "../foundation/messages.ts";
import { problemsOf } from "../foundation/validation.ts";
import { findRuleProblems, readableParts, WHOLE } from "./document-rules.ts";
import { type Objection } from "./routing.ts";
import { type CanonicalDocument, CanonicalDocumentSchema } from "./canonical-schema.ts";
import { LINES_MAX } from "./document-codes.ts";

export * from "./canonical-schema.ts";
export * from "./document-codes.ts";
export * from "./document-types.ts";

/** Each once, although the plain sandbox accepts some that repeat. */
export function originalMarksOf({
  original_marks: marks = [],
}: Pick<CanonicalDocument, "original_marks">): string[] {
  return [...new Set(marks)];
}

export interface ParseOptions {
  /** Today in Athens, `YYYY-MM-DD`. */
  today: string;
  /** Prepended to each path: `document`, or empty when the document is the whole body. */
  prefix: string;
}

/** Checked first, so that a list over its limit is not validated line by line. */
function findOverlongLines(input: unknown): Problem | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { lines } = input as { lines?: unknown };
  return Array.isArray(lines) && lines.length > LINES_MAX
    ? { path: "lines", message: maximumItems(String(LINES_MAX)) }
    : undefined;
}

export interface ParsedDocument {
  document: CanonicalDocument;
  /** What only some destinations refuse (routing.ts). */
  objections: Objection[];
}

/**
 * The parsed document, or every problem with its fields and with the rules between those that can be read, if at least one of
 * them is refused everywhere.
 */
export function checkDocumentInput(
  input: unknown,
  options: ParseOptions,
): ParsedDocument | { problems: Objection[] } {
  const overlong = findOverlongLines(input);
  if (overlong !== undefined) {
    return {
      problems: [
        { ...overlong, path: options.prefix === "" ? overlong.path : `${options.prefix}.${overlong.path}` },
      ],
    };
  }
  const result = v.safeParse(CanonicalDocumentSchema, input);
  const shapeProblems = result.success ? [] : problemsOf(result.issues, options.prefix);
  if (typeof result.output !== "object" || result.output === null) return { problems: shapeProblems };
  const named = new Set(shapeProblems.map(({ path }) => path));
  // With problems this is the document only in part: the rules do not touch what is not readable.
  const document = result.output as CanonicalDocument;
  const readable = result.success ? WHOLE : readableParts(document, result.issues);
  const ruleProblems = findRuleProblems(document, { ...options, ...readable });
  const problems = [...shapeProblems, ...ruleProblems.filter(({ path }) => !named.has(path))];
  return result.success && ruleProblems.every(({ rule }) => rule !== undefined)
    ? { document, objections: ruleProblems }
    : { problems };
}

/** Throws `validation_failed` with every problem of a document that is refused everywhere. */
export function parseDocument(input: unknown, options: ParseOptions): ParsedDocument {
  const checked = checkDocumentInput(input, options);
  if ("problems" in checked) throw validationError(checked.problems);
  return checked;
}
