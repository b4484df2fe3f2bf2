/** Completes the example objects of the API description from their schemas. */
import type * as v from "valibot";

type NullableKey<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T];

/** An object whose nullable fields may be left out. */
type WithoutNulls<T> = Omit<T, NullableKey<T>> & Partial<Pick<T, NullableKey<T>>>;

/** Returns `fields` in the order of the schema. Fields left out are null, so a new nullable field changes no example. */
export function completeExample<Schema extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: Schema,
  fields: WithoutNulls<v.InferOutput<Schema>>,
): v.InferOutput<Schema> {
  const nulls = Object.fromEntries(Object.keys(schema.entries).map((key) => [key, null]));
  return { ...nulls, ...fields } as v.InferOutput<Schema>;
}
