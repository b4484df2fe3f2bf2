/**
 * From valibot's issues to problems in our words (decisions 2.4): which field, what is wrong with it, what fits; never
 * the value. And the field schemas that several shapes share. Checks of our own are `v.check`, which JSON Schema cannot
 * tell; what it can tell stands beside them as metadata under `jsonSchema`.
 */
import * as v from "valibot";
import { type Problem, validationError } from "./errors.ts";

type Issue = v.BaseIssue<unknown>;

/** `document`, [`lines`, 2, `vat_exemption`] → `document.lines[2].vat_exemption`. */
export function pathOf(prefix: string, keys: readonly (string | number)[]): string {
  let path = prefix;
  for (const key of keys) path += typeof key === "number" ? `[${key}]` : path === "" ? key : `.${key}`;
  return path;
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  strict_object: "an object",
  loose_object: "an object",
  object: "an object",
  record: "an object",
};

/** The keys of a path that callers sent; a wrong key is named only where it is a plain word: it may hold anything. */
const NAMEABLE_KEY = /^[A-Za-z_][A-Za-z0-9_.[\]]{0,39}$/;

function keysOf(issue: Issue): (string | number)[] {
  return (issue.path ?? []).map(({ key }) => {
    if (typeof key === "number") return key;
    return typeof key === "string" && NAMEABLE_KEY.test(key) ? key : "(key)";
  });
}

function messageOf(issue: Issue): string {
  if (issue.kind === "schema" && issue.type === "strict_object" && issue.expected === "never")
    return "is not a known field";
  if (issue.received === "undefined" && issue.kind === "schema") return "is required";
  if (issue.kind === "schema") return typeMessage(issue);
  // The message of a check is ours; a library's own would repeat the value.
  return ruleMessage(issue);
}

function typeMessage(issue: Issue): string {
  if (issue.type === "picklist" || issue.type === "literal") return `must be ${oneOf(issue.expected ?? "")}`;
  const name = TYPE_NAMES[issue.type];
  return name === undefined ? "has the wrong form" : `must be ${name}`;
}

function oneOf(expected: string): string {
  const options = expected.replace(/^\(|\)$/g, "").split(" | ");
  const texts = options.map((option) => option.replaceAll('"', ""));
  return texts.length === 1 ? texts[0]! : `one of ${texts.join(", ")}`;
}

function ruleMessage(issue: Issue): string {
  const limit = "requirement" in issue ? String(issue.requirement) : "";
  switch (issue.type) {
    case "min_value":
      return `must be at least ${limit}`;
    case "max_value":
      return `must be at most ${limit}`;
    case "min_length":
      return `must have at least ${limit} ${limit === "1" ? "item" : "items"}`;
    case "max_length":
      return `must have at most ${limit} items`;
    case "integer":
    case "safe_integer":
      return "must be an integer";
    default:
      return issue.message;
  }
}

/** The problems of `issues`, in the order of the value, under the path `prefix` (empty for the whole). */
export function problemsOf(issues: readonly Issue[], prefix: string): Problem[] {
  return issues.map((issue) => ({ path: pathOf(prefix, keysOf(issue)), message: messageOf(issue) }));
}

/** The value as `schema` makes it, or every problem that it has. */
export function checkWith<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  prefix: string,
): { output: v.InferOutput<Schema> } | { problems: Problem[] } {
  // To valibot an array is an object too, and one without required fields would be taken for empty.
  if (Array.isArray(input)) return { problems: [{ path: prefix, message: "must be an object" }] };
  const result = v.safeParse(schema, input);
  return result.success ? { output: result.output } : { problems: problemsOf(result.issues, prefix) };
}

/** The value as `schema` makes it. Throws `validation_failed` with every problem. */
export function parseWith<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  prefix: string,
): v.InferOutput<Schema> {
  const checked = checkWith(schema, input, prefix);
  if ("problems" in checked) throw validationError(checked.problems);
  return checked.output;
}

/** What XML 1.0 cannot carry, and halves of surrogate pairs: no document with them could ever be sent. */
const UNSENDABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const ASTRAL = /[\uD800-\uDFFF]/;

/** Length in characters (code points): decisions 16. */
function lengthOf(text: string): number {
  return ASTRAL.test(text) ? [...text].length : text.length;
}

/** What the description of the API shows beside a schema whose rule is a check of our own. */
export interface JsonSchemaNote {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  type?: "object";
  maxProperties?: number;
  propertyNames?: JsonSchemaNote;
  additionalProperties?: true;
}

/** Notes for the description what a check of our own cannot tell it. */
export function note<Input = string>(jsonSchema: JsonSchemaNote) {
  return v.metadata<Input, { readonly jsonSchema: JsonSchemaNote }>({ jsonSchema });
}

function lengthMessage(minimum: number, maximum: number): string {
  return minimum === 0
    ? `must have at most ${maximum} characters`
    : `must have ${minimum} to ${maximum} characters`;
}

/** Text of `minimum` to `maximum` characters that a document can carry. */
export function characters(minimum: number, maximum: number) {
  return v.pipe(
    v.string(),
    v.check((text) => text.length >= minimum && lengthOf(text) <= maximum, lengthMessage(minimum, maximum)),
    v.check((text) => !UNSENDABLE.test(text), "must not hold control characters"),
    note({ ...(minimum > 0 ? { minLength: minimum } : {}), maxLength: maximum }),
  );
}

/** The same after the space around it is taken away: at least one character must be left. */
export function trimmedCharacters(minimum: number, maximum: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => text.length >= minimum && lengthOf(text) <= maximum, lengthMessage(minimum, maximum)),
    v.check((text) => !UNSENDABLE.test(text), "must not hold control characters"),
    note({ minLength: minimum, maxLength: maximum }),
  );
}

/** Text of 1 to `maximum` characters that neither begins nor ends with white space: it is taken as it stands. */
export function unpaddedCharacters(maximum: number) {
  return v.pipe(
    characters(1, maximum),
    v.check((text) => text.trim() === text, "must not begin or end with white space"),
  );
}

/** An integer by value (`1.0` is 1), `minimum` to `maximum`. */
export function integerBetween(minimum: number, maximum: number) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(minimum), v.maxValue(maximum));
}

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether `text` is a day that the calendar has: `v.isoDate()` takes 31 February. The year 0000 is none. */
export function isCalendarDay(text: string): boolean {
  if (!DAY_FORM.test(text)) return false;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  if (year === 0 || day === 0) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeap ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0));
}

/** spec, dates: `YYYY-MM-DD`, a valid calendar date. */
export const DateSchema = v.pipe(
  v.string(),
  v.check(isCalendarDay, "must be a calendar date, YYYY-MM-DD"),
  note({ format: "date" }),
);

const INSTANT_FORM = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/;

/** spec, timestamps: ISO 8601 in UTC ending in Z, optional fractional seconds, a valid calendar date. */
export const InstantSchema = v.pipe(
  v.string(),
  v.check((text) => {
    const day = INSTANT_FORM.exec(text)?.[1];
    return day !== undefined && isCalendarDay(day);
  }, "must be an instant in UTC, such as 2026-11-21T10:00:00Z"),
  note({ format: "date-time" }),
);

/** spec, Limits: up to 50 string pairs, keys 1 to 40 characters, values up to 500. */
export const METADATA_PAIRS_MAX = 50;
const METADATA_KEY_MIN = 1;
const METADATA_KEY_MAX = 40;
const METADATA_VALUE_MAX = 500;

const PAIRS_NOTE: JsonSchemaNote = {
  type: "object",
  maxProperties: METADATA_PAIRS_MAX,
  propertyNames: { minLength: METADATA_KEY_MIN, maxLength: METADATA_KEY_MAX },
};

/** What is wrong with a text of `minimum` to `maximum` characters; undefined when it fits. */
function problemWithText(text: string, minimum: number, maximum: number): string | undefined {
  if (text.length < minimum || lengthOf(text) > maximum) return lengthMessage(minimum, maximum);
  return UNSENDABLE.test(text) ? "must not hold control characters" : undefined;
}

function problemWithPair(key: string, value: unknown, mayBeNull: boolean): string | undefined {
  const problem = problemWithText(key, METADATA_KEY_MIN, METADATA_KEY_MAX);
  if (problem !== undefined) return `its key ${problem}`;
  if (value === null && mayBeNull) return undefined;
  return typeof value === "string" ? problemWithText(value, 0, METADATA_VALUE_MAX) : "must be a string";
}

/**
 * Pairs of strings under any keys. Not `v.record`: that takes an array for an object, and drops keys such as
 * `constructor` without a word.
 */
function pairs<Value extends string | null>(mayBeNull: boolean) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, Record<string, Value>>(({ dataset, addIssue, NEVER }) => {
      const input = dataset.value;
      if (typeof input !== "object" || input === null || Array.isArray(input)) {
        addIssue({ message: "must be an object" });
        return NEVER;
      }
      const entries = Object.entries(input);
      if (entries.length > METADATA_PAIRS_MAX)
        addIssue({ message: `must have at most ${METADATA_PAIRS_MAX} pairs` });
      for (const [key, value] of entries.slice(0, METADATA_PAIRS_MAX)) {
        const message = problemWithPair(key, value, mayBeNull);
        const place = {
          type: "object",
          origin: "value",
          input: input as Record<string, unknown>,
          key,
          value,
        } as const;
        if (message !== undefined) addIssue({ message, path: [place] });
      }
      return Object.fromEntries(entries) as Record<string, Value>;
    }),
    note<Record<string, Value>>(PAIRS_NOTE),
  );
}

export const MetadataSchema = pairs<string>(false);

/** Changes to metadata: they merge, and a key set to null is removed. */
export const MetadataChangesSchema = pairs<string | null>(true);
