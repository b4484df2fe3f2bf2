/** The columns of a CSV file (decisions 13) and where a file has them. */
import { type Problem, validationError } from "../errors.ts";

/** What a document says once: in its first row, and in the others again or not at all. */
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

/** All of them, in the order of the decisions: the order of templates, too. A file may have another. */
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
export type ColumnName = (typeof COLUMNS)[number];

/** Without these no document can be made; a document's type and date stand in its first row, the rest in every row. */
const REQUIRED: readonly ColumnName[] = [
  ...(["reference", "type", "issue_date"] as const),
  ...(["description", "quantity", "unit_price", "vat_category"] as const),
];

/** Where a file has its columns. */
export interface Header {
  /** How many cells the header row has, those without a name counted. */
  width: number;
  /** The cell of each column that the file has, from 0. */
  places: ReadonlyMap<ColumnName, number>;
  /** Cells of the header row that are blank: nothing may stand below them. */
  unnamed: readonly number[];
}

const KNOWN: ReadonlySet<string> = new Set(COLUMNS);

function isColumnName(name: string): name is ColumnName {
  return KNOWN.has(name);
}

/** Reads the header row `cells`, which stands in `line`. Throws `validation_failed` with all that is wrong with it. */
export function readHeader(cells: readonly string[], line: number): Header {
  const places = new Map<ColumnName, number>();
  const unnamed: number[] = [];
  const problems: Problem[] = [];
  const report = (message: string) => problems.push({ path: `line ${line}`, message });
  for (const [index, cell] of cells.entries()) {
    const name = columnNameOf(cell);
    if (name === "") unnamed.push(index);
    else if (!isColumnName(name)) report(describeUnknown(name));
    else if (places.has(name)) report(`has the column ${name} twice`);
    else places.set(name, index);
  }
  const missing = REQUIRED.filter((name) => !places.has(name));
  if (missing.length > 0) report(`has no column ${missing.join(", ")}`);
  if (problems.length > 0) throw validationError(problems);
  return { width: cells.length, places, unnamed };
}

/** Case and the space around a name do not count. */
function columnNameOf(cell: string): string {
  return cell.trim().toLowerCase();
}

/** How many cells of `cells` name a column. */
export function countColumns(cells: readonly string[]): number {
  return cells.filter((cell) => isColumnName(columnNameOf(cell))).length;
}

/** A header's cell may be anything, if the file has no header: it is named only where it looks like a name. */
const NAME_FORM = /^[\p{L}\p{N}_ -]{1,40}$/u;

function describeUnknown(name: string): string {
  const nearest = nearestColumn(name);
  const said = NAME_FORM.test(name) ? `has an unknown column, ${name}` : "has an unknown column";
  return nearest === undefined
    ? `${said}; the columns are ${COLUMNS.join(", ")}`
    : `${said}; did you mean ${nearest}?`;
}

/** A slip of the hand changes no more letters than these, and no more than a third of the name. */
const SLIPS_MAX = 3;

function nearestColumn(name: string): ColumnName | undefined {
  const written = name.slice(0, 40).replace(/[ -]/g, "_");
  let nearest: { column: ColumnName; slips: number } | undefined;
  for (const column of COLUMNS) {
    const slips = countSlips(written, column);
    const allowed = Math.min(SLIPS_MAX, Math.max(1, Math.floor(column.length / 3)));
    if (slips <= allowed && (nearest === undefined || slips < nearest.slips)) nearest = { column, slips };
  }
  return nearest?.column;
}

/** How many letters are to be put in, taken out or changed to make `right` of `left` (Levenshtein). */
function countSlips(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const changed = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
