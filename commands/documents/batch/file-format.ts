/** Which format a file of documents has: by its flag, by its name, or by how it begins. */
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

/** Formats of rows and columns, whose columns may have other names. */
const TABLE_FORMATS: ReadonlySet<Format | undefined> = new Set(["csv", "xlsx"]);

export function isTable(format: Format | undefined): boolean {
  return TABLE_FORMATS.has(format);
}

/** How much of standard input is looked at. */
const HEAD_BYTES_MAX = 65_536;

/** The format of a named file; undefined for standard input, which is looked into when it is read. */
export function formatOf(file: string, given: Format | undefined): Format | undefined {
  if (given !== undefined || file === "-") return given;
  const format = FORMAT_OF_EXTENSION[extname(file).toLowerCase()];
  if (format === undefined)
    throw new UsageError(`--format is missing: ${file} ends in none of .json, .ndjson, .csv and .xlsx`);
  return format;
}

/** `bytes` unchanged, with their format: `given`, or what their beginning looks like. */
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
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** How every .xlsx file begins: it is a ZIP archive. */
const ARCHIVE_HEAD = "PK\u0003\u0004";

/** `[` begins an array of bodies, `{` one body or, where the first line is a whole one, one a line; all else is CSV. */
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

/** Whether any file is a table; standard input may be one. */
export function hasTable(files: readonly string[], given: Format | undefined): boolean {
  return files.some((file) => formatOf(file, given) === undefined || isTable(formatOf(file, given)));
}
