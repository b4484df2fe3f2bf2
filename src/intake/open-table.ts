/** Opens a table: reads its documents, or only its beginning, to find out what its columns mean. */
import { createDecimals } from "./csv-dialect.ts";
import type { CsvFormat, DetectedFormat } from "./csv.ts";
import { readTable, type TableOptions } from "./read-table.ts";
import { type ForeignNames, NO_FOREIGN_NAMES } from "./table-columns.ts";
import type { TableDocument } from "./table-draft.ts";
import type { TableRow } from "./table-row.ts";

export type TableFormat = "csv" | "xlsx";

/** The rows of a table, and what is known of its format once they are read. Loads only what the format needs. */
async function openRows(
  source: AsyncIterable<Buffer>,
  format: TableFormat,
  { names, sheet }: { names: ForeignNames; sheet?: string | undefined },
): Promise<{ rows: AsyncGenerator<TableRow[]>; detected: DetectedFormat }> {
  const detected: DetectedFormat = { encoding: undefined, delimiter: undefined };
  const rows =
    format === "csv"
      ? (await import("./csv.ts")).readRows(source, names, detected)
      : (await import("./workbook.ts")).readWorkbookRows(source, sheet);
  return { rows, detected };
}

/**
 * Yields the documents of `source` in order, each once the rows after it have been read ahead. Uses memory for some thousand
 * rows and for all references; a workbook is read into memory. Throws `validation_failed` where the table cannot be read on (no header,
 * an unclosed quotation mark, bytes that are not text, no such sheet); the document at that place is not yielded. Calls `onFormat` once,
 * at the end of a CSV file or before throwing.
 */
export async function* readTableDocuments(
  source: AsyncIterable<Buffer>,
  format: TableFormat,
  options: TableOptions & { sheet?: string | undefined; onFormat?(format: CsvFormat): void },
): AsyncGenerator<TableDocument> {
  const names = options.names ?? NO_FOREIGN_NAMES;
  const decimals = createDecimals();
  const { rows, detected } = await openRows(source, format, { names, sheet: options.sheet });
  try {
    yield* readTable(rows, { ...options, names, decimals });
  } finally {
    await rows.return(undefined);
    if (format === "csv") options.onFormat?.({ ...detected, decimalSign: decimals.sign });
  }
}

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
  const { rows: batches, detected } = await openRows(source, format, options);
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
