/** Reads the header row of a table, suggests what unknown columns mean, and says in which row and column a problem is. */
import { type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import { type ColumnName, FIELDS } from "./table-fields.ts";
import {
  findColumn,
  findNearestColumn,
  foldName,
  type ForeignNames,
  NO_FOREIGN_NAMES,
  suggestColumn,
} from "./table-columns.ts";

/** Without these no document can be built. */
export const REQUIRED_COLUMNS: readonly ColumnName[] = [
  ...(["reference", "type", "issue_date"] as const),
  ...(["description", "quantity", "unit_price", "vat_category"] as const),
];
/** The column that may be there instead. */
const INSTEAD: Partial<Record<ColumnName, ColumnName>> = { unit_price: "unit_price_gross" };

/** Where a file has its columns. */
export interface Header {
  /** Number of cells in the header row, blank ones included. */
  width: number;
  /** The cell index of each column in the file, from 0. */
  places: ReadonlyMap<ColumnName, number>;
  /** Indexes of blank header cells; the cells below them must be blank too. */
  unnamed: readonly number[];
  defaults: ReadonlyMap<ColumnName, string>;
  /** For each column, our value by folded cell. */
  values: ForeignNames["values"];
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
  check.missing = REQUIRED_COLUMNS.filter((name) => !isKnown(name) && !isKnown(INSTEAD[name]));
  return check;
}

/** Reads the header row `cells` in row `row`. Throws `validation_failed` with every problem. */
export function readHeader(
  cells: readonly string[],
  row: number,
  names: ForeignNames = NO_FOREIGN_NAMES,
): Header {
  const { places, unnamed, unknown, twice, missing } = checkHeader(cells, names);
  const problems: Problem[] = [];
  const report = (message: Text) => problems.push({ ...describePlace(row), message });
  const lacking = missing.join(", ");
  if (lacking !== "") report({ en: `lacks the columns ${lacking}`, el: `δεν έχει τις στήλες ${lacking}` });
  for (const column of twice)
    report({ en: `has the column ${column} twice`, el: `έχει τη στήλη ${column} δύο φορές` });
  if (unknown.length > 0) report(describeUnknown(unknown));
  if (unknown.length > 0) report(describeSolution(unknown, places, missing));
  if (problems.length > 0) throw validationError(problems);
  return { width: cells.length, places, unnamed, defaults: names.defaults, values: names.values };
}

const NAMES_MIN = 3;
const WORD_FORM = /^\p{L}[^0-9]{0,39}$/u;

/** Whether a row without known columns still looks like a header: only words, nothing that could be a value. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return filled.length >= NAMES_MIN && filled.every((cell) => WORD_FORM.test(cell));
}

/** A header cell that names no column. */
export interface UnknownCell {
  index: number;
  cell: string;
}

/** Without a header, the first row may contain any data: a cell is quoted only where it looks like a name. */
const NAME_FORM = /^[\p{L}\p{N}_ .,%()/#€&-]{1,40}$/u;

/** Names those that look like names. */
function describeUnknown(unknown: readonly UnknownCell[]): Text {
  const names = unknown.map(({ cell }) => cell).filter((cell) => NAME_FORM.test(cell));
  const shown = ["", ...names].join(", ");
  return { en: `has unknown columns${shown}`, el: `έχει άγνωστες στήλες${shown}` };
}

/** That the columns need a meaning, and the probable one as far as the names show it. */
function describeSolution(
  unknown: readonly UnknownCell[],
  places: ReadonlyMap<ColumnName, number>,
  missing: readonly ColumnName[],
): Text {
  const suggested = suggestColumns(unknown, places);
  const isNamed = unknown.every(({ cell }) => NAME_FORM.test(cell));
  if (!isNamed || places.size + suggested.size === 0) return MAP_HINT;
  const columns = unknown.map(({ index, cell }) => [cell, suggested.get(index) ?? IGNORE]);
  const found = new Set(suggested.values());
  const lacksType = missing.includes("type") && !found.has("type");
  const type = found.has("customer_tax_id") || places.has("customer_tax_id") ? "1.1" : "11.1";
  const defaults: Record<string, string> = lacksType ? { type } : {};
  return {
    en: "may be read once its columns have a meaning",
    el: "μπορεί να διαβαστεί όταν οι στήλες του έχουν σημασία",
    next: { operation: "mapColumns", columns: Object.fromEntries(columns), defaults },
  };
}

/** The meaning of a column that is left out. */
export const IGNORE = "ignore";

/** What unknown cells probably mean, by index: no column twice. */
export function suggestColumns(
  unknown: readonly UnknownCell[],
  places: ReadonlyMap<ColumnName, number>,
): Map<number, ColumnName> {
  const taken = new Set(places.keys());
  const suggested = new Map<number, ColumnName>();
  for (const { index, cell } of unknown) {
    const column = nearestFree(cell, taken) ?? suggestColumn(cell, taken);
    if (column === undefined) continue;
    taken.add(column);
    suggested.set(index, column);
  }
  return suggested;
}

function nearestFree(cell: string, taken: ReadonlySet<ColumnName>): ColumnName | undefined {
  const nearest = findNearestColumn(foldName(cell));
  // "Member" is two letters from "number": only its own names suggest it.
  return nearest === undefined || nearest === "number" || taken.has(nearest) ? undefined : nearest;
}

const MAP_HINT: Text = {
  en: "may use other column names",
  el: "μπορεί να έχει άλλα ονόματα στηλών",
  next: { operation: "mapColumns" },
};

/** A problem of a table. Its `path` contains the place: `line 12, unit_price`. */
export interface RowProblem extends Problem {
  message: Text;
  row: number;
  /** Null where the whole row or document is wrong. */
  column: ColumnName | null;
}

/** Reports a problem of a row, in one column or as a whole. */
export type Report = (message: Text, column?: ColumnName) => void;

/** A row has the number that an editor has for its line, or Excel for the row. */
export function describePlace(row: number, column?: ColumnName): { path: string; place: Text } {
  if (column === undefined) return { path: `line ${row}`, place: { en: `line ${row}`, el: `γραμμή ${row}` } };
  const path = `line ${row}, ${column}`;
  return { path, place: { en: path, el: `γραμμή ${row}, ${FIELDS[column].words.el} (${column})` } };
}

export function rowProblem(row: number, message: Text, column?: ColumnName): RowProblem {
  return { ...describePlace(row, column), message, row, column: column ?? null };
}

/** Collects the problems of row `row` in `problems`. */
export function createReport(row: number, problems: RowProblem[]): Report {
  return (message, column) => void problems.push(rowProblem(row, message, column));
}
