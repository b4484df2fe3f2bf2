/** The columns of a table of documents (CSV or workbook), and the other names that a file may use for them. */

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

/** Other names and values that a file uses for our columns, and values that it leaves out. */
export interface ForeignNames {
  /** Column by folded name (see `foldName`). */
  columns: ReadonlyMap<string, ColumnName>;
  /** Folded names of columns to ignore. */
  ignored: ReadonlySet<string>;
  /** Ignore every unknown column. */
  ignoresRest: boolean;
  /** Used where a cell is blank or the column is missing. */
  defaults: ReadonlyMap<ColumnName, string>;
  /** For each column, our value by folded cell. */
  values: ReadonlyMap<ColumnName, ReadonlyMap<string, string>>;
}

export const NO_FOREIGN_NAMES: ForeignNames = {
  columns: new Map(),
  ignored: new Set(),
  ignoresRest: false,
  defaults: new Map(),
  values: new Map(),
};

/** Normalises a name or value for comparison: letter case and surplus white space do not matter. */
export function foldName(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
}

const KNOWN: ReadonlySet<string> = new Set(FILE_COLUMNS);

function isColumnName(name: string): name is ColumnName {
  return KNOWN.has(name);
}

/** The column that a header cell names; null for an ignored one, undefined for an unknown one. */
export function findColumn(cell: string, names: ForeignNames): ColumnName | null | undefined {
  const name = foldName(cell);
  const mapped = names.columns.get(name);
  if (mapped !== undefined) return mapped;
  if (isColumnName(name)) return name;
  return names.ignored.has(name) || names.ignoresRest ? null : undefined;
}

/** How many of the cells name a column. */
export function countColumns(cells: readonly string[], names: ForeignNames = NO_FOREIGN_NAMES): number {
  return cells.filter((cell) => (findColumn(cell, names) ?? null) !== null).length;
}

/** Most letters that a typing error may change, and never more than a third of the name. */
const TYPOS_MAX = 3;

/** The column whose name `name` probably misspells; undefined where none is close enough. */
export function findNearestColumn(name: string): ColumnName | undefined {
  const written = name.slice(0, 40).replace(/[ -]/g, "_");
  let nearest: { column: ColumnName; typos: number } | undefined;
  for (const column of FILE_COLUMNS) {
    const typos = editDistance(written, column);
    const allowed = Math.min(TYPOS_MAX, Math.max(1, Math.floor(column.length / 3)));
    if (typos <= allowed && (nearest === undefined || typos < nearest.typos)) nearest = { column, typos };
  }
  return nearest?.column;
}

/** Levenshtein distance: how many letters to insert, delete or replace. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
