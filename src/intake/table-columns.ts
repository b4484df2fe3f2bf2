/** Finds the columns of a table of documents by our names and those that a file uses instead. */
import { distance } from "fastest-levenshtein";
import { fold } from "../foundation/characters.ts";
import { type ColumnName, FILE_COLUMNS, FIELDS } from "./table-fields.ts";
import { comparable } from "../domain/document-codes.ts";

const BY_GREEK_NAME: ReadonlyMap<string, ColumnName> = new Map(
  FILE_COLUMNS.map((column) => [comparable(FIELDS[column].words.el), column]),
);

const SUGGESTED = FILE_COLUMNS.flatMap((column) => {
  const { el, also } = FIELDS[column].words;
  return [column, el, ...also].map((word) => ({ word: comparable(word), column }));
});

/** Suggested only for one of their names as a whole: another number in their place (of the customer, the product) would be filed. */
const WHOLE_NAME_ONLY: ReadonlySet<ColumnName> = new Set(["reference", "number"]);

/** The column that `name` probably means: by a known name, otherwise by the longest one in it. `taken` are not suggested. */
export function suggestColumn(
  name: string,
  taken: ReadonlySet<ColumnName> = new Set(),
): ColumnName | undefined {
  const wanted = comparable(name.slice(0, NAME_CHARACTERS_MAX));
  const free = SUGGESTED.filter(({ column }) => !taken.has(column));
  const within = free.filter(({ word, column }) =>
    WHOLE_NAME_ONLY.has(column) ? wanted === word : ` ${wanted} `.includes(` ${word} `),
  );
  const [longest] = within.toSorted((left, right) => right.word.length - left.word.length);
  return longest?.column;
}

/** A longer name is not one of a column. */
const NAME_CHARACTERS_MAX = 200;

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

const OURS: ReadonlyMap<string, ColumnName> = new Map(FILE_COLUMNS.map((column) => [column, column]));

/** The column that a header cell names; null for an ignored one, undefined for an unknown one. */
export function findColumn(cell: string, names: ForeignNames): ColumnName | null | undefined {
  const name = foldName(cell);
  const known = names.columns.get(name) ?? OURS.get(name);
  if (known !== undefined) return known;
  if (names.ignored.has(name)) return null;
  const greek = BY_GREEK_NAME.get(comparable(name));
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
