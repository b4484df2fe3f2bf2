/** Writes an export as JSON, as an Excel workbook, or as CSV, whose defaults suit a Greek spreadsheet (semicolons, decimal commas, a byte order mark). */
import type { DocumentExport, ExportTotals } from "../../../src/books/export-documents.ts";
import { csvCell, encodeWorkbook, type ReportCell } from "../../../src/books/report-sheets.ts";
import { UsageError } from "../../exit.ts";
import type { Output } from "../../output-files.ts";
import { type Separator, startCsv } from "../../../src/foundation/csv.ts";
import {
  type ExportColumn,
  type ExportForm,
  type GroupRow,
  groupRows,
  type TotalLine,
  totalLines,
} from "./export-columns.ts";
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

export interface CsvDialect {
  form: ExportForm;
  separator: Separator;
  decimal: "." | ",";
}

/** Writes the documents and, where files are given for them, the groups of their lines and the totals. */
export async function writeCsv(
  exported: DocumentExport,
  files: { output: Output; groups: Output | undefined; totals: Output | undefined },
  { form, separator, decimal }: CsvDialect,
): Promise<void> {
  const start = <Row>(file: Output, columns: readonly ExportColumn<Row>[]) => {
    const { add, flush } = startCsv(file, headsOf(columns), separator);
    return { flush, add: (row: Row) => add(columns.map(({ value }) => csvCell(value(row), decimal))) };
  };
  const documents = start(files.output, form.documents);
  const groups = files.groups && start(files.groups, form.groups);
  for await (const document of exported.documents) {
    await documents.add(document);
    if (groups !== undefined) for (const group of groupRows(document)) await groups.add(group);
  }
  const totals = files.totals && start(files.totals, form.totals);
  for (const line of totalLines(exported.totals())) await totals?.add(line);
  for (const sheet of [documents, groups, totals]) await sheet?.flush();
}

function headsOf(columns: readonly { head: string }[]): string[] {
  return columns.map(({ head }) => head);
}

/** A workbook is kept in memory: 50 000 rows took 700 MB. Excel's own limit is 1 048 576. */
const XLSX_ROWS_MAX = 50_000;

/** Throws a usage error for more documents, or groups of lines, than a workbook can have. */
export async function writeXlsx(exported: DocumentExport, output: Output, form: ExportForm): Promise<void> {
  const documents = sheetOf(form, "documents", form.documents);
  const groups = sheetOf<GroupRow>(form, "groups", form.groups);
  for await (const document of exported.documents) {
    if (documents.rows.length >= XLSX_ROWS_MAX || groups.rows.length >= XLSX_ROWS_MAX)
      throw new UsageError({
        en: `there are more than ${XLSX_ROWS_MAX} documents or groups of lines, too many for a workbook: use --format csv, or fewer days`,
        el: `τα παραστατικά ή οι ομάδες γραμμών είναι πάνω από ${XLSX_ROWS_MAX}, πολλά για βιβλίο εργασίας: χρησιμοποιήστε --format csv ή λιγότερες ημέρες`,
      });
    documents.add(document);
    groupRows(document).forEach(groups.add);
  }
  const totals = sheetOf<TotalLine>(form, "totals", form.totals);
  totalLines(exported.totals()).forEach(totals.add);
  totals.rows.push([], [form.say(TOTALS_NOTE)]);
  await output.write(await encodeWorkbook([documents, groups, totals]));
}

function sheetOf<Row>(form: ExportForm, name: string, columns: readonly ExportColumn<Row>[]) {
  const rows: (ReportCell | Date)[][] = [];
  const add = (row: Row): void => {
    const cells = columns.map(({ isDay, value }) => {
      const cell = value(row);
      return isDay === true ? new Date(`${cell}T00:00:00Z`) : cell;
    });
    rows.push(cells);
  };
  return { name: form.sheetName(name), heads: headsOf(columns), rows, add };
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
