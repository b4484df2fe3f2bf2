/** Writes an export as an Excel workbook, or as CSV, whose defaults suit a Greek spreadsheet (semicolons, decimal commas, a byte order mark), and its totals. */
import type { DocumentExport, ExportTotals } from "../../../src/books/export-documents.ts";
import { csvCell, encodeWorkbook, type ReportCell } from "../../../src/books/report-sheets.ts";
import { UsageError } from "../../exit.ts";
import type { Output } from "../../output-files.ts";
import { type Separator, startCsv } from "../../../src/foundation/csv.ts";
import { type ExportColumn, type ExportForm, groupRows } from "./export-columns.ts";
import { CREDIT_NOTE_TYPES } from "../../../src/domain/document-types.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { outputSettingsOf, printNote, type ProgramIo } from "../../io.ts";
import { amountText, type Column, countText } from "../../../src/operations/view.ts";
import { printTable } from "../../ui/table.ts";

export interface CsvDialect {
  form: ExportForm;
  separator: Separator;
  decimal: "." | ",";
}

/** Writes the documents and, where a file is given for them, the groups of their lines. */
export async function writeCsv(
  exported: DocumentExport,
  { output, groups }: { output: Output; groups: Output | undefined },
  { form, separator, decimal }: CsvDialect,
): Promise<void> {
  const start = (file: Output, columns: readonly { head: string }[]) =>
    startCsv(
      file,
      columns.map(({ head }) => head),
      separator,
    );
  const cellsOf = <Row>(columns: readonly ExportColumn<Row>[], row: Row) =>
    columns.map(({ value }) => csvCell(value(row), decimal));
  const documentSheet = start(output, form.documents);
  const groupSheet = groups && start(groups, form.groups);
  for await (const document of exported.documents) {
    await documentSheet.add(cellsOf(form.documents, document));
    if (groupSheet !== undefined)
      for (const group of groupRows(document)) await groupSheet.add(cellsOf(form.groups, group));
  }
  await documentSheet.flush();
  await groupSheet?.flush();
}

const TOTAL_HEADS = ["total", "documents", "cancelled", "net", "vat", "gross"] as const;

/** Writes the `--totals` file: a row for each type and each VAT category, and one for all. */
export async function writeTotalsCsv(
  exported: DocumentExport,
  output: Output,
  { form, separator, decimal }: CsvDialect,
): Promise<void> {
  const { add, flush } = startCsv(output, TOTAL_HEADS.map(form.headOf), separator);
  for (const row of totalRows(exported, form)) await add(row.map((cell) => csvCell(cell, decimal)));
  await flush();
}

function totalRows(exported: DocumentExport, form: ExportForm): ReportCell[][] {
  return totalLines(exported.totals()).map(({ name, documents, cancelled, net, vat, gross }) => [
    form.say(name),
    documents,
    cancelled,
    net,
    vat,
    gross,
  ]);
}

/** A workbook is kept in memory: 50 000 rows took 700 MB. Excel's own limit is 1 048 576. */
const XLSX_ROWS_MAX = 50_000;

/** Throws a usage error for more documents, or groups of lines, than a workbook can have. */
export async function writeXlsx(exported: DocumentExport, output: Output, form: ExportForm): Promise<void> {
  const documents: (ReportCell | Date)[][] = [];
  const groups: (ReportCell | Date)[][] = [];
  for await (const document of exported.documents) {
    if (documents.length >= XLSX_ROWS_MAX || groups.length >= XLSX_ROWS_MAX)
      throw new UsageError({
        en: `there are more than ${XLSX_ROWS_MAX} documents or groups of lines, too many for a workbook: use --format csv, or fewer days`,
        el: `τα παραστατικά ή οι ομάδες γραμμών είναι πάνω από ${XLSX_ROWS_MAX}, πολλά για βιβλίο εργασίας: χρησιμοποιήστε --format csv ή λιγότερες ημέρες`,
      });
    documents.push(workbookRow(form.documents, document));
    for (const group of groupRows(document)) groups.push(workbookRow(form.groups, group));
  }
  const headsOf = (columns: readonly { head: string }[]) => columns.map(({ head }) => head);
  const totals = [...totalRows(exported, form), [], [form.say(TOTALS_NOTE)]];
  const workbook = await encodeWorkbook([
    { name: form.sheetName("documents"), heads: headsOf(form.documents), rows: documents },
    { name: form.sheetName("groups"), heads: headsOf(form.groups), rows: groups },
    { name: form.sheetName("totals"), heads: TOTAL_HEADS.map(form.headOf), rows: totals },
  ]);
  await output.write(workbook);
}

function workbookRow<Row>(columns: readonly ExportColumn<Row>[], row: Row): (ReportCell | Date)[] {
  return columns.map(({ isDay, value }) => {
    const cell = value(row);
    return isDay === true ? new Date(`${cell}T00:00:00Z`) : cell;
  });
}

/** In cents. Documents are counted only by type. */
interface TotalLine {
  name: Text;
  documents: number | null;
  cancelled: number | null;
  net: bigint;
  vat: bigint;
  gross: bigint;
}

function totalLines(totals: ExportTotals): TotalLine[] {
  const ofTypes = totals.by_type.map(({ type, ...sums }) => ({
    name: { en: `type ${type}`, el: `τύπος ${type}` },
    ...sums,
  }));
  const ofVat = totals.by_vat.map(({ category, rate_percent, net, vat }) => ({
    name: { en: `VAT ${rate_percent}% (${category})`, el: `ΦΠΑ ${rate_percent}% (${category})` },
    documents: null,
    cancelled: null,
    net,
    vat,
    gross: net + vat,
  }));
  return [...ofTypes, sumOf(ofTypes), ...ofVat];
}

const ALL: Text = { en: "all", el: "όλα" };

function sumOf(lines: readonly TotalLine[]): TotalLine {
  const sum: TotalLine = { name: ALL, documents: 0, cancelled: 0, net: 0n, vat: 0n, gross: 0n };
  for (const line of lines) {
    sum.documents = (sum.documents ?? 0) + (line.documents ?? 0);
    sum.cancelled = (sum.cancelled ?? 0) + (line.cancelled ?? 0);
    sum.net += line.net;
    sum.vat += line.vat;
    sum.gross += line.gross;
  }
  return sum;
}

const TOTALS_NOTE: Text = {
  en: `In euro. Credit notes (${CREDIT_NOTE_TYPES.join(", ")}) are subtracted; cancelled documents are not included.`,
  el: `Σε ευρώ. Τα πιστωτικά (${CREDIT_NOTE_TYPES.join(", ")}) αφαιρούνται, όσα ακυρώθηκαν δεν μετρούν.`,
};

const COLUMNS: readonly Column<TotalLine>[] = [
  { head: { en: "total", el: "σύνολο" }, value: ({ name }) => name },
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
