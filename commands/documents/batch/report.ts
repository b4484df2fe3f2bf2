/** Writes the `--report` file: a CSV, or a workbook if its name ends in .xlsx. A workbook stays in memory until the end. */
import { extname } from "node:path";
import type { ProgramIo } from "../../io.ts";
import { type Output, startFile } from "../../output-file.ts";
import { BYTE_ORDER_MARK, csvRow, withoutFormula } from "../../../src/foundation/csv.ts";
import { REPORT_COLUMNS, type ReportRow, type ReportSheet } from "./report-sheet.ts";

export interface Report {
  add(row: ReportRow): Promise<void>;
  /** Moves the file into place; until then an existing file is unchanged. */
  finish(): Promise<void>;
  /** Deletes the unfinished file; does nothing once it is finished. */
  discard(): Promise<void>;
}

const BUFFER_CHARACTERS = 65_536;

/** Opens the file before anything is issued, so that a bad path is found early. Without a path nothing is written. */
export async function startReport(io: ProgramIo, path: string | undefined): Promise<Report> {
  if (path === undefined) return { async add() {}, async finish() {}, async discard() {} };
  const file = await startFile(io, path);
  const isWorkbook = extname(path).toLowerCase() === ".xlsx";
  const sheet = isWorkbook ? createWorkbookSheet() : createCsvSheet(file);
  return {
    add: (row) => sheet.add(row),
    async finish() {
      await sheet.end(file);
      await file.finish();
    },
    discard: file.discard,
  };
}

function createCsvSheet(file: Output): ReportSheet {
  let pending = BYTE_ORDER_MARK + csvRow(REPORT_COLUMNS, ",");
  const flush = async () => {
    await file.write(pending);
    pending = "";
  };
  return {
    async add(row) {
      pending += csvRow(cellsOf(row), ",");
      if (pending.length >= BUFFER_CHARACTERS) await flush();
    },
    end: flush,
  };
}

/** Null becomes an empty cell. */
function cellsOf(row: ReportRow): string[] {
  return REPORT_COLUMNS.map((column) => withoutFormula(String(row[column] ?? "")));
}

/** Writes the report as a workbook. MARKs and references are text, because a spreadsheet would round them as numbers. */
const HEAD = REPORT_COLUMNS.map((value) => ({ value, fontWeight: "bold" as const }));
/** Wide enough for a doc_ id and the start of an error. */
const WIDTHS: Record<(typeof REPORT_COLUMNS)[number], number> = {
  reference: 20,
  id: 30,
  status: 12,
  series: 10,
  number: 10,
  mark: 20,
  error: 100,
};

function createWorkbookSheet(): ReportSheet {
  const rows: ReportRow[] = [];
  return {
    async add(row) {
      rows.push(row);
    },
    async end(file) {
      const { default: writeXlsxFile } = await import("write-excel-file/node");
      const data = rows.map((row) => REPORT_COLUMNS.map((column) => cellOf(row[column])));
      const columns = REPORT_COLUMNS.map((column) => ({ width: WIDTHS[column] }));
      const workbook = writeXlsxFile([HEAD, ...data], { columns, sheet: "report", stickyRowsCount: 1 });
      await file.write(await workbook.toBuffer());
    },
  };
}

function cellOf(value: string | number | null): { value: string | number } | null {
  return value === null ? null : { value };
}
