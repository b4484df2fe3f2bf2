/** Finds the columns of a table of documents by our names and those that a file uses instead. */
import { distance } from "fastest-levenshtein";
import { fold } from "../foundation/fold.ts";
import { type ColumnName, FILE_COLUMNS } from "./table-fields.ts";
import { columnInGreek } from "./column-words.ts";

/** Other names and values that a file uses for our columns, and values that it leaves out. */
export interface ForeignNames {
  /** Column by folded name (see `foldName`). */
  columns: ReadonlyMap<string, ColumnName>;
  /** Folded names of columns to ignore. */
  ignored: ReadonlySet<string>;
  /** Ignore every unknown column. */
  ignoresRest: boolean;
  /** Used where a cell is blank or the column is missing. */
  defaults: ReadonlyMap<ColumnName, string>;
  /** For each column, our value by folded cell. */
  values: ReadonlyMap<ColumnName, ReadonlyMap<string, string>>;
}

export const NO_FOREIGN_NAMES: ForeignNames = {
  columns: new Map(),
  ignored: new Set(),
  ignoresRest: false,
  defaults: new Map(),
  values: new Map(),
};

/** Normalises a name or value for comparison: letter case, accents and surplus white space do not matter. */
export function foldName(text: string): string {
  return fold(text.replace(/\s+/gu, " "));
}

const KNOWN: ReadonlySet<string> = new Set(FILE_COLUMNS);

function isColumnName(name: string): name is ColumnName {
  return KNOWN.has(name);
}

/** The column that a header cell names; null for an ignored one, undefined for an unknown one. */
export function findColumn(cell: string, names: ForeignNames): ColumnName | null | undefined {
  const name = foldName(cell);
  const mapped = names.columns.get(name);
  if (mapped !== undefined) return mapped;
  if (isColumnName(name)) return name;
  if (names.ignored.has(name)) return null;
  const greek = columnInGreek(name);
  if (!names.ignoresRest) return greek;
  // A map that ignores the rest may name another column for it.
  return greek === undefined || [...names.columns.values()].includes(greek) ? null : greek;
}

/** How many of the cells name a column. */
export function countColumns(cells: readonly string[], names: ForeignNames = NO_FOREIGN_NAMES): number {
  return cells.filter((cell) => (findColumn(cell, names) ?? null) !== null).length;
}

/** Most letters that a typing error may change, and never more than a third of the name. */
const TYPOS_MAX = 3;

/** The column whose name `name` probably misspells; undefined where none is close enough. */
export function findNearestColumn(name: string): ColumnName | undefined {
  const written = name.slice(0, 40).replace(/[ -]/g, "_");
  let nearest: { column: ColumnName; typos: number } | undefined;
  for (const column of FILE_COLUMNS) {
    const typos = distance(written, column);
    const allowed = Math.min(TYPOS_MAX, Math.max(1, Math.floor(column.length / 3)));
    if (typos <= allowed && (nearest === undefined || typos < nearest.typos)) nearest = { column, typos };
  }
  return nearest?.column;
}
