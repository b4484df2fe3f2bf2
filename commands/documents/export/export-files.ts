/** Writes an export as JSON, as an Excel workbook, or as CSV, whose defaults suit a Greek spreadsheet (semicolons, decimal commas, a byte order mark). */
import type { DocumentExport, ExportTotals } from "../../../src/books/export-documents.ts";
import { csvCell, encodeWorkbook, type ReportCell } from "../../../src/books/report-sheets.ts";
import { UsageError } from "../../exit.ts";
import type { Output } from "../../output-files.ts";
import { type Separator, startCsv } from "../../../src/foundation/csv.ts";
import {
  EXPORT_COLUMNS,
  type ExportColumn,
  GROUP_COLUMNS,
  groupRows,
  totalColumns,
  type TotalLine,
  totalLines,
} from "./export-columns.ts";
import { type Clients, greekRows, greekSheetName } from "../../../src/operations/greek-files.ts";
import { CREDIT_NOTE_TYPES } from "../../../src/domain/document-types.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { outputSettingsOf, printNote, type ProgramIo } from "../../io.ts";
import { amountText, type Column, countText } from "../../../src/operations/view.ts";
import { writeJsonItems } from "../../ui/json.ts";
import { printTable } from "../../ui/table.ts";

/** Document by document, so that the whole object is never in memory. */
export function writeJson({ documents, totals }: DocumentExport, output: Output): Promise<void> {
  const rest = () => ({ totals: totals() });
  return writeJsonItems(output.write, { object: "export", name: "documents", items: documents, rest });
}

/** In Greek with `clients`, in English without. */
export interface CsvForm {
  clients: Clients | undefined;
  separator: Separator;
  decimal: "." | ",";
}

/** Writes the documents and, where files are given for them, the groups of their lines and the totals. */
export async function writeCsv(
  exported: DocumentExport,
  files: { output: Output; groups: Output | undefined; totals: Output | undefined },
  { clients, separator, decimal }: CsvForm,
): Promise<void> {
  const start = <Row>(file: Output, columns: readonly ExportColumn<Row>[]) => {
    const { heads, cellsOf } = rowsOf(columns, clients);
    const { add, flush } = startCsv(file, heads, separator);
    return { flush, add: (row: Row) => add(cellsOf(row).map((cell) => csvCell(cell, decimal))) };
  };
  const documents = start(files.output, EXPORT_COLUMNS);
  const groups = files.groups && start(files.groups, GROUP_COLUMNS);
  for await (const document of exported.documents) {
    await documents.add(document);
    if (groups !== undefined) for (const group of groupRows(document)) await groups.add(group);
  }
  const totals = files.totals && start(files.totals, totalColumns(saying(clients)));
  for (const line of totalLines(exported.totals())) await totals?.add(line);
  for (const sheet of [documents, groups, totals]) await sheet?.flush();
}

/** The heads of the columns, and the cells of a row, translated. `read` changes a cell before. */
function rowsOf<Row, Cell = ReportCell>(
  columns: readonly ExportColumn<Row>[],
  clients: Clients | undefined,
  read: (cell: ReportCell, head: string) => Cell = (cell) => cell as Cell,
) {
  const heads = columns.map(({ head }) => head);
  const cellsOf = (row: Row) => columns.map(({ head, value }) => read(value(row), head));
  if (clients === undefined) return { heads, cellsOf };
  const greek = greekRows(heads, clients);
  return { heads: greek.heads, cellsOf: (row: Row) => greek.cellsOf(cellsOf(row)) };
}

function saying(clients: Clients | undefined): (text: Text) => string {
  return ({ en, el }) => (clients === undefined ? en : el);
}

/** A workbook is kept in memory: 50 000 rows took 700 MB. Excel's own limit is 1 048 576. */
const XLSX_ROWS_MAX = 50_000;

/** Throws a usage error for more documents, or groups of lines, than a workbook can have. */
export async function writeXlsx(
  exported: DocumentExport,
  output: Output,
  clients: Clients | undefined,
): Promise<void> {
  const documents = sheetOf("documents", EXPORT_COLUMNS, clients);
  const groups = sheetOf("groups", GROUP_COLUMNS, clients);
  for await (const document of exported.documents) {
    if (documents.rows.length >= XLSX_ROWS_MAX || groups.rows.length >= XLSX_ROWS_MAX)
      throw new UsageError({
        en: `there are more than ${XLSX_ROWS_MAX} documents or groups of lines, too many for a workbook: use --format csv, or fewer days`,
        el: `τα παραστατικά ή οι ομάδες γραμμών είναι πάνω από ${XLSX_ROWS_MAX}, πολλά για βιβλίο εργασίας: χρησιμοποιήστε --format csv ή λιγότερες ημέρες`,
      });
    documents.add(document);
    groupRows(document).forEach(groups.add);
  }
  const say = saying(clients);
  const totals = sheetOf("totals", totalColumns(say), clients);
  totalLines(exported.totals()).forEach(totals.add);
  totals.rows.push([], [say(TOTALS_NOTE)]);
  await output.write(await encodeWorkbook([documents, groups, totals]));
}

function sheetOf<Row>(name: string, columns: readonly ExportColumn<Row>[], clients: Clients | undefined) {
  const { heads, cellsOf } = rowsOf(columns, clients, (cell, head) =>
    head === "issue_date" ? new Date(`${cell}T00:00:00Z`) : cell,
  );
  const rows: (ReportCell | Date)[][] = [];
  const add = (row: Row) => void rows.push(cellsOf(row));
  return { name: clients === undefined ? name : greekSheetName(name), heads, rows, add };
}

const TOTALS_NOTE: Text = {
  en: `In euro. Credit notes (${CREDIT_NOTE_TYPES.join(", ")}) are subtracted; cancelled documents are not included.`,
  el: `Σε ευρώ. Τα πιστωτικά (${CREDIT_NOTE_TYPES.join(", ")}) αφαιρούνται, όσα ακυρώθηκαν δεν μετρούν.`,
};

const COLUMNS: readonly Column<TotalLine>[] = [
  { head: { en: "total", el: "σύνολο" }, value: ({ total }) => total },
  {
    head: { en: "documents", el: "παραστατικά" },
    leaveOut: 2,
    align: "right",
    value: ({ documents }) => (documents === null ? "" : countText(documents)),
  },
  {
    head: { en: "cancelled", el: "ακυρώθηκαν" },
    leaveOut: 1,
    align: "right",
    value: ({ cancelled }) => (cancelled === null ? "" : countText(cancelled)),
  },
  { head: { en: "net", el: "καθαρή αξία" }, align: "right", value: ({ net }) => amountText(net) },
  { head: { en: "vat", el: "ΦΠΑ" }, align: "right", value: ({ vat }) => amountText(vat) },
  { head: { en: "gross", el: "σύνολο" }, align: "right", value: ({ gross }) => amountText(gross) },
];

/** Prints the totals to stderr, because stdout carries the documents. */
export async function printTotals(io: ProgramIo, totals: ExportTotals): Promise<void> {
  if (outputSettingsOf(io).quiet) return;
  await printTable(io, COLUMNS, totalLines(totals), { stream: io.stderr });
  await printNote(io, TOTALS_NOTE);
}
