/** Maps the problems of a document back to the cells it was read from. */
import { checkDocumentInput } from "../domain/canonical-document.ts";
import type { Problem } from "../foundation/errors.ts";
import { type ColumnName, findField } from "./table-fields.ts";
import { type RowProblem, rowProblem, type RowWord } from "./table-problem.ts";

/** Where a document is in its file. */
export interface Places {
  word: RowWord;
  /** The first row, which has the values of the whole document. */
  first: number;
  /** The row of each line item. */
  rows: number[];
}

/** The problem at its cell; undefined where no cell holds the field. */
export function placeProblem({ path, message }: Problem, places: Places): RowProblem | undefined {
  const { word, first, rows } = places;
  const { column, line } = findField(path);
  const row = line === undefined ? first : rows[line];
  if (row === undefined || (line === undefined && column === undefined)) return undefined;
  return rowProblem(word, row, message, column);
}

/**
 * Adds to `known` the problems of `document`, which was built from the cells that could be read. Leaves out consequences:
 * problems in a cell known to be wrong, or in the same customer. Returns all in the order of the rows.
 */
export function addDocumentProblems(
  known: readonly RowProblem[],
  document: unknown,
  places: Places,
  today: string,
): RowProblem[] {
  const checked = checkDocumentInput(document, { today, prefix: "document" });
  const found = ("problems" in checked ? checked.problems : checked.objections)
    .map((problem) => placeProblem(problem, places))
    .filter((problem) => problem !== undefined)
    .filter((problem) => !known.some((other) => isSamePlace(other, problem)));
  return [...known, ...found].toSorted((left, right) => left.row - right.row);
}

function isSamePlace(left: RowProblem, right: RowProblem): boolean {
  if (left.row !== right.row) return false;
  return left.column === null || right.column === null || groupOf(left.column) === groupOf(right.column);
}

function groupOf(column: ColumnName): string {
  if (column.startsWith("customer_")) return "customer";
  return column.startsWith("income_") ? "income" : column;
}
