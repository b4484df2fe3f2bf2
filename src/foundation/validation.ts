/** Turns schema issues into problems: which field, what is wrong and what is valid, never the value. */
import * as v from "valibot";
import { type Problem, validationError } from "./errors.ts";
import * as messages from "./messages.ts";
import { textOfIssue } from "./field-checks.ts";
import { sameInBoth, type Text } from "./text.ts";

type Issue = v.BaseIssue<unknown>;

/** `document`, [`lines`, 2, `vat_exemption`] → `document.lines[2].vat_exemption`. */
export function pathOf(prefix: string, keys: readonly (string | number)[]): string {
  let path = prefix;
  for (const key of keys) path += typeof key === "number" ? `[${key}]` : path === "" ? key : `.${key}`;
  return path;
}

const TYPE_MESSAGES: Readonly<Record<string, Text>> = {
  string: messages.NOT_A_STRING,
  number: messages.NOT_A_NUMBER,
  boolean: messages.NOT_A_BOOLEAN,
  array: messages.NOT_AN_ARRAY,
  strict_object: messages.NOT_AN_OBJECT,
  loose_object: messages.NOT_AN_OBJECT,
  object: messages.NOT_AN_OBJECT,
  record: messages.NOT_AN_OBJECT,
};

/** A key that the caller made up may hold anything, so it is shown only when it is a plain word, a short number or a document type. */
const PLAIN_KEY = /^(?:[A-Za-z_][A-Za-z0-9_.[\]]{0,39}|[0-9]{1,4}|[0-9]{1,2}\.[0-9])$/;

function keysOf(issue: Issue): (string | number)[] {
  return (issue.path ?? []).map(({ key }) => {
    if (typeof key === "number") return key;
    return typeof key === "string" && PLAIN_KEY.test(key) ? key : "(key)";
  });
}

function messageOf(issue: Issue): Text {
  if (issue.kind === "schema" && issue.type === "strict_object" && issue.expected === "never")
    return messages.UNKNOWN_FIELD;
  if (issue.received === "undefined" && issue.kind === "schema") return messages.REQUIRED;
  if (issue.kind !== "schema") return textOfIssue(issue) ?? limitMessage(issue);
  if (issue.type === "picklist" || issue.type === "literal") return messages.oneOf(optionsOf(issue));
  return TYPE_MESSAGES[issue.type] ?? messages.WRONG_FORM;
}

/** `("a" | "b")` as valibot writes what it expected → `a`, `b`. */
function optionsOf({ expected }: Issue): string[] {
  const options = (expected ?? "").replace(/^\(|\)$/g, "").split(" | ");
  return options.map((option) => option.replaceAll('"', ""));
}

function limitMessage(issue: Issue): Text {
  const limit = String(issue.requirement);
  switch (issue.type) {
    case "min_value":
      return messages.atLeast(limit);
    case "max_value":
      return messages.atMost(limit);
    case "min_length":
      return messages.minimumItems(limit);
    case "max_length":
      return messages.maximumItems(limit);
    case "integer":
    case "safe_integer":
      return messages.NOT_AN_INTEGER;
    default:
      return sameInBoth(issue.message);
  }
}

/** The problems of `issues`, in the order of the value, under the path `prefix` (empty for the whole). */
export function problemsOf(issues: readonly Issue[], prefix: string): Problem[] {
  return issues.map((issue) => ({ path: pathOf(prefix, keysOf(issue)), message: messageOf(issue) }));
}

/** The parsed value, or every problem. */
export function checkWith<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  prefix: string,
): { output: v.InferOutput<Schema> } | { problems: Problem[] } {
  // To valibot an array is an object, and passes for an empty one when no field is required.
  if (Array.isArray(input)) return { problems: [{ path: prefix, message: messages.NOT_AN_OBJECT }] };
  const result = v.safeParse(schema, input);
  return result.success ? { output: result.output } : { problems: problemsOf(result.issues, prefix) };
}

/** The parsed value. Throws `validation_failed` with every problem. */
export function parseWith<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  prefix: string,
): v.InferOutput<Schema> {
  const checked = checkWith(schema, input, prefix);
  if ("problems" in checked) throw validationError(checked.problems);
  return checked.output;
}
