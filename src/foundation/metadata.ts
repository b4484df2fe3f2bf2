/** The schema of `metadata`: string pairs under keys of the caller's choice. */
import * as v from "valibot";
import { type JsonSchemaNote, note, problemWithText } from "./field-schemas.ts";
import { described } from "./described.ts";
import { maximumPairs, NOT_A_STRING, NOT_AN_OBJECT } from "./messages.ts";
import { addProblem } from "./rules.ts";
import type { Text } from "./text.ts";

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
