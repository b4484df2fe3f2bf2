/** Writes the `--report` file: a CSV, or a workbook if its name ends in .xlsx. A workbook stays in memory until the end. */
import { extname } from "node:path";
import type { ProgramIo } from "../../io.ts";
import { type Output, startFile } from "../../output-file.ts";
import { BYTE_ORDER_MARK, csvRow, withoutFormula } from "../../../src/foundation/csv.ts";
import { REPORT_COLUMNS, type ReportRow, type ReportSheet } from "./report-sheet.ts";
import { createWorkbookSheet } from "./report-workbook.ts";

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
