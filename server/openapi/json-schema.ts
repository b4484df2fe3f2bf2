/** Converts valibot schemas to JSON Schema, for OpenAPI with references to named components, for MCP without. */
import { isDeepStrictEqual } from "node:util";
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
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
