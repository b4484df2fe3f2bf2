/** Determines the format of a file of documents from the flag, the name or the first bytes. */
import { extname } from "node:path";
import { UsageError } from "../../exit.ts";

export const FORMATS = ["json", "ndjson", "csv", "xlsx"] as const;
export type Format = (typeof FORMATS)[number];

const FORMAT_OF_EXTENSION: Record<string, Format> = {
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".csv": "csv",
  ".xlsx": "xlsx",
};

/** Whether it has rows and columns. */
export function isTable(format: Format | undefined): format is "csv" | "xlsx" {
  return format === "csv" || format === "xlsx";
}

/** How much of standard input is examined. */
const HEAD_BYTES_MAX = 65_536;

/** Undefined for standard input, which is examined when it is read. Throws UsageError for an unknown extension. */
export function formatOf(file: string, given: Format | undefined): Format | undefined {
  if (given !== undefined || file === "-") return given;
  const format = FORMAT_OF_EXTENSION[extname(file).toLowerCase()];
  if (format === undefined)
    throw new UsageError({
      en: `--format is missing: ${file} does not end in .json, .ndjson, .csv or .xlsx`,
      el: `λείπει η --format: το ${file} δεν τελειώνει σε .json, .ndjson, .csv ή .xlsx`,
    });
  return format;
}

/** Returns the same bytes with their format: `given`, or guessed from the first bytes. */
export async function withFormat(
  bytes: AsyncIterable<Buffer>,
  given: Format | undefined,
): Promise<{ format: Format; bytes: AsyncIterable<Buffer> }> {
  if (given !== undefined) return { format: given, bytes };
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < HEAD_BYTES_MAX) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return { format: guessFormat(Buffer.concat(chunks).toString("utf8")), bytes: joined(chunks, iterator) };
}

async function* joined(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** An .xlsx file is a ZIP archive. */
const ARCHIVE_HEAD = "PK\u0003\u0004";

/** `[` starts an array of bodies. `{` starts NDJSON if the first line is complete JSON, otherwise one body. The rest is CSV. */
export function guessFormat(head: string): Format {
  if (head.startsWith(ARCHIVE_HEAD)) return "xlsx";
  const text = head.replace(/^\ufeff/, "").trimStart();
  if (text.startsWith("[")) return "json";
  if (!text.startsWith("{")) return "csv";
  const [firstLine = ""] = text.split("\n", 1);
  try {
    JSON.parse(firstLine);
    return "ndjson";
  } catch {
    return "json";
  }
}

/** Whether any file is a table, or standard input, which may be one. */
export function hasTable(files: readonly string[], given: Format | undefined): boolean {
  return files.some((file) => {
    const format = formatOf(file, given);
    return format === undefined || isTable(format);
  });
}
