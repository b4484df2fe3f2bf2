/** Finds the cells of a row by column, and checks what applies to every cell. */
import type { Text } from "../foundation/text.ts";
import { foldName } from "./table-columns.ts";
import type { ColumnName } from "./table-fields.ts";
import type { Header, Report } from "./table-header.ts";

/** A row of a CSV file or of a workbook's sheet. */
export interface TableRow {
  /** Without surrounding space. */
  cells: string[];
  /** From 1, as an editor counts lines, or Excel rows. */
  line: number;
  /** Indexes of cells that a workbook stores as numbers, which are never ambiguous. Undefined where there is none. */
  numbers?: Set<number>;
}

const CELL_CHARACTERS_MAX = 10_000;
/** A credit note may name 1000 MARKs of 19 digits (docs/contract.md#limits). */
const MARKS_CHARACTERS_MAX = 20_000;

/** A row below its header. */
export interface PlacedRow extends TableRow {
  header: Header;
  /** Why the cells are not below their columns; undefined where they are. */
  shift: Text | undefined;
}

export function placeRow(row: TableRow, header: Header): PlacedRow {
  return { ...row, header, shift: findShift(row, header) };
}

/** The file's words for a value are replaced by ours. Empty where the file has no such column, or the row ends before it. */
export function cellOf({ cells, header: { places, values } }: PlacedRow, column: ColumnName): string {
  const written = cells[places.get(column) ?? cells.length] ?? "";
  return values.get(column)?.get(foldName(written)) ?? written;
}

/** Like `cellOf`, with the column's default for a blank cell. */
export function filledCellOf(row: PlacedRow, column: ColumnName): string {
  return cellOf(row, column) || (row.header.defaults.get(column) ?? "");
}

/** Whether a workbook stores the cell as a number, which has no word of the file's for a value. */
export function isNumber(row: PlacedRow, column: ColumnName): boolean {
  const place = row.header.places.get(column);
  return place !== undefined && row.numbers?.has(place) === true && cellOf(row, column) === row.cells[place];
}

const IS_SHIFTED: Text = {
  en: "has a cell below no column; a delimiter inside a cell, such as a decimal comma, needs quotes around it",
  el: "έχει κελί κάτω από καμία στήλη· ένα διαχωριστικό μέσα σε κελί, όπως μια υποδιαστολή κόμμα, θέλει εισαγωγικά γύρω από το κελί",
};

function findShift({ cells }: TableRow, { width, unnamed }: Header): Text | undefined {
  const isTooLong = cells.slice(width).some((cell) => cell !== "");
  const isBelowNoName = unnamed.some((place) => (cells[place] ?? "") !== "");
  return isTooLong || isBelowNoName ? IS_SHIFTED : undefined;
}

/** Shown by spreadsheets where a formula has no value. */
const FORMULA_ERRORS: ReadonlySet<string> = new Set(
  "#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC!".split(" "),
);

function findCellProblem(cell: string, limit: number): Text | undefined {
  if (cell.length > limit)
    return { en: `must have at most ${limit} characters`, el: `πρέπει να έχει το πολύ ${limit} χαρακτήρες` };
  if (cell.includes("\ufffd")) {
    return {
      en: "has a character that was lost when the file was saved; save it as CSV UTF-8",
      el: "έχει χαρακτήρα που χάθηκε κατά την αποθήκευση του αρχείου· αποθηκεύστε το ως CSV UTF-8",
    };
  }
  if (FORMULA_ERRORS.has(cell)) {
    return {
      en: "has an error of the spreadsheet instead of a value; correct its formula",
      el: "έχει σφάλμα του λογιστικού φύλλου αντί για τιμή· διορθώστε τον τύπο του",
    };
  }
  return undefined;
}

/** Reports every cell that is unusable in any column; returns whether all are usable. */
export function checkCells(row: PlacedRow, report: Report): boolean {
  let isUsable = true;
  for (const column of row.header.places.keys()) {
    const limit = column === "original_marks" ? MARKS_CHARACTERS_MAX : CELL_CHARACTERS_MAX;
    const problem = findCellProblem(cellOf(row, column), limit);
    if (problem === undefined) continue;
    report(problem, column);
    isUsable = false;
  }
  return isUsable;
}
