/** Writes an export as CSV. The defaults suit a Greek spreadsheet: semicolons, decimal commas, a byte order mark. */
import type { DocumentExport } from "../../../src/books/export-documents.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import type { Output } from "../../output-file.ts";
import { BYTE_ORDER_MARK, csvRow, type Separator, withoutFormula } from "../../../src/foundation/csv.ts";
import { type ExportColumn, type ExportForm, groupRows } from "./export-columns.ts";
import { type TotalLine, totalLines } from "./print-totals.ts";

export interface CsvDialect {
  form: ExportForm;
  separator: Separator;
  decimal: "." | ",";
}

/** Rows are buffered, because a write for each would cost more than reading it. */
const BUFFER_CHARACTERS = 65_536;

/** Writes the documents and, where a file is given for them, the groups of their lines. */
export async function writeCsv(
  exported: DocumentExport,
  { output, groups }: { output: Output; groups: Output | undefined },
  dialect: CsvDialect,
): Promise<void> {
  const documentSheet = startSheet(output, dialect.form.documents, dialect);
  const groupSheet = groups === undefined ? undefined : startSheet(groups, dialect.form.groups, dialect);
  for await (const document of exported.documents) {
    await documentSheet.add([document]);
    await groupSheet?.add(groupRows(document));
  }
  await documentSheet.flush();
  await groupSheet?.flush();
}

function startSheet<Row>(output: Output, columns: readonly ExportColumn<Row>[], dialect: CsvDialect) {
  const heads = columns.map(({ head }) => head);
  let pending = BYTE_ORDER_MARK + csvRow(heads, dialect.separator);
  const flush = async () => {
    await output.write(pending);
    pending = "";
  };
  return {
    async add(rows: readonly Row[]) {
      for (const row of rows)
        pending += csvRow(
          columns.map((column) => cellOf(column, row, dialect)),
          dialect.separator,
        );
      if (pending.length >= BUFFER_CHARACTERS) await flush();
    },
    flush,
  };
}

function cellOf<Row>(column: ExportColumn<Row>, row: Row, { decimal }: CsvDialect): string {
  const value = column.value(row);
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
  const text = [TOTAL_HEADS.map(dialect.form.headOf), ...rows]
    .map((cells) => csvRow(cells, dialect.separator))
    .join("");
  await output.write(BYTE_ORDER_MARK + text);
}

function totalCells(line: TotalLine, { decimal, form }: CsvDialect): string[] {
  const count = (value: number | null) => (value === null ? "" : String(value));
  const amounts = [line.net, line.vat, line.gross].map((cents) => formatEuro(cents, decimal));
  return [form.say(line.name), count(line.documents), count(line.cancelled), ...amounts];
}
