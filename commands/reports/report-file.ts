/** Writes a report to a file: sheets of a workbook, or sections of one CSV file for Greek Excel. */
import type { Cell as WorkbookCell, Row } from "write-excel-file/node";
import { formatEuro } from "../../src/foundation/money.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { type Output, startFile } from "../output-file.ts";
import { BYTE_ORDER_MARK, csvRow, withoutFormula } from "../ui/csv.ts";

/** Amounts in cents are bigint; numbers are rates and causes. */
export type ReportCell = string | number | bigint | null;

export interface Sheet {
  /** Also the first column of its rows in CSV. */
  name: string;
  heads: readonly string[];
  rows: readonly (readonly ReportCell[])[];
}

type Format = "csv" | "xlsx";

export interface ReportFile {
  write(sheets: readonly Sheet[]): Promise<void>;
  discard(): Promise<void>;
}

/** Starts the file of `--output`, if given, so that a path that cannot be written or a wrong ending is reported before any work. */
export async function startReportFile(
  { io, options }: CommandContext,
  path: string | undefined,
): Promise<ReportFile | undefined> {
  if (path === undefined) return undefined;
  if (options.json === true)
    throw new UsageError({
      en: "--json and --output contradict each other; JSON goes to standard output",
      el: "οι --json και --output αντιφάσκουν· το JSON γράφεται στην τυπική έξοδο",
    });
  const format = formatOf(path);
  const output = await startFile(io, path);
  return {
    async write(sheets) {
      await (format === "csv" ? writeCsv(output, sheets) : writeWorkbook(output, sheets));
      await output.finish();
    },
    discard: () => output.discard(),
  };
}

function formatOf(path: string): Format {
  const ending = /\.(csv|xlsx)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === "csv" || ending === "xlsx") return ending;
  throw new UsageError({
    en: "--output takes a file name that ends in .csv or .xlsx",
    el: "η --output δέχεται όνομα αρχείου που τελειώνει σε .csv ή .xlsx",
  });
}

/** Semicolons and decimal commas, as a Greek Excel opens them; sections follow each other, each with its own heads. */
async function writeCsv(output: Output, sheets: readonly Sheet[]): Promise<void> {
  const lines = sheets.map(({ name, heads, rows }) =>
    [["section", ...heads], ...rows.map((row) => [name, ...row.map(csvCell)])]
      .map((cells) => csvRow(cells, ";"))
      .join(""),
  );
  await output.write(BYTE_ORDER_MARK + lines.join("\r\n"));
}

function csvCell(cell: ReportCell): string {
  if (cell === null) return "";
  if (typeof cell === "bigint") return formatEuro(cell, ",");
  return typeof cell === "number" ? String(cell) : withoutFormula(cell);
}

const AMOUNT_FORMAT = "#,##0.00";
/** Characters. */
const COLUMN_WIDTH = 18;
/** Excel keeps fifteen digits of a number: a larger amount is written as text rather than rounded. */
const EXCEL_CENTS_MAX = 999_999_999_999_999n;

async function writeWorkbook(output: Output, sheets: readonly Sheet[]): Promise<void> {
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const workbook = writeExcelFile(
    sheets.map(({ name, heads, rows }) => ({
      sheet: name,
      data: [
        heads.map((value): WorkbookCell => ({ value, type: String, fontWeight: "bold" })),
        ...rows.map((row): Row => row.map(workbookCell)),
      ],
      stickyRowsCount: 1,
      columns: heads.map(() => ({ width: COLUMN_WIDTH })),
    })),
  );
  await output.write(await workbook.toBuffer());
}

function workbookCell(cell: ReportCell): WorkbookCell {
  if (cell === null) return null;
  if (typeof cell === "string") return { value: cell, type: String };
  if (typeof cell === "number") return { value: cell, type: Number };
  const isExact = cell <= EXCEL_CENTS_MAX && cell >= -EXCEL_CENTS_MAX;
  return isExact
    ? { value: Number(cell) / 100, type: Number, format: AMOUNT_FORMAT }
    : { value: formatEuro(cell), type: String };
}
