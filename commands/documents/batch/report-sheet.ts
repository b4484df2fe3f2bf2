/** What a report has: a row for each document, in the same columns whatever the file. */
import type { Output } from "../../output-file.ts";

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

/** In the order of the file. */
export const REPORT_COLUMNS = ["reference", "id", "status", "series", "number", "mark", "error"] as const;

/** The rows on their way into a file. */
export interface ReportSheet {
  add(row: ReportRow): Promise<void>;
  /** Writes what was kept until now. */
  end(file: Output): Promise<void>;
}
