/** Reads the header row of a table: which cell belongs to which column. */
import { type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { ColumnName } from "./table-fields.ts";
import { findColumn, type ForeignNames, NO_FOREIGN_NAMES } from "./table-columns.ts";
import { describePlace, type RowWord } from "./table-problem.ts";
import { describeSolution, describeUnknown, type UnknownCell } from "./unknown-columns.ts";

/** Without these no document can be built. */
const REQUIRED: readonly ColumnName[] = [
  ...(["reference", "type", "issue_date"] as const),
  ...(["description", "quantity", "unit_price", "vat_category"] as const),
];
/** The column that may be there instead. */
const INSTEAD: Partial<Record<ColumnName, ColumnName>> = { unit_price: "unit_price_gross" };

/** Where a file has its columns. */
export interface Header {
  word: RowWord;
  /** Number of cells in the header row, blank ones included. */
  width: number;
  /** The cell index of each column in the file, from 0. */
  places: ReadonlyMap<ColumnName, number>;
  /** Indexes of blank header cells; the cells below them must be blank too. */
  unnamed: readonly number[];
  defaults: ReadonlyMap<ColumnName, string>;
  /** Our value by folded cell, for each cell index whose column uses other words. */
  values: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

/** Which columns a header row has, and what is wrong with it. */
export interface HeaderCheck {
  places: Map<ColumnName, number>;
  unnamed: number[];
  /** The cells that name no column. */
  unknown: UnknownCell[];
  twice: ColumnName[];
  /** Required columns without a default. */
  missing: ColumnName[];
}

export function checkHeader(cells: readonly string[], names: ForeignNames): HeaderCheck {
  const check: HeaderCheck = { places: new Map(), unnamed: [], unknown: [], twice: [], missing: [] };
  for (const [index, cell] of cells.entries()) {
    const column = findColumn(cell, names);
    if (cell.trim() === "") check.unnamed.push(index);
    else if (column === undefined) check.unknown.push({ index, cell: cell.trim() });
    else if (column !== null && check.places.has(column)) check.twice.push(column);
    else if (column !== null) check.places.set(column, index);
  }
  const isKnown = (name: ColumnName | undefined) =>
    name !== undefined && (check.places.has(name) || names.defaults.has(name));
  check.missing = REQUIRED.filter((name) => !isKnown(name) && !isKnown(INSTEAD[name]));
  return check;
}

/** Reads the header row `cells` in row `row`. Throws `validation_failed` with every problem. */
export function readHeader(
  cells: readonly string[],
  row: number,
  word: RowWord = "line",
  names: ForeignNames = NO_FOREIGN_NAMES,
): Header {
  const { places, unnamed, unknown, twice, missing } = checkHeader(cells, names);
  const problems: Problem[] = [];
  const report = (message: Text) => problems.push({ ...describePlace(word, row), message });
  for (const column of twice) report(hasTwice(column));
  for (const message of describeUnknown(unknown.map(({ cell }) => cell))) report(message);
  if (missing.length > 0) report(lacksColumns(missing));
  if (unknown.length > 0) report(describeSolution(unknown, places, missing));
  if (problems.length > 0) throw validationError(problems);
  const values = new Map<number, ReadonlyMap<string, string>>();
  for (const [column, meanings] of names.values) {
    const place = places.get(column);
    if (place !== undefined) values.set(place, meanings);
  }
  return { word, width: cells.length, places, unnamed, defaults: names.defaults, values };
}

function hasTwice(column: string): Text {
  return { en: `has the column ${column} twice`, el: `έχει τη στήλη ${column} δύο φορές` };
}

function lacksColumns(columns: readonly string[]): Text {
  const listed = columns.join(", ");
  return columns.length === 1
    ? { en: `has no column ${listed}`, el: `δεν έχει τη στήλη ${listed}` }
    : { en: `has no columns ${listed}`, el: `δεν έχει τις στήλες ${listed}` };
}

const NAMES_MIN = 3;
const WORD_FORM = /^\p{L}[^0-9]{0,39}$/u;

/** Whether a row without known columns still looks like a header: only words, nothing that could be a value. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return filled.length >= NAMES_MIN && filled.every((cell) => WORD_FORM.test(cell));
}
