/** Puts the cells of a row below their columns, and checks what applies to every cell. */
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

/** A row with its cells by column. */
export interface PlacedRow {
  line: number;
  /** Without blank ones. Our own values are in place of the file's words for them. */
  cells: ReadonlyMap<ColumnName, string>;
  /** The columns whose cells a workbook stores as numbers. */
  numbers: ReadonlySet<ColumnName>;
  /** What blank cells mean. */
  defaults: ReadonlyMap<ColumnName, string>;
  /** Why the cells are not below their columns; undefined where they are. */
  shift: Text | undefined;
}

export function placeRow(row: TableRow, { places, defaults, values, ...header }: Header): PlacedRow {
  const cells = new Map<ColumnName, string>();
  const numbers = new Set<ColumnName>();
  for (const [column, place] of places) {
    const written = row.cells[place] ?? "";
    const meaning = values.get(column)?.get(foldName(written));
    if ((meaning ?? written) !== "") cells.set(column, meaning ?? written);
    if (meaning === undefined && row.numbers?.has(place) === true) numbers.add(column);
  }
  return { line: row.line, cells, numbers, defaults, shift: findShift(row, header) };
}

/** Empty where the file has no such column, or the row ends before it. */
export function cellOf(row: PlacedRow, column: ColumnName): string {
  return row.cells.get(column) ?? "";
}

/** Like `cellOf`, with the column's default for a blank cell. */
export function filledCellOf(row: PlacedRow, column: ColumnName): string {
  return row.cells.get(column) ?? row.defaults.get(column) ?? "";
}

const IS_SHIFTED: Text = {
  en: "has a cell below no column; a delimiter inside a cell, such as a decimal comma, needs quotes around it",
  el: "έχει κελί κάτω από καμία στήλη· ένα διαχωριστικό μέσα σε κελί, όπως μια υποδιαστολή κόμμα, θέλει εισαγωγικά γύρω από το κελί",
};

function findShift(
  { cells }: TableRow,
  { width, unnamed }: Pick<Header, "width" | "unnamed">,
): Text | undefined {
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
export function checkCells({ cells }: PlacedRow, report: Report): boolean {
  let isUsable = true;
  for (const [column, cell] of cells) {
    const limit = column === "original_marks" ? MARKS_CHARACTERS_MAX : CELL_CHARACTERS_MAX;
    const problem = findCellProblem(cell, limit);
    if (problem === undefined) continue;
    report(problem, column);
    isUsable = false;
  }
  return isUsable;
}
