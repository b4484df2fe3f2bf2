/** Schemas of fields that several resources have: text, integers, dates, instants, and `metadata` under keys of the caller's choice. */
import * as v from "valibot";
import { hasHiddenCharacters, removeDirectionMarks } from "./characters.ts";
import {
  CONTROL_CHARACTERS,
  HIDDEN_CHARACTERS,
  lengthFromTo,
  maximumPairs,
  NOT_A_STRING,
  NOT_AN_OBJECT,
  PADDED,
} from "./messages.ts";
import { addProblem, must } from "./field-checks.ts";
import type { Text } from "./text.ts";
import { described } from "./described.ts";

/** What XML 1.0 cannot carry, and halves of surrogate pairs: a document with them could never be sent. */
const UNSENDABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const ASTRAL = /[\uD800-\uDFFF]/;

/** Whether `text` has `minimum` to `maximum` code points. */
function hasLength(text: string, minimum: number, maximum: number): boolean {
  return text.length >= minimum && (ASTRAL.test(text) ? [...text].length : text.length) <= maximum;
}

function isSendable(text: string): boolean {
  return !UNSENDABLE.test(text);
}

/** The first thing that is wrong with a text that must have `minimum` to `maximum` characters. */
function problemWithText(text: string, minimum: number, maximum: number): Text | undefined {
  if (!hasLength(text, minimum, maximum)) return lengthFromTo(minimum, maximum);
  return isSendable(text) ? undefined : CONTROL_CHARACTERS;
}

/** Added to the JSON Schema of a field with a check that JSON Schema cannot express. */
export interface JsonSchemaNote {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  type?: "object";
  maxProperties?: number;
  propertyNames?: JsonSchemaNote;
  additionalProperties?: true | { type: string | string[] };
}

export function note<Input = string>(jsonSchema: JsonSchemaNote) {
  return v.metadata<Input, { readonly jsonSchema: JsonSchemaNote }>({ jsonSchema });
}

/** The `maxLength` in the JSON Schema of a text; undefined without one. */
export function maxLengthOf(schema: object): number | undefined {
  const { wrapped, pipe = [] } = schema as { wrapped?: object; pipe?: readonly object[] };
  if (wrapped !== undefined) return maxLengthOf(wrapped);
  // The first item of a pipe is the schema itself, without the pipe.
  for (const item of pipe) {
    const { metadata } = item as { metadata?: { jsonSchema?: JsonSchemaNote } };
    const found = metadata?.jsonSchema?.maxLength ?? maxLengthOf(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Text of `minimum` to `maximum` characters that a document can carry. */
export function characters(minimum: number, maximum: number) {
  return v.pipe(
    v.string(),
    must((text) => hasLength(text, minimum, maximum), lengthFromTo(minimum, maximum)),
    must(isSendable, CONTROL_CHARACTERS),
    noteLength(minimum, maximum),
  );
}

function noteLength(minimum: number, maximum: number) {
  return note({ ...(minimum > 0 ? { minLength: minimum } : {}), maxLength: maximum });
}

const withoutHidden = must((text: string) => !hasHiddenCharacters(text), HIDDEN_CHARACTERS);

/** Like `characters`, for names and addresses, which people trust to be what they see (docs/contract.md#control-characters-in-names). */
export function nameCharacters(minimum: number, maximum: number) {
  return v.pipe(
    v.string(),
    // Before the transformation, where the JSON Schema of the input ends.
    noteLength(minimum, maximum),
    v.transform(removeDirectionMarks),
    characters(minimum, maximum),
    withoutHidden,
  );
}

const inOneLine = must((text: string) => !/[\n\v\f\r\u2028\u2029]/.test(text), {
  en: "must be one line",
  el: "πρέπει να είναι μία γραμμή",
});

/** Like `nameCharacters` from 1 to `maximum`, at least 2, after white space at both ends is removed; with `lines: 1`, in one line. */
export function trimmedCharacters(maximum: number, { lines }: { lines?: 1 } = {}) {
  return v.pipe(
    v.string(),
    // The length counts after trimming, which minLength and maxLength cannot say.
    note({ pattern: `^\\s*\\S(?:[\\s\\S]{0,${maximum - 2}}\\S)?\\s*$` }),
    v.transform(removeDirectionMarks),
    v.trim(),
    characters(1, maximum),
    withoutHidden,
    ...(lines === 1 ? [inOneLine] : []),
  );
}

/** Text of 1 to `maximum` characters that is used as it is, so white space at either end is rejected. */
export function unpaddedCharacters(maximum: number) {
  return v.pipe(
    characters(1, maximum),
    must((text) => text.trim() === text, PADDED),
  );
}

/** An integer by value, so `1.0` is accepted. */
export function integerBetween(minimum: number, maximum: number) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(minimum), v.maxValue(maximum));
}

/** A day of a month of 31 days. There is no year 0000. */
const DAY_FORM = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Whether `text` is a day of the calendar; `v.isoDate()` accepts 31 February. */
export function isCalendarDay(text: string): boolean {
  // A date takes 31 February for 3 March.
  return DAY_FORM.test(text) && new Date(text).getUTCDate() === Number(text.slice(8));
}

/** `YYYY-MM-DD`, a day of the calendar. */
export const DateSchema = v.pipe(
  v.string(),
  must(isCalendarDay, {
    en: "must be a calendar date, YYYY-MM-DD",
    el: "πρέπει να είναι υπαρκτή ημερομηνία, ΕΕΕΕ-ΜΜ-ΗΗ",
  }),
  note({ format: "date" }),
);

const INSTANT_FORM = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?Z$/;

/** ISO 8601 in UTC, ending in Z, on a day of the calendar, with any decimals of a second or without seconds. */
export const InstantSchema = v.pipe(
  v.string(),
  must(
    (text) => {
      const day = INSTANT_FORM.exec(text)?.[1];
      return day !== undefined && isCalendarDay(day);
    },
    {
      en: "must be an instant in UTC, such as 2026-11-21T10:00:00Z",
      el: "πρέπει να είναι χρονική στιγμή σε UTC, όπως 2026-11-21T10:00:00Z",
    },
  ),
  note({ format: "date-time" }),
);

export const METADATA_PAIRS_MAX = 50;
const KEY_LENGTH_MAX = 40;
const VALUE_LENGTH_MAX = 500;

function pairsNote(mayBeNull: boolean): JsonSchemaNote {
  return {
    type: "object",
    maxProperties: METADATA_PAIRS_MAX,
    propertyNames: { minLength: 1, maxLength: KEY_LENGTH_MAX },
    additionalProperties: { type: mayBeNull ? ["string", "null"] : "string" },
  };
}

function problemWithPair(key: string, value: unknown, mayBeNull: boolean): Text | undefined {
  const problem = problemWithText(key, 1, KEY_LENGTH_MAX);
  if (problem !== undefined) return { en: `its key ${problem.en}`, el: `το κλειδί του ${problem.el}` };
  if (value === null && mayBeNull) return undefined;
  return typeof value === "string" ? problemWithText(value, 0, VALUE_LENGTH_MAX) : NOT_A_STRING;
}

/** Not `v.record`, which accepts arrays and silently drops keys such as `constructor`. */
function pairs<Value extends string | null>(mayBeNull: boolean) {
  const toPairs = v.rawTransform<unknown, Record<string, Value>>(({ dataset, NEVER }) => {
    const input = dataset.value;
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      addProblem(dataset, NOT_AN_OBJECT);
      return NEVER;
    }
    const entries = Object.entries(input);
    if (entries.length > METADATA_PAIRS_MAX) addProblem(dataset, maximumPairs(METADATA_PAIRS_MAX));
    for (const [key, value] of entries.slice(0, METADATA_PAIRS_MAX)) {
      const problem = problemWithPair(key, value, mayBeNull);
      if (problem === undefined) continue;
      const place = { type: "object", origin: "value", input: { ...input }, key, value } as const;
      addProblem(dataset, problem, [place]);
    }
    return Object.fromEntries(entries) as Record<string, Value>;
  });
  return v.pipe(v.unknown(), note<unknown>(pairsNote(mayBeNull)), toPairs);
}

export const MetadataSchema = described(
  pairs<string>(false),
  `Your own data, without personal data: up to ${METADATA_PAIRS_MAX} pairs of strings, keys up to ${KEY_LENGTH_MAX} and values up to ${VALUE_LENGTH_MAX} characters.`,
);

/** As responses and events have it. */
export const MetadataObjectSchema = described(
  v.record(v.string(), v.string()),
  "Your own data, as you set it; empty if you set none.",
);

/** Changes are merged into the stored metadata; null removes a key. */
export const MetadataChangesSchema = described(
  pairs<string | null>(true),
  "Changes to your own data, merged into what is stored: null removes a key.",
);
