/** Converts valibot schemas to JSON Schema. */
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { JsonSchemaNote } from "../../src/foundation/field-schemas.ts";

/** JSON, or a JSON Schema. */
export type Json = Record<string, unknown>;

/** The JSON Schema of `schema`, without references. Custom checks cannot be converted; `note` adds what JSON Schema can express. */
export function convert(schema: v.GenericSchema, typeMode: "input" | "output"): Json {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    errorMode: "ignore",
  }) as Json;
  return unfold(json) as Json;
}

/** Moves the members of every `jsonSchema` (written by `note` in src/foundation/field-schemas.ts) into the schema that contains it. */
function unfold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unfold);
  if (typeof value !== "object" || value === null) return value;
  const { jsonSchema, ...rest } = value as Json;
  const entries = Object.entries({ ...rest, ...(jsonSchema as JsonSchemaNote | undefined) });
  return Object.fromEntries(entries.map(([key, member]) => [key, unfold(member)]));
}
