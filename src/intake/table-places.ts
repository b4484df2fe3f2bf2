/** Maps the problems of a document back to the cells it was read from. */
import { checkDocumentInput } from "../domain/canonical-document.ts";
import type { Problem } from "../foundation/errors.ts";
import type { ColumnName } from "./column-name.ts";
import { type RowProblem, rowProblem, type RowWord } from "./table-problem.ts";

/** Where a document is in its file. */
export interface Places {
  word: RowWord;
  /** The first row, which has the values of the whole document. */
  first: number;
  /** The row of each line item. */
  rows: number[];
}

const DOCUMENT_FIELDS: Readonly<Record<string, ColumnName>> = {
  external_reference: "reference",
  series: "series",
  number: "number",
  "document.type": "type",
  "document.issue_date": "issue_date",
  "document.customer": "customer_tax_id",
  "document.customer.tax_id": "customer_tax_id",
  "document.customer.tax_id.country": "customer_country",
  "document.customer.tax_id.code": "customer_tax_id",
  "document.customer.name": "customer_name",
  "document.customer.address": "customer_postal_code",
  "document.customer.address.street": "customer_street",
  "document.customer.address.number": "customer_street_number",
  "document.customer.address.postal_code": "customer_postal_code",
  "document.customer.address.city": "customer_city",
  "document.customer.branch": "customer_branch",
  "document.original_marks": "original_marks",
  "document.payments": "payment_method",
};

const LINE_FIELDS: Readonly<Record<string, ColumnName>> = {
  description: "description",
  quantity: "quantity",
  unit: "unit",
  unit_price: "unit_price",
  vat_category: "vat_category",
  vat_exemption: "vat_exemption",
  income_classification: "income_category",
  "income_classification.category": "income_category",
  "income_classification.type": "income_type",
};

const LINE_PATH = /^document\.lines\[(\d+)\](?:\.(.+))?$/;

/** The problem at its cell; undefined where no cell holds the field. */
export function placeProblem(problem: Problem, places: Places): RowProblem | undefined {
  const { word, first, rows } = places;
  const { message } = problem;
  const [, index, field] = LINE_PATH.exec(problem.path) ?? [];
  if (index !== undefined) {
    const row = rows[Number(index)];
    const column = field === undefined ? undefined : LINE_FIELDS[field];
    return row === undefined ? undefined : rowProblem(word, row, message, column);
  }
  const column = DOCUMENT_FIELDS[problem.path.replace(/\[\d+\].*$/, "")];
  return column === undefined ? undefined : rowProblem(word, first, message, column);
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
