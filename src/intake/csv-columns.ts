/** The columns of a table of documents, CSV or workbook (decisions 13), and where a file has them. */
import { type Problem, validationError } from "../foundation/errors.ts";

/** What a document says once: in its first row, and in the others again or not at all. */
export const DOCUMENT_COLUMNS = [
  "type",
  "issue_date",
  "series",
  "number",
  "customer_country",
  "customer_tax_id",
  "customer_name",
  "customer_street",
  "customer_street_number",
  "customer_postal_code",
  "customer_city",
  "customer_branch",
  "payment_method",
  "original_marks",
] as const;
export type DocumentColumn = (typeof DOCUMENT_COLUMNS)[number];

/** All of them, in the order of the decisions: the order of templates, too. A file may have another. */
export const COLUMNS = [
  "reference",
  ...(["type", "issue_date", "series", "number"] as const),
  ...(["customer_country", "customer_tax_id", "customer_name"] as const),
  ...([
    "customer_street",
    "customer_street_number",
    "customer_postal_code",
    "customer_city",
    "customer_branch",
  ] as const),
  ...(["description", "quantity", "unit", "unit_price", "vat_category", "vat_exemption"] as const),
  ...(["income_category", "income_type", "payment_method", "original_marks"] as const),
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** Without these no document can be made; a document's type and date stand in its first row, the rest in every row. */
const REQUIRED: readonly ColumnName[] = [
  ...(["reference", "type", "issue_date"] as const),
  ...(["description", "quantity", "unit_price", "vat_category"] as const),
];

/** What a row is called in messages: a CSV file has lines, as an editor counts, and a workbook rows, as Excel does. */
export type RowWord = "line" | "row";

/** What the columns of a file may be called beside their own names, and what the file itself does not say. */
export interface ForeignNames {
  /** From the folded name (`foldName`) to the column. */
  columns: ReadonlyMap<string, ColumnName>;
  /** Folded names of columns that are left out. */
  ignored: ReadonlySet<string>;
  /** Leave out every column that is not known. */
  ignoresRest: boolean;
  /** What stands where a cell is blank or the column is missing. */
  defaults: ReadonlyMap<ColumnName, string>;
  /** For each column, from the folded cell to what it means. */
  values: ReadonlyMap<ColumnName, ReadonlyMap<string, string>>;
}

export const NO_FOREIGN_NAMES: ForeignNames = {
  columns: new Map(),
  ignored: new Set(),
  ignoresRest: false,
  defaults: new Map(),
  values: new Map(),
};

/** Case, and the space in and around a name or a value, do not count. */
export function foldName(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
}

/** Where a file has its columns. */
export interface Header {
  word: RowWord;
  /** How many cells the header row has, those without a name counted. */
  width: number;
  /** The cell of each column that the file has, from 0. */
  places: ReadonlyMap<ColumnName, number>;
  /** Cells of the header row that are blank: nothing may stand below them. */
  unnamed: readonly number[];
  defaults: ReadonlyMap<ColumnName, string>;
  /** By the place of the column: what its cells mean, where they say it in words of their own. */
  values: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

const KNOWN: ReadonlySet<string> = new Set(COLUMNS);

function isColumnName(name: string): name is ColumnName {
  return KNOWN.has(name);
}

/** The column that a header's cell names; null for one that is left out, undefined for one that nobody knows. */
function columnOf(cell: string, names: ForeignNames): ColumnName | null | undefined {
  const name = foldName(cell);
  const mapped = names.columns.get(name);
  if (mapped !== undefined) return mapped;
  if (isColumnName(name)) return name;
  return names.ignored.has(name) || names.ignoresRest ? null : undefined;
}

/** Reads the header row `cells`, which stands in `line`. Throws `validation_failed` with all that is wrong with it. */
export function readHeader(
  cells: readonly string[],
  line: number,
  word: RowWord = "line",
  names: ForeignNames = NO_FOREIGN_NAMES,
): Header {
  const places = new Map<ColumnName, number>();
  const unnamed: number[] = [];
  const problems: Problem[] = [];
  const report = (message: string) => problems.push({ path: `${word} ${line}`, message });
  const unknown: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const column = columnOf(cell, names);
    if (cell.trim() === "") unnamed.push(index);
    else if (column === undefined) unknown.push(foldName(cell));
    else if (column !== null && places.has(column)) report(`has the column ${column} twice`);
    else if (column !== null) places.set(column, index);
  }
  for (const message of describeUnknown(unknown)) report(message);
  const missing = REQUIRED.filter((name) => !places.has(name) && !names.defaults.has(name));
  if (missing.length > 0) report(`has no column ${missing.join(", ")}`);
  if (unknown.length > 0) report(MAP_HINT);
  if (problems.length > 0) throw validationError(problems);
  return {
    word,
    width: cells.length,
    places,
    unnamed,
    defaults: names.defaults,
    values: placed(names, places),
  };
}

const MAP_HINT =
  'may call its columns by other names where --map FILE says what each means ([columns] ours = "theirs"), or leaves it out (ignore)';

function placed(
  names: ForeignNames,
  places: ReadonlyMap<ColumnName, number>,
): Map<number, ReadonlyMap<string, string>> {
  const values = new Map<number, ReadonlyMap<string, string>>();
  for (const [column, meanings] of names.values) {
    const place = places.get(column);
    if (place !== undefined) values.set(place, meanings);
  }
  return values;
}

/** How many cells of `cells` name a column. */
export function countColumns(cells: readonly string[], names: ForeignNames = NO_FOREIGN_NAMES): number {
  return cells.filter((cell) => (columnOf(cell, names) ?? null) !== null).length;
}

/** A header's cell may be anything, if the file has no header: it is named only where it looks like a name. */
const NAME_FORM = /^[\p{L}\p{N}_ .,%()/#€&-]{1,40}$/u;

/** A line for each name that is near a column's, and one for all the others. */
function describeUnknown(names: readonly string[]): string[] {
  const near = names.map((name) => ({ name, nearest: nearestColumn(name) }));
  const strange = near.filter(({ nearest }) => nearest === undefined).map(({ name }) => name);
  const slips = near.filter(({ nearest }) => nearest !== undefined);
  const said = slips.map(({ name, nearest }) => `${nameUnknown([name])}; did you mean ${nearest}?`);
  return strange.length === 0
    ? said
    : [...said, `${nameUnknown(strange)}; the columns are ${COLUMNS.join(", ")}`];
}

function nameUnknown(names: readonly string[]): string {
  const shown = names.filter((name) => NAME_FORM.test(name)).join(", ");
  const what = names.length === 1 ? "has an unknown column" : `has ${names.length} unknown columns`;
  return shown === "" ? what : `${what}, ${shown}`;
}

const WORDS_MIN = 3;
const WORD_FORM = /^\p{L}[^0-9]{0,39}$/u;

/** Whether a row of cells that name no column is a header all the same: words only, no cell that could be a value. */
export function looksLikeNames(cells: readonly string[]): boolean {
  const written = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return written.length >= WORDS_MIN && written.every((cell) => WORD_FORM.test(cell));
}

/** A slip of the hand changes no more letters than these, and no more than a third of the name. */
const SLIPS_MAX = 3;

/** The column whose name is nearest to `name`, within what a slip of the hand changes. */
export function nearestColumn(name: string): ColumnName | undefined {
  const written = name.slice(0, 40).replace(/[ -]/g, "_");
  let nearest: { column: ColumnName; slips: number } | undefined;
  for (const column of COLUMNS) {
    const slips = countSlips(written, column);
    const allowed = Math.min(SLIPS_MAX, Math.max(1, Math.floor(column.length / 3)));
    if (slips <= allowed && (nearest === undefined || slips < nearest.slips)) nearest = { column, slips };
  }
  return nearest?.column;
}

/** How many letters are to be put in, taken out or changed to make `right` of `left` (Levenshtein). */
function countSlips(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const changed = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
