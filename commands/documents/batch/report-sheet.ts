/** The rows and columns of a report, for every file format. */
import type { Output } from "../../output-file.ts";

export interface ReportRow {
  reference: string | null;
  id: string | null;
  /** The document's status; `refused` if it was not accepted, `valid` in a dry run. */
  status: string;
  series: string | null;
  number: number | null;
  mark: string | null;
  error: string | null;
}

/** In the order of the file. */
export const REPORT_COLUMNS = ["reference", "id", "status", "series", "number", "mark", "error"] as const;

/** Writes rows in the format of the file. */
export interface ReportSheet {
  add(row: ReportRow): Promise<void>;
  /** Writes the buffered rows. */
  end(file: Output): Promise<void>;
}
