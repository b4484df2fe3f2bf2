/** From a field of the document back to the cell that it was read from. */
import type { Problem } from "../foundation/errors.ts";
import { textOf } from "../foundation/text.ts";
import type { ColumnName, RowWord } from "./csv-columns.ts";
import { type RowProblem, rowProblem } from "./csv-row.ts";

/** Where the parts of a document stand in its file. */
export interface Places {
  word: RowWord;
  /** The row that says what belongs to the whole document. */
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

/** The problem as one of the file; undefined where no cell says what is wrong. */
export function placeProblem(problem: Problem, places: Places): RowProblem | undefined {
  const { word, first, rows } = places;
  const [, index, field] = LINE_PATH.exec(problem.path) ?? [];
  if (index !== undefined) {
    const row = rows[Number(index)];
    if (row === undefined) return undefined;
    return rowProblem(
      word,
      row,
      textOf(problem.message).en,
      field === undefined ? undefined : LINE_FIELDS[field],
    );
  }
  const column = DOCUMENT_FIELDS[problem.path.replace(/\[\d+\].*$/, "")];
  return column === undefined ? undefined : rowProblem(word, first, textOf(problem.message).en, column);
}
