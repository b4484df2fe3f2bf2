/** Writes the `--report` file: a CSV, or a workbook if its name ends in .xlsx. A workbook stays in memory until the end. */
import { extname } from "node:path";
import { startCsv, withoutFormula } from "../../../src/foundation/csv.ts";
import type { ProgramIo } from "../../io.ts";
import { type Output, startFile } from "../../output-files.ts";

/** Of a workbook, in characters: wide enough for a doc_ id and the start of an error. In the order of the file. */
const WIDTHS = { reference: 20, id: 30, status: 12, series: 10, number: 10, mark: 20, error: 100 };
const COLUMNS = Object.keys(WIDTHS) as (keyof typeof WIDTHS)[];

/** The status is the document's; `refused` if it was not accepted, `valid` in a dry run. Null is an empty cell. */
export type ReportRow = Record<keyof typeof WIDTHS, string | number | null>;

/** An unfinished file is deleted when it is disposed of. */
export interface Report extends AsyncDisposable {
  add(row: ReportRow): Promise<void>;
  /** Moves the file into place; until then an existing file is unchanged. */
  finish(): Promise<void>;
}

/** Opens the file before anything is issued, so that a bad path is found early. Without a path nothing is written. */
export async function startReport(io: ProgramIo, path: string | undefined): Promise<Report> {
  if (path === undefined) return { async add() {}, async finish() {}, async [Symbol.asyncDispose]() {} };
  const file = await startFile(io, path);
  return extname(path).toLowerCase() === ".xlsx" ? startWorkbook(file) : startCsvReport(file);
}

function startCsvReport(file: Output): Report {
  const { add, flush } = startCsv(file, COLUMNS, ",");
  return {
    add: (row) => add(COLUMNS.map((column) => withoutFormula(String(row[column] ?? "")))),
    async finish() {
      await flush();
      await file.finish();
    },
    [Symbol.asyncDispose]: file[Symbol.asyncDispose],
  };
}

/** MARKs and references are text, because a spreadsheet would round them as numbers. */
function startWorkbook(file: Output): Report {
  const rows: ReportRow[] = [];
  return {
    async add(row) {
      rows.push(row);
    },
    async finish() {
      const { default: writeXlsxFile } = await import("write-excel-file/node");
      const head = COLUMNS.map((value) => ({ value, fontWeight: "bold" as const }));
      const cellOf = (value: string | number | null) => (value === null ? null : { value });
      const data = rows.map((row) => COLUMNS.map((column) => cellOf(row[column])));
      const columns = COLUMNS.map((column) => ({ width: WIDTHS[column] }));
      const workbook = writeXlsxFile([head, ...data], { columns, sheet: "report", stickyRowsCount: 1 });
      await file.write(await workbook.toBuffer());
      await file.finish();
    },
    [Symbol.asyncDispose]: file[Symbol.asyncDispose],
  };
}
