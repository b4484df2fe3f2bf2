/** Descriptions of fields and objects beside their schemas, for OpenAPI and MCP. They change neither what is accepted nor the type. */
import * as v from "valibot";

type PipeItem = v.GenericSchema | v.PipeItem<never, unknown, v.BaseIssue<unknown>>;

/** At both ends of the pipe: the JSON Schema of the input ends at a transformation, and that of the output begins at the last schema. */
function withMetadata<Schema extends v.GenericSchema>(
  schema: Schema,
  keep: (item: PipeItem) => boolean,
  added: PipeItem,
): Schema {
  const [first, ...rest] = ("pipe" in schema ? schema.pipe : [schema]) as [PipeItem, ...PipeItem[]];
  const pipe = v.pipe as unknown as (...items: readonly PipeItem[]) => Schema;
  const kept = rest.filter(keep);
  return kept.length === 0 ? pipe(first, added) : pipe(first, added, ...kept, added);
}

/** `schema` with a description of one or two sentences, which replaces the one it has. */
export function described<Schema extends v.GenericSchema>(schema: Schema, description: string): Schema {
  return withMetadata(schema, ({ type }) => type !== "description", v.description(description) as PipeItem);
}

/** The key under which `component` leaves its name in the JSON Schema. */
export const COMPONENT_KEY = "x-component";

/** What `component` leaves in the JSON Schema. The description there may be that of a field which has this component. */
export interface ComponentMark {
  name: string;
  description: string;
}

/** `schema` as a named component of the OpenAPI description, which refers to it by name wherever it occurs. */
export function component<Schema extends v.GenericSchema>(
  name: string,
  description: string,
  schema: Schema,
): Schema {
  const mark = v.metadata({ [COMPONENT_KEY]: { name, description } satisfies ComponentMark });
  return described(
    withMetadata(schema, () => true, mark as PipeItem),
    description,
  );
}
