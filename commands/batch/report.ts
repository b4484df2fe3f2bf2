/** `--report F`: a CSV file with a row for each document of the run, for the one who has to look after the rest. */
import type { ProgramIo } from "../io.ts";
import { type Output, startFile } from "../output-file.ts";
import { BYTE_ORDER_MARK, csvRow } from "../ui/csv.ts";

export interface ReportRow {
  reference: string | null;
  id: string | null;
  /** The document's status, or `refused` where it was not accepted, or `valid` in a dry run. */
  status: string;
  series: string | null;
  number: number | null;
  mark: string | null;
  error: string | null;
}

export interface Report {
  add(row: ReportRow): Promise<void>;
  /** Puts the file in its place; until then the old one, if any, stands untouched. */
  finish(): Promise<void>;
  /** Takes the unfinished file away; does nothing once it is finished. */
  discard(): Promise<void>;
}

const COLUMNS = ["reference", "id", "status", "series", "number", "mark", "error"] as const;
const BUFFER_CHARACTERS = 65_536;

/**
 * Begins the report beside its place, so that a path that cannot be written is found before anything is issued. Without
 * a path the report is dropped.
 */
export async function startReport(io: ProgramIo, path: string | undefined): Promise<Report> {
  if (path === undefined) return { async add() {}, async finish() {}, async discard() {} };
  return writeReport(await startFile(io, path));
}

function writeReport(file: Output): Report {
  let pending = BYTE_ORDER_MARK + csvRow(COLUMNS, ",");
  const flush = async () => {
    await file.write(pending);
    pending = "";
  };
  return {
    async add(row) {
      // Null is an empty cell.
      pending += csvRow(
        COLUMNS.map((column) => String(row[column] ?? "")),
        ",",
      );
      if (pending.length >= BUFFER_CHARACTERS) await flush();
    },
    async finish() {
      await flush();
      await file.finish();
    },
    discard: file.discard,
  };
}
