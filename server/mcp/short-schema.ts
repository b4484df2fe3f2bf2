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
const PATTERN_LENGTH_MAX = 25;

/** A larger limit is never met by accident. */
const MAXIMUM_SHOWN = 9999;

export function shorten(schema: Json): Json {
  const entries = Object.entries(withoutRepetition(schema)).flatMap(([key, value]) =>
    isLeftOut(key, value) ? [] : [[key, shortenMember(key, value)] as const],
  );
  return Object.fromEntries(entries);
}

function isLeftOut(key: string, value: unknown): boolean {
  if (LEFT_OUT.has(key)) return true;
  if (key === "pattern") return String(value).length > PATTERN_LENGTH_MAX;
  if (key === "maximum") return Number(value) > MAXIMUM_SHOWN;
  if (key === "required") return (value as unknown[]).length === 0;
  return key === "additionalProperties" && value === false;
}

function shortenMember(key: string, value: unknown): unknown {
  if (key === "properties")
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([name, field]) => [name, shorten(field)]),
    );
  if (key === "anyOf" || key === "oneOf") return (value as Json[]).map(shorten);
  if (key === "items" || key === "additionalProperties")
    return typeof value === "object" ? shorten(value as Json) : value;
  return value;
}

/** An object whose properties, three or more, all have the same schema: it is written once, beside the names. */
function withoutRepetition(schema: Json): Json {
  const { properties, ...rest } = schema;
  const fields = Object.entries((properties ?? {}) as Record<string, Json>);
  const [first] = fields;
  const isRepeated = fields.length >= 3 && fields.every(([, field]) => isDeepStrictEqual(field, first![1]));
  if (!isRepeated || "type" in first![1] === false || first![1]["type"] !== "object") return schema;
  return { ...rest, propertyNames: { enum: fields.map(([name]) => name) }, additionalProperties: first![1] };
}
