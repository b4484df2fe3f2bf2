/** Adds answers to a column map. */
import type { ColumnName } from "./table-fields.ts";
import type { ColumnMap } from "./column-map.ts";
import { foldName } from "./table-columns.ts";

export const EMPTY_MAP: ColumnMap = { columns: {}, values: {}, defaults: {}, ignore: [] };

/** `base` with `added`, which counts where both say something about the same column of a file. */
export function mergeMaps(base: ColumnMap, added: ColumnMap): ColumnMap {
  const answered = new Set([...Object.values(added.columns).flat(), ...added.ignore].map(foldName));
  const isOpen = (name: string) => !answered.has(foldName(name));
  const columns: ColumnMap["columns"] = {};
  for (const map of [{ ...base, columns: namesLeft(base, isOpen) }, added]) {
    for (const [column, names] of Object.entries(map.columns) as [ColumnName, string | string[]][]) {
      const all = [columns[column] ?? [], names].flat();
      if (all.length > 0) columns[column] = all.length === 1 ? all[0]! : all;
    }
  }
  return {
    columns,
    values: { ...base.values, ...added.values },
    defaults: { ...base.defaults, ...added.defaults },
    ignore: [...base.ignore.filter(isOpen), ...added.ignore],
  };
}

function namesLeft(map: ColumnMap, isOpen: (name: string) => boolean): ColumnMap["columns"] {
  return Object.fromEntries(
    Object.entries(map.columns).map(([column, names]) => [column, [names].flat().filter(isOpen)]),
  );
}
