/** Rows of one reference on their way to one body for the API. */
import { checkReadable } from "./csv-check.ts";
import { normaliseTaxCode } from "../domain/tax-number.ts";
import { DOCUMENT_COLUMNS, type Header } from "./csv-columns.ts";
import type { Decimals } from "./csv-dialect.ts";
import type { Places } from "./csv-places.ts";
import type { CsvRecord } from "./csv-records.ts";
import {
  type CsvLine,
  cellOf,
  checkCells,
  type DocumentCells,
  findShift,
  readDocumentCells,
  readLine,
  reporterOf,
  type Report,
  type RowProblem,
  rowProblem,
} from "./csv-row.ts";
import { computeExactTotals } from "../domain/totals.ts";
import { GROSS_MAX, LINES_MAX } from "../domain/document-codes.ts";

/** Who issues the documents of a file: the merchant, which a CSV file does not name. */
export interface CsvSupplier {
  /** The merchant's ΑΦΜ. */
  taxId: string;
  branch: number;
}

/** The body of POST /documents without `merchant`, not yet validated. */
export interface CsvBody {
  document: Readonly<Record<string, unknown>>;
  external_reference: string;
  series?: string;
  number?: number;
}

/** One document of a file, or what is wrong with it. `line` is where its first row begins. */
export type CsvDocument =
  | { reference: string; line: number; body: CsvBody; places: Places }
  /** `reference` is null where the row has none. */
  | { reference: string | null; line: number; problems: RowProblem[] };

/** What is known of the file around a document. */
export interface CsvFile {
  header: Header;
  decimals: Decimals;
  supplier: CsvSupplier;
  /** Today in Athens, `YYYY-MM-DD`. */
  today: string;
}

export interface Draft {
  reference: string | null;
  /** Takes the next row of the document, or one without a reference behind it. */
  add(record: CsvRecord): void;
  finish(): CsvDocument;
}

/** `faults` are known before the first row is read. */
export function createDraft(
  file: CsvFile,
  reference: string | null,
  line: number,
  faults: readonly RowProblem[],
): Draft {
  const problems: RowProblem[] = [...faults];
  const { header } = file;
  const lines: CsvLine[] = [];
  const places: Places = { word: header.word, first: line, rows: [] };
  let rows = 0;
  let cells: DocumentCells | undefined;

  function add(record: CsvRecord): void {
    rows += 1;
    // What is over the limit is not kept, so that no document fills the memory.
    if (rows > LINES_MAX) {
      const message = `is one row more than the ${LINES_MAX} lines that a document may have`;
      if (rows === LINES_MAX + 1) problems.push(rowProblem(header.word, record.line, message));
      return;
    }
    const report = reporterOf(header, record.line, problems);
    const shift = findShift(record, header);
    if (shift !== undefined) return report(shift);
    if (cellOf(record, header, "reference") === "") {
      return report("is empty; write the document's reference in each of its rows", "reference");
    }
    if (!checkCells(record, header, report)) return;
    const own = readDocumentCells(record, header, report, rows === 1);
    if (rows === 1) checkFirstRow(own, report);
    else if (cells !== undefined) checkSame(cells, own, `${header.word} ${line}`, report);
    cells ??= own;
    const item = readLine(record, header, file.decimals, report);
    if (item === undefined) return;
    lines.push(item);
    places.rows.push(record.line);
  }

  return {
    reference,
    add,
    finish() {
      const totals = computeExactTotals(lines);
      if (totals.gross > BigInt(GROSS_MAX)) {
        const message = "its lines add up to more than a document may hold";
        problems.push(rowProblem(header.word, line, message));
      }
      if (reference === null || cells === undefined) return { reference, line, problems };
      const { net, vat, gross } = totals;
      const sums = { net: Number(net), vat: Number(vat), gross: Number(gross) };
      const body = buildBody(file.supplier, reference, cells, lines, sums);
      if (problems.length === 0) return { reference, line, body, places };
      // What the file shows hides nothing of what the rules say about the rest: all of it is mended at once.
      return { reference, line, problems: checkReadable(body.document, problems, places, file.today) };
    },
  };
}

function checkFirstRow(cells: DocumentCells, report: Report): void {
  for (const column of ["type", "issue_date"] as const) {
    if (cells[column] === "") report("is empty in the first row of the document", column);
  }
  // Excel takes a tax number for an amount; one that is padded again could be another's.
  const { country, code } = taxIdOf(cells);
  if (country === "GR" && code !== undefined && /^[0-9]{8}$/.test(normaliseTaxCode(code))) {
    const message =
      "has 8 digits; a spreadsheet may have dropped the leading zero: format the column as text and write all 9";
    report(message, "customer_tax_id");
  }
}

/** A blank cell says the same as the first row; any other difference would be decided by chance. */
function checkSame(first: DocumentCells, own: DocumentCells, firstRow: string, report: Report): void {
  for (const column of DOCUMENT_COLUMNS) {
    const value = own[column];
    if (value === "" || value === undefined || first[column] === undefined || value === first[column])
      continue;
    report(
      `differs from ${firstRow}; the rows of a document must agree, or leave it blank after the first`,
      column,
    );
  }
}

function buildBody(
  supplier: CsvSupplier,
  reference: string,
  cells: DocumentCells,
  lines: readonly CsvLine[],
  totals: { net: number; vat: number; gross: number },
): CsvBody {
  const { series, number, payment_method: method, original_marks: marks } = cells;
  const customer = buildCustomer(cells);
  const document = {
    type: cells.type,
    issue_date: cells.issue_date,
    currency: "EUR",
    // Without the merchant's name: once that is changed, a second run would say something else under the same reference.
    supplier: { tax_id: { country: "GR", code: supplier.taxId }, branch: supplier.branch },
    ...(customer === undefined ? {} : { customer }),
    ...(marks ? { original_marks: marks.split(" ") } : {}),
    lines,
    ...(method ? { payments: [{ method, amount: totals.gross }] } : {}),
    totals,
  };
  return {
    document,
    external_reference: reference,
    ...(series ? { series } : {}),
    ...(number ? { number: Number(number) } : {}),
  };
}

/** Undefined where every cell of the customer is blank. */
function buildCustomer(cells: DocumentCells): Record<string, unknown> | undefined {
  const address = {
    ...(cells.customer_street ? { street: cells.customer_street } : {}),
    ...(cells.customer_street_number ? { number: cells.customer_street_number } : {}),
    ...(cells.customer_postal_code ? { postal_code: cells.customer_postal_code } : {}),
    ...(cells.customer_city ? { city: cells.customer_city } : {}),
  };
  const hasAddress = Object.keys(address).length > 0;
  const isNamed =
    cells.customer_country || cells.customer_tax_id || cells.customer_name || cells.customer_branch;
  if (!isNamed && !hasAddress) return undefined;
  return {
    tax_id: taxIdOf(cells),
    ...(cells.customer_name ? { name: cells.customer_name } : {}),
    ...(hasAddress ? { address } : {}),
    ...(cells.customer_branch ? { branch: Number(cells.customer_branch) } : {}),
  };
}

/** A customer is Greek unless the row says otherwise. The prefix of a Greek number is no part of it. */
function taxIdOf(cells: DocumentCells): { country: string; code?: string } {
  const country = cells.customer_country || "GR";
  const code = cells.customer_tax_id;
  if (!code) return { country };
  return { country, code: country === "GR" ? code.replace(/^(?:EL|GR)(?=\s?[0-9])/i, "") : code };
}
