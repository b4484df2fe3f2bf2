/** Workbooks (.xlsx) as documents: the same columns and rules as a CSV file, the rows numbered as Excel shows them. */
import { AppError } from "../foundation/errors.ts";
import { readTable, type TableOptions } from "./csv.ts";
import { NO_FOREIGN_NAMES } from "./csv-columns.ts";
import { createDecimals } from "./csv-dialect.ts";
import type { CsvDocument } from "./csv-draft.ts";
import type { CsvRecord } from "./csv-records.ts";
import { damaged, packWorkbook, unpackWorkbook, WORKBOOK_BYTES_MAX } from "./workbook-archive.ts";
import { prepareSheet } from "./workbook-sheet.ts";

export interface WorkbookOptions extends TableOptions {
  /** The name of the sheet; the first one without. */
  sheet?: string | undefined;
}

type Cell = string | number | boolean | Date | null;

/** Rows that are handed on at once. */
const BATCH_ROWS = 1000;

/**
 * The documents of the workbook in `source`, which is read whole. Throws `validation_failed` where it is larger than a
 * workbook may be, cannot be read, or has no such sheet.
 */
export async function* readWorkbookDocuments(
  source: AsyncIterable<Buffer>,
  options: WorkbookOptions,
): AsyncGenerator<CsvDocument> {
  const rows = await readRows(await collect(source), options.sheet);
  const names = options.names ?? NO_FOREIGN_NAMES;
  const decimals = createDecimals("row");
  yield* readTable(batchesOf(rows), { ...options, names, word: "row", decimals });
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    chunks.push(chunk);
    // One byte over is enough for the check that refuses it.
    if (length > WORKBOOK_BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

async function readRows(bytes: Buffer, sheet: string | undefined): Promise<Cell[][]> {
  const files = unpackWorkbook(bytes);
  for (const [name, content] of files) {
    if (/worksheets\/[^/]+\.xml$/i.test(name)) files.set(name, prepareSheet(content));
  }
  const { readSheet, SheetNotFoundError } = await import("read-excel-file/node");
  try {
    return (await readSheet(packWorkbook(files), sheet ?? 1)) as unknown as Cell[][];
  } catch (error) {
    if (error instanceof SheetNotFoundError) throw noSheet(sheetNames(files));
    throw damaged(error);
  }
}

/** As they stand in the XML: the characters that XML escapes are rare in a name, and shown escaped. */
function sheetNames(files: ReadonlyMap<string, Buffer>): string[] {
  const workbook = files.get("xl/workbook.xml")?.toString("utf8") ?? "";
  return [...workbook.matchAll(/<sheet\b[^<>]*?\sname="([^"]*)"/g)].map(([, name = ""]) => name);
}

function noSheet(sheets: readonly string[]): AppError {
  return new AppError(
    "validation_failed",
    `The workbook has no sheet of that name; --sheet takes one of: ${sheets.join(", ")}`,
  );
}

async function* batchesOf(rows: readonly Cell[][]): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = [];
  for (const [index, row] of rows.entries()) {
    const record = recordOf(row, index + 1);
    if (record.cells.every((cell) => cell === "")) continue;
    batch.push(record);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function recordOf(row: readonly Cell[], line: number): CsvRecord {
  const numbers = new Set<number>();
  for (const [place, cell] of row.entries()) if (typeof cell === "number") numbers.add(place);
  return { cells: row.map(textOf), line, numbers };
}

/** A cell as it would be written in a CSV file. */
function textOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell.trim();
  if (typeof cell === "number") return textOfNumber(cell);
  return typeof cell === "boolean" ? String(cell) : textOfDate(cell);
}

/**
 * The shortest decimal that is this number: what was typed as 12.4 is 12.4. What is computed may have more decimals than it
 * shows, and is refused by its column. Digits above 2^53 are lost already: such a number is written so that it is refused.
 */
function textOfNumber(number: number): string {
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? number.toExponential() : String(number);
}

/** The library gives the wall clock as UTC. A time of day is kept, and the column of a date refuses it. */
function textOfDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "#VALUE!";
  const [day = "", time = ""] = date.toISOString().split("T");
  return time.startsWith("00:00:00") ? day : `${day} ${time.slice(0, 5)}`;
}
