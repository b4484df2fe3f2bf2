/** Problems of a table, each with its row and column. */
import type { Problem } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import { type ColumnName, FIELDS } from "./table-fields.ts";

/** The word for a row in messages: an editor counts the lines of a CSV file, Excel the rows of a workbook. */
export type RowWord = "line" | "row";

/** A problem of a table. Its `path` contains the place: `line 12, unit_price`. */
export interface RowProblem extends Problem {
  message: Text;
  row: number;
  /** Null where the whole row or document is wrong. */
  column: ColumnName | null;
}

/** Reports a problem of a row, in one column or as a whole. */
export type Report = (message: Text, column?: ColumnName) => void;

export function describePlace(
  word: RowWord,
  row: number,
  column?: ColumnName,
): { path: string; place: Text } {
  const path = [`${word} ${row}`, column].filter((part) => part !== undefined).join(", ");
  const behind = column === undefined ? "" : `, ${FIELDS[column].words.el} (${column})`;
  return { path, place: { en: path, el: `γραμμή ${row}${behind}` } };
}

export function rowProblem(word: RowWord, row: number, message: Text, column?: ColumnName): RowProblem {
  return { ...describePlace(word, row, column), message, row, column: column ?? null };
}

/** Collects the problems of row `row` in `problems`. */
export function createReport(word: RowWord, row: number, problems: RowProblem[]): Report {
  return (message, column) => void problems.push(rowProblem(word, row, message, column));
}
