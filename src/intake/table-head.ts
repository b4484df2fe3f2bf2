/** Reads the beginning of a table, to find out what its columns mean before it is read as documents. */
import { type DetectedFormat, readRows } from "./csv.ts";
import type { ForeignNames } from "./table-columns.ts";
import type { TableRow } from "./table-row.ts";

export type TableFormat = "csv" | "xlsx";

export interface TableHead {
  cells: readonly string[];
  /** The first rows below the header. */
  rows: readonly TableRow[];
  /** Undefined for a workbook. */
  detected: DetectedFormat | undefined;
}

const ROWS_MAX = 3;

/** Undefined for a table without rows. Throws `validation_failed` where it cannot be read. */
export async function readTableHead(
  source: AsyncIterable<Buffer>,
  format: TableFormat,
  options: { names: ForeignNames; sheet?: string | undefined },
): Promise<TableHead | undefined> {
  const detected: DetectedFormat = { encoding: undefined, delimiter: undefined };
  const batches =
    format === "csv"
      ? readRows(source, options.names, detected)
      : (await import("./workbook.ts")).readWorkbookRows(source, options.sheet);
  const found: TableRow[] = [];
  for await (const batch of batches) {
    found.push(...batch.slice(0, ROWS_MAX + 1));
    if (found.length > ROWS_MAX) break;
  }
  const [header, ...rows] = found;
  if (header === undefined) return undefined;
  return {
    cells: header.cells,
    rows: rows.slice(0, ROWS_MAX),
    detected: format === "csv" ? detected : undefined,
  };
}
