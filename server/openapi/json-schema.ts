/**
 * Converts valibot schemas to JSON Schema: for OpenAPI with references to named components, for MCP without, and shortened to what a
 * model needs to fill in the arguments. The API checks every call against its full schema, and its errors name the field and the limit.
 */
import type * as v from "valibot";
import { isDeepStrictEqual } from "node:util";
import { toJsonSchema } from "@valibot/to-json-schema";
import { COMPONENT_KEY, type ComponentMark } from "../../src/foundation/described.ts";
import type { JsonSchemaNote } from "../../src/foundation/field-schemas.ts";

/** JSON, or a JSON Schema. */
export type Json = Record<string, unknown>;

type TypeMode = "input" | "output";

/** What becomes of a component; `described` is its schema where it occurs. */
type OnComponent = (mark: ComponentMark, described: Json) => Json;

/** The JSON Schema of `schema`, without references. Custom checks cannot be converted; `note` adds what JSON Schema can express. */
export function convert(schema: v.GenericSchema, typeMode: TypeMode): Json {
  return convertWith(schema, typeMode, (_mark, json) => json);
}

/** The components of one OpenAPI description: every one that a converted schema contains. */
export class Components {
  readonly #schemas = new Map<string, Json>();

  /** The JSON Schema of `schema`, with a reference to each component in it, or to the component that it is. */
  convert(schema: v.GenericSchema, typeMode: TypeMode): Json {
    return convertWith(schema, typeMode, ({ name, description }, json) => {
      const own = { ...json, description };
      const known = this.#schemas.get(name);
      if (known === undefined) this.#schemas.set(name, own);
      // A document in a response has its defaults filled in, so its schema is another one.
      else if (!isDeepStrictEqual(known, own)) return json;
      return { $ref: `#/components/schemas/${name}`, description: json["description"] };
    });
  }

  /** By name, in alphabetical order. */
  get schemas(): Json {
    return Object.fromEntries([...this.#schemas].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
}

function convertWith(schema: v.GenericSchema, typeMode: TypeMode, onComponent: OnComponent): Json {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    errorMode: "ignore",
  }) as Json;
  return finish(json, typeMode, onComponent);
}

const LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);
const SCHEMAS: ReadonlySet<string> = new Set(["items", "additionalProperties", "propertyNames"]);

/**
 * Moves the members of `jsonSchema` (written by `note` in src/foundation/field-schemas.ts) into the schema that contains it.
 * Requests lose `default`: generators of typed clients read it as "always present". The description of the field names it.
 */
function finish(schema: Json, typeMode: TypeMode, onComponent: OnComponent): Json {
  const { jsonSchema, [COMPONENT_KEY]: mark, default: byDefault, ...rest } = schema;
  const members: Json = { ...rest, ...(jsonSchema as JsonSchemaNote | undefined) };
  if (typeMode === "output" && byDefault !== undefined) members["default"] = byDefault;
  const inner = (value: unknown) =>
    typeof value === "object" ? finish(value as Json, typeMode, onComponent) : value;
  const json = Object.fromEntries(
    Object.entries(members).map(([key, value]) => {
      if (LISTS.has(key)) return [key, (value as Json[]).map(inner)];
      if (SCHEMAS.has(key)) return [key, inner(value)];
      if (key !== "properties") return [key, value];
      return [
        key,
        Object.fromEntries(Object.entries(value as Json).map(([name, field]) => [name, inner(field)])),
      ];
    }),
  );
  return mark === undefined ? json : onComponent(mark as ComponentMark, json);
}

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
