/** Builds the body of one document from the table rows with its reference, and maps its problems back to their cells. */
import type { Supplier } from "../numbering/counters.ts";
import { GROSS_MAX, LINES_MAX } from "../domain/document-codes.ts";
import { normaliseTaxCode } from "../domain/tax-number.ts";
import { computeExactTotals } from "../domain/totals.ts";
import type { Decimals } from "./csv-dialect.ts";
import { type DocumentCells, type LineInput, readDocumentCells, readLines } from "./read-row.ts";
import { DOCUMENT_COLUMNS, fieldOf, FIELDS, writeField, type ColumnName, findField } from "./table-fields.ts";
import { createReport, type Report, type RowProblem, rowProblem } from "./table-header.ts";
import { cellOf, checkCells, type PlacedRow } from "./table-row.ts";
import type { Text } from "../foundation/text.ts";
import { checkDocumentInput } from "../domain/canonical-document.ts";
import type { Problem } from "../foundation/errors.ts";

/** The body of POST /documents without `merchant`, not yet validated. */
export interface TableBody {
  document: Readonly<Record<string, unknown>>;
  external_reference: string;
  series?: string;
  number?: number;
}

/** One document of a table, or its problems. `line` is its first row. */
export type TableDocument =
  | { reference: string; line: number; body: TableBody; places: Places }
  /** `reference` is null where the row has none. */
  | { reference: string | null; line: number; problems: RowProblem[] };

/** The table around a document. */
interface TableContext {
  decimals: Decimals;
  supplier: Supplier;
  /** Today in Athens, `YYYY-MM-DD`. */
  today: string;
}

export type Draft = ReturnType<typeof createDraft>;

/** `faults` are problems known before the first row is read. */
export function createDraft(
  table: TableContext,
  reference: string | null,
  line: number,
  faults: readonly RowProblem[],
) {
  const problems: RowProblem[] = [...faults];
  const lines: LineInput[] = [];
  const places: Places = { first: line, rows: [] };
  let rows = 0;
  let cells: DocumentCells | undefined;

  /** Adds the next row of the document, or a following row without a reference. */
  function add(row: PlacedRow): void {
    rows += 1;
    const report = createReport(row.line, problems);
    // Rows above the limit are dropped, so that no document fills the memory.
    if (rows > LINES_MAX) {
      if (rows === LINES_MAX + 1) report(TOO_MANY_LINES);
      return;
    }
    if (row.shift !== undefined) return report(row.shift);
    if (cellOf(row, "reference") === "") return report(NO_REFERENCE, "reference");
    if (!checkCells(row, report)) return;
    const own = readDocumentCells(row, report, rows === 1);
    if (rows === 1) checkFirstRow(own, report);
    else if (cells !== undefined) checkSame(cells, own, line, report);
    cells ??= own;
    for (const item of readLines(row, table.decimals, report) ?? []) {
      lines.push(item);
      places.rows.push(row.line);
    }
  }

  return {
    reference,
    add,
    finish(): TableDocument {
      const totals = computeExactTotals(lines);
      if (totals.gross > BigInt(GROSS_MAX)) {
        const message = {
          en: "has lines that add up to more than a document may contain",
          el: "έχει γραμμές με άθροισμα μεγαλύτερο από όσο επιτρέπεται σε ένα παραστατικό",
        };
        problems.push(rowProblem(line, message));
      }
      if (reference === null || cells === undefined) return { reference, line, problems };
      const { net, vat, gross } = totals;
      const sums = { net: Number(net), vat: Number(vat), gross: Number(gross) };
      const dated = { ...cells, issue_date: cells.issue_date || table.today };
      const body = buildBody(table.supplier, reference, dated, lines, sums);
      if (problems.length === 0) return { reference, line, body, places };
      // The rest of the document is checked too, so that all of its problems can be corrected at once.
      return { reference, line, problems: addDocumentProblems(problems, body.document, places, table.today) };
    },
  };
}

const TOO_MANY_LINES: Text = {
  en: `is one row more than the ${LINES_MAX} lines that a document may have`,
  el: `υπερβαίνει τις ${LINES_MAX} γραμμές που μπορεί να έχει ένα παραστατικό`,
};
const NO_REFERENCE: Text = {
  en: "is empty; write the document's reference in each of its rows",
  el: "είναι κενό· γράψτε την αναφορά του παραστατικού σε κάθε γραμμή του",
};

function checkFirstRow(cells: DocumentCells, report: Report): void {
  if (cells.type === "") {
    const message = {
      en: "is empty in the first row of the document",
      el: "είναι κενό στην πρώτη γραμμή του παραστατικού",
    };
    report(message, "type");
  }
  // Excel treats a tax number as an amount. Padding it again could produce the number of another business.
  const { country, code } = taxIdOf(cells);
  if (country === "GR" && code !== undefined && /^[0-9]{8}$/.test(normaliseTaxCode(code))) {
    const message = {
      en: "has 8 digits; a spreadsheet may have dropped the leading zero: format the column as text and write all 9",
      el: "έχει 8 ψηφία· ίσως το λογιστικό φύλλο αφαίρεσε το αρχικό μηδέν: μορφοποιήστε τη στήλη ως κείμενο και γράψτε και τα 9",
    };
    report(message, "customer_tax_id");
  }
}

/** Blank means the same as in the first row. Any other difference is refused, because either value could be right. */
function checkSame(first: DocumentCells, own: DocumentCells, line: number, report: Report): void {
  for (const column of DOCUMENT_COLUMNS) {
    const value = own[column];
    if (value === "" || value === undefined || first[column] === undefined || value === first[column])
      continue;
    const message = {
      en: `differs from line ${line}; the rows of a document must agree, or leave it blank after the first`,
      el: `διαφέρει από τη γραμμή ${line}· οι γραμμές ενός παραστατικού πρέπει να συμφωνούν ή να το αφήνουν κενό μετά την πρώτη`,
    };
    report(message, column);
  }
}

function buildBody(
  supplier: Supplier,
  reference: string,
  cells: DocumentCells,
  lines: readonly LineInput[],
  totals: { net: number; vat: number; gross: number },
): TableBody {
  const { payment_method: method } = cells;
  const body: TableBody = {
    document: {
      type: cells.type,
      issue_date: cells.issue_date,
      currency: "EUR",
      // Without the merchant's name: after a change of name, a second run would differ under the same reference.
      supplier: { tax_id: { country: "GR", code: supplier.taxId }, branch: supplier.branch },
      ...(CUSTOMER_COLUMNS.some((column) => cells[column]) ? { customer: { tax_id: taxIdOf(cells) } } : {}),
      lines,
      ...(method ? { payments: [{ method, amount: totals.gross }] } : {}),
      totals,
    },
    external_reference: reference,
  };
  for (const column of DOCUMENT_COLUMNS) {
    const text = cells[column];
    if (text && !fieldOf(column).isBuilt) writeField(body, column, text);
  }
  return body;
}

const CUSTOMER_COLUMNS = DOCUMENT_COLUMNS.filter((column) =>
  FIELDS[column].path.startsWith("document.customer."),
);

export const GREEK_PREFIX = /^(?:EL|GR)(?=\s?[0-9])/i;

/** A customer is Greek unless the row names another country. A Greek number loses its prefix. */
function taxIdOf(cells: DocumentCells): { country: string; code?: string } {
  const country = cells.customer_country || "GR";
  const code = cells.customer_tax_id;
  if (!code) return { country };
  return { country, code: country === "GR" ? code.replace(GREEK_PREFIX, "") : code };
}

/** Where a document is in its file. */
export interface Places {
  /** The first row, which has the values of the whole document. */
  first: number;
  /** The row of each line item. */
  rows: number[];
}

/** The problem at its cell; undefined where no cell holds the field. */
export function placeProblem({ path, message }: Problem, { first, rows }: Places): RowProblem | undefined {
  const { column, line } = findField(path);
  const row = line === undefined ? first : rows[line];
  if (row === undefined || (line === undefined && column === undefined)) return undefined;
  return rowProblem(row, message, column);
}

/**
 * Adds to `known` the problems of `document`, which was built from the cells that could be read. Leaves out consequences:
 * problems in a cell known to be wrong, or in the same customer. Returns all in the order of the rows.
 */
function addDocumentProblems(
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
