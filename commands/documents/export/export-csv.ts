/** Writes an export as CSV. The defaults suit a Greek spreadsheet: semicolons, decimal commas, a byte order mark. */
import type { DocumentExport, ExportedDocument } from "../../../src/books/export-documents.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import type { Output } from "../../output-file.ts";
import { BYTE_ORDER_MARK, csvRow, type Separator, withoutFormula } from "../../ui/csv.ts";
import { EXPORT_COLUMNS, type ExportColumn } from "./export-columns.ts";
import { type TotalLine, totalLines } from "./print-totals.ts";

export interface CsvDialect {
  separator: Separator;
  decimal: "." | ",";
}

/** Rows are buffered, because a write for each would cost more than reading it. */
const BUFFER_CHARACTERS = 65_536;

export async function writeCsv(exported: DocumentExport, output: Output, dialect: CsvDialect): Promise<void> {
  const heads = EXPORT_COLUMNS.map(({ head }) => head);
  let pending = BYTE_ORDER_MARK + csvRow(heads, dialect.separator);
  for await (const document of exported.documents) {
    const cells = EXPORT_COLUMNS.map((column) => cellOf(column, document, dialect));
    pending += csvRow(cells, dialect.separator);
    if (pending.length < BUFFER_CHARACTERS) continue;
    await output.write(pending);
    pending = "";
  }
  await output.write(pending);
}

function cellOf(column: ExportColumn, document: ExportedDocument, { decimal }: CsvDialect): string {
  const value = column.value(document);
  if (value === null) return "";
  if (typeof value === "string") return withoutFormula(value);
  return column.kind === "amount" ? formatEuro(value, decimal) : String(value);
}

const TOTAL_HEADS = ["total", "documents", "cancelled", "net", "vat", "gross"] as const;

/** Writes the `--totals` file: a row for each type and each VAT category, and one for all. */
export async function writeTotalsCsv(
  exported: DocumentExport,
  output: Output,
  dialect: CsvDialect,
): Promise<void> {
  const rows = totalLines(exported.totals()).map((line) => totalCells(line, dialect));
  const text = [[...TOTAL_HEADS], ...rows].map((cells) => csvRow(cells, dialect.separator)).join("");
  await output.write(BYTE_ORDER_MARK + text);
}

function totalCells(line: TotalLine, { decimal }: CsvDialect): string[] {
  const count = (value: number | null) => (value === null ? "" : String(value));
  const amounts = [line.net, line.vat, line.gross].map((cents) => formatEuro(cents, decimal));
  return [line.name.en, count(line.documents), count(line.cancelled), ...amounts];
}
