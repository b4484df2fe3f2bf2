/** Reads the rows of a workbook (.xlsx), numbered as in Excel. */
import { readInThread } from "../foundation/file-thread.ts";
import type { TableRow } from "./table-row.ts";
import { WORKBOOK_BYTES_MAX, type Cell } from "./workbook-cells.ts";

/** Yields all rows of the sheet, by default the first, without blank ones. Throws `validation_failed` where it cannot be read. */
export async function* readWorkbookRows(
  source: AsyncIterable<Buffer>,
  sheet: string | undefined,
): AsyncGenerator<TableRow[]> {
  yield* rowsOf(readInThread({ job: "workbook", bytes: await collect(source), sheet }));
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    chunks.push(chunk);
    // Unpacking refuses anything above the limit, so the rest need not be read.
    if (length > WORKBOOK_BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

/** Yields the rows of each part that the thread sends, without blank ones. */
async function* rowsOf(parts: AsyncIterable<unknown>): AsyncGenerator<TableRow[]> {
  let line = 0;
  for await (const part of parts) {
    const rows = (part as Cell[][]).map((cells) => rowOf(cells, ++line));
    yield rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  }
}

function rowOf(cells: readonly Cell[], line: number): TableRow {
  const numbers = new Set<number>();
  for (const [place, cell] of cells.entries()) if (typeof cell === "number") numbers.add(place);
  return { cells: cells.map(textOf), line, numbers };
}

/** A cell as a CSV file would have it. */
function textOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell.trim();
  if (typeof cell === "number") return textOfNumber(cell);
  return typeof cell === "boolean" ? String(cell) : textOfDate(cell);
}

/**
 * The shortest decimal that is this number: what was typed as 12.4 is 12.4. A computed number may have more decimals than
 * Excel shows; its column then refuses it. Above 2^53 digits are lost already: the exponent makes the column refuse it.
 */
function textOfNumber(number: number): string {
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? number.toExponential() : String(number);
}

/** read-excel-file returns the wall clock as UTC. A time of day is included, so that the date column refuses it. */
function textOfDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "#VALUE!";
  const [day = "", time = ""] = date.toISOString().split("T");
  return time.startsWith("00:00:00") ? day : `${day} ${time.slice(0, 5)}`;
}
