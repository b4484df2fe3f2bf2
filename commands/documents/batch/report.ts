/** Writes the `--report` file: a CSV, or a workbook if its name ends in .xlsx. A workbook stays in memory until the end. */
import { extname } from "node:path";
import { encodeWorkbook, type ReportCell } from "../../../src/books/report-sheets.ts";
import { startCsv, withoutFormula } from "../../../src/foundation/csv.ts";
import type { ProgramIo } from "../../io.ts";
import { startFile } from "../../output-files.ts";

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
  const csv = extname(path).toLowerCase() === ".xlsx" ? undefined : startCsv(file, COLUMNS, ",");
  const rows: ReportCell[][] = [];
  return {
    async add(row) {
      const cells = COLUMNS.map((column) => row[column]);
      if (csv === undefined) rows.push(cells);
      else await csv.add(cells.map((cell) => withoutFormula(String(cell ?? ""))));
    },
    async finish() {
      const sheet = { name: "report", heads: COLUMNS, rows, widths: Object.values(WIDTHS) };
      await (csv === undefined ? file.write(await encodeWorkbook([sheet])) : csv.flush());
      await file.finish();
    },
    [Symbol.asyncDispose]: file[Symbol.asyncDispose],
  };
}
