/** The schema of `metadata`: string pairs under keys of the caller's choice. */
import * as v from "valibot";
import { type JsonSchemaNote, note, problemWithText } from "./field-schemas.ts";
import { maximumPairs, NOT_A_STRING, NOT_AN_OBJECT } from "./messages.ts";
import { addProblem } from "./rules.ts";
import type { Text } from "./text.ts";

export const METADATA_PAIRS_MAX = 50;
const KEY_LENGTH_MAX = 40;
const VALUE_LENGTH_MAX = 500;

const PAIRS_NOTE: JsonSchemaNote = {
  type: "object",
  maxProperties: METADATA_PAIRS_MAX,
  propertyNames: { minLength: 1, maxLength: KEY_LENGTH_MAX },
};

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
  return v.pipe(v.unknown(), toPairs, note<Record<string, Value>>(PAIRS_NOTE));
}

export const MetadataSchema = pairs<string>(false);

/** Changes are merged into the stored metadata; null removes a key. */
export const MetadataChangesSchema = pairs<string | null>(true);
