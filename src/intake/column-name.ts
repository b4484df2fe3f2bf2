/** The columns of a table of documents (CSV or workbook). */

/** Columns about the whole document: filled in its first row, repeated or blank in the others. */
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

/** All columns in the order of docs/contract.md#csv-columns, which templates use; a file may have any order. */
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

/** Columns that files may have as well, but templates do not. */
const FURTHER_COLUMNS = ["unit_price_gross", "supplier_tax_id"] as const;

/** Every column that a file may have. */
export const FILE_COLUMNS = [...COLUMNS, ...FURTHER_COLUMNS] as const;
export type ColumnName = (typeof FILE_COLUMNS)[number];
