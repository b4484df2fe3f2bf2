/**
 * Shortens the JSON Schema of a tool's arguments to what a model needs to fill them in. The API checks every call against its
 * full schema, and its errors name the field and the limit.
 */
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../openapi/json-schema.ts";

/** Limits that callers rarely meet. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);

/** A longer pattern says less to a model than the name of the field. */
const PATTERN_LENGTH_MAX = 20;

/** A larger limit is never met by accident, and neither is one of 0 or 1 from below. */
const MAXIMUM_SHOWN = 9999;

/** A shorter sentence says no more than the name of its field. */
const SENTENCE_LENGTH = 20;

export function shorten(schema: Json): Json {
  return shortenWith(schema, schema["description"], new Set());
}

/** The type alone: for an argument that another tool has with all its fields. */
export function outline({ type }: Json): Json {
  return { type };
}

/** `shown` has the sentences so far, each of which is shown once. */
function shortenWith(schema: Json, description: unknown, shown: Set<string>): Json {
  const { description: _description, ...rest } = withoutRepetition(schema);
  const entries = Object.entries(rest).flatMap(([key, value]) =>
    isLeftOut(key, value) ? [] : [[key, shortenMember(key, value, shown)] as const],
  );
  return { ...Object.fromEntries(entries), ...(description === undefined ? {} : { description }) };
}

/** A field inside an argument has the first sentence of its description. One that lists its words needs none. */
function shortenField(field: Json, shown: Set<string>): Json {
  const sentence = /^.*?\.(?= |$)/.exec(String(field["description"] ?? ""))?.[0] ?? "";
  const isShown =
    sentence.length >= SENTENCE_LENGTH && !("enum" in field || "const" in field || shown.has(sentence));
  if (isShown) shown.add(sentence);
  return shortenWith(field, isShown ? sentence : undefined, shown);
}

function isLeftOut(key: string, value: unknown): boolean {
  if (LEFT_OUT.has(key)) return true;
  if (key === "pattern") return String(value).length > PATTERN_LENGTH_MAX;
  if (key === "minimum") return Number(value) <= 1;
  if (key === "maximum") return Number(value) > MAXIMUM_SHOWN;
  if (key === "required") return (value as unknown[]).length === 0;
  if (key === "propertyNames") return !("enum" in (value as Json));
  return key === "additionalProperties" && value === false;
}

function shortenMember(key: string, value: unknown, shown: Set<string>): unknown {
  if (key === "properties")
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([name, field]) => [
        name,
        shortenField(field, shown),
      ]),
    );
  if (key === "anyOf" || key === "oneOf")
    return (value as Json[]).map((schema) => shortenField(schema, shown));
  // The list itself is described, so its items need no sentence.
  if (key === "items" || key === "additionalProperties")
    return typeof value === "object" ? shortenWith(value as Json, undefined, shown) : value;
  return value;
}

/** An object whose properties, three or more, all have the same schema but for the description: it is written once, beside the names. */
function withoutRepetition(schema: Json): Json {
  const { properties, ...rest } = schema;
  const fields = Object.entries((properties ?? {}) as Record<string, Json>);
  if (fields.length < 3) return schema;
  const [first = {}, ...others] = fields.map(([, { description: _description, ...field }]) => field as Json);
  if (first["type"] !== "object" || !others.every((field) => isDeepStrictEqual(field, first))) return schema;
  return { ...rest, propertyNames: { enum: fields.map(([name]) => name) }, additionalProperties: first };
}
