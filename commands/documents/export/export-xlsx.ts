/** Writes an export as an Excel workbook with sheets of documents, of the groups of their lines, and of totals. */
import type { Cell, Row } from "write-excel-file/node";
import type { DocumentExport } from "../../../src/books/export-documents.ts";
import { UsageError } from "../../exit.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import type { Output } from "../../output-file.ts";
import { type ExportColumn, type ExportForm, groupRows } from "./export-columns.ts";
import { totalLines, TOTALS_NOTE } from "./export-files.ts";

/** The library keeps the workbook in memory: 50 000 rows took 700 MB. Excel's own limit is 1 048 576. */
const XLSX_ROWS_MAX = 50_000;

const AMOUNT_FORMAT = "#,##0.00";
const DAY_FORMAT = "yyyy-mm-dd";
/** Characters. */
const COLUMN_WIDTH = 16;

/** Throws a usage error for more documents, or groups of lines, than a workbook can have. */
export async function writeXlsx(exported: DocumentExport, output: Output, form: ExportForm): Promise<void> {
  const rows: Row[] = [headsOf(form.documents.map(({ head }) => head))];
  const groups: Row[] = [headsOf(form.groups.map(({ head }) => head))];
  for await (const document of exported.documents) {
    if (rows.length > XLSX_ROWS_MAX || groups.length > XLSX_ROWS_MAX) {
      throw new UsageError({
        en: `there are more than ${XLSX_ROWS_MAX} documents or groups of lines, too many for a workbook: use --format csv, or fewer days`,
        el: `τα παραστατικά ή οι ομάδες γραμμών είναι πάνω από ${XLSX_ROWS_MAX}, πολλά για βιβλίο εργασίας: χρησιμοποιήστε --format csv ή λιγότερες ημέρες`,
      });
    }
    rows.push(form.documents.map((column) => cellOf(column, document)));
    for (const group of groupRows(document)) groups.push(form.groups.map((column) => cellOf(column, group)));
  }
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const workbook = writeExcelFile([
    { data: rows, sheet: form.sheetName("documents"), ...shape(form.documents) },
    { data: groups, sheet: form.sheetName("groups"), ...shape(form.groups) },
    { data: totalRows(exported, form), sheet: form.sheetName("totals"), ...shape(TOTAL_HEADS) },
  ]);
  await output.write(await workbook.toBuffer());
}

function headsOf(heads: readonly string[]): Row {
  return heads.map((value) => ({ value, type: String, fontWeight: "bold" }));
}

function shape(columns: readonly unknown[]) {
  return { stickyRowsCount: 1, columns: columns.map(() => ({ width: COLUMN_WIDTH })) };
}

/** Writes text as text, so that MARKs keep all digits, tax numbers keep leading zeros, and nothing runs as a formula. */
function cellOf<Item>(column: ExportColumn<Item>, item: Item): Cell {
  const value = column.value(item);
  if (value === null) return null;
  if (typeof value === "number") {
    return column.kind === "amount" ? amountCell(BigInt(value)) : { value, type: Number };
  }
  return column.kind === "day"
    ? { value: new Date(`${value}T00:00:00Z`), type: Date, format: DAY_FORMAT }
    : { value, type: String };
}

/** Excel keeps fifteen digits of a number. Larger amounts are written as text, so that they are not rounded. */
const EXCEL_CENTS_MAX = 999_999_999_999_999n;

function amountCell(cents: bigint): Cell {
  const isExact = cents <= EXCEL_CENTS_MAX && cents >= -EXCEL_CENTS_MAX;
  return isExact
    ? { value: Number(cents) / 100, type: Number, format: AMOUNT_FORMAT }
    : { value: formatEuro(cents), type: String };
}

const TOTAL_HEADS = ["total", "documents", "cancelled", "net", "vat", "gross"] as const;

function totalRows(exported: DocumentExport, form: ExportForm): Row[] {
  const count = (value: number | null): Cell => (value === null ? null : { value, type: Number });
  return [
    headsOf(TOTAL_HEADS.map(form.headOf)),
    ...totalLines(exported.totals()).map(
      (line): Row => [
        { value: form.say(line.name), type: String },
        count(line.documents),
        count(line.cancelled),
        ...[line.net, line.vat, line.gross].map(amountCell),
      ],
    ),
    [],
    [
      {
        value: form.say(TOTALS_NOTE),
        type: String,
      },
    ],
  ];
}
