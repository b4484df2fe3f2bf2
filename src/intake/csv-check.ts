/** What the rules say about a document of which some cells cannot be read. */
import { checkDocumentInput } from "../domain/canonical-document.ts";
import type { ColumnName } from "./csv-columns.ts";
import { type Places, placeProblem } from "./csv-places.ts";
import type { RowProblem } from "./csv-row.ts";

/**
 * `known` and what is wrong with the cells that can be read (`document` is made of these), in the order of the rows. What
 * stands in a row that is known to be wrong in the same column, or in a cell of the same customer, is a consequence and
 * left out.
 */
export function checkReadable(
  document: unknown,
  known: readonly RowProblem[],
  places: Places,
  today: string,
): RowProblem[] {
  const checked = checkDocumentInput(document, { today, prefix: "document" });
  if (!("problems" in checked)) return [...known];
  const found = checked.problems
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
