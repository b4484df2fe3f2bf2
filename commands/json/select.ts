/** Selects the fields of `--json FIELDS`. */

/**
 * The object with only `fields`, in their order; of a list object, the same for each item. Without `fields` the value itself. A field
 * that this object lacks is left out: some commands print two kinds of objects.
 */
export function selectFields(value: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof value !== "object" || value === null) return value;
  if ("object" in value && value.object === "list" && "data" in value && Array.isArray(value.data))
    return { ...value, data: value.data.map((item) => selectFields(item, fields)) };
  const entries = new Map(Object.entries(value));
  return Object.fromEntries(
    fields.flatMap((field) => (entries.has(field) ? [[field, entries.get(field)]] : [])),
  );
}
