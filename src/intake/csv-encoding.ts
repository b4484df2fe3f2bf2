/**
 * The bytes of a CSV file as text (decisions 13): UTF-8 with or without a byte order mark, UTF-16 with one, otherwise
 * Windows-1253, which Greek Excel writes. The choice does not depend on how the bytes are cut into chunks.
 */
import { TextDecoder } from "node:util";
import iconv from "iconv-lite";
import { AppError } from "../foundation/errors.ts";

/** Takes bytes as they come; what a character still lacks is kept for the next call. */
interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** So much, from the first byte that is not ASCII, decides between UTF-8 and Windows-1253. */
const EVIDENCE_BYTES = 65_536;
/** A longer chunk is decoded in pieces, so that what is made of it never stands in memory at once. */
const PIECE_BYTES = 65_536;
const MARK_BYTES = 3;

/** What a file was found to be written in. */
export type CsvEncoding = "UTF-8" | "UTF-8 with a byte order mark" | "UTF-16" | "Windows-1253";

/**
 * The text of `source`, piece by piece. `onEncoding` is told of the encoding once it is known: never for a file of ASCII
 * alone, which is the same in all. Throws `validation_failed` where the bytes are no text of one encoding.
 */
export async function* decodeCsv(
  source: AsyncIterable<Buffer>,
  onEncoding: (encoding: CsvEncoding) => void = () => {},
): AsyncGenerator<string> {
  const decoder = createDecoder(onEncoding);
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const text = decoder.write(chunk.subarray(start, start + PIECE_BYTES));
      if (text !== "") yield text;
    }
  }
  const rest = decoder.end();
  if (rest !== "") yield rest;
}

function createDecoder(onEncoding: (encoding: CsvEncoding) => void): Decoder {
  let chosen: Decoder | undefined;
  let isAtStart = true;
  /** Bytes that do not tell yet. */
  let held: Buffer = Buffer.alloc(0);

  function advance(isEnd: boolean): string {
    if (isAtStart) {
      if (held.length < MARK_BYTES && !isEnd) return "";
      isAtStart = false;
      const marked = decoderOfMark(held);
      chosen = marked?.decoder;
      if (marked !== undefined) onEncoding(marked.encoding);
      if (marked !== undefined) return release(marked.decoder, held.subarray(marked.length));
    }
    if (held.includes(0)) throw notText();
    const first = asciiLength(held);
    const ascii = held.toString("latin1", 0, first);
    held = held.subarray(first);
    if (held.length === 0 || (held.length < EVIDENCE_BYTES && !isEnd)) return ascii;
    const isUnicode = isUtf8(held.subarray(0, EVIDENCE_BYTES), isEnd && held.length <= EVIDENCE_BYTES);
    onEncoding(isUnicode ? "UTF-8" : "Windows-1253");
    chosen = isUnicode ? utf8() : windows1253();
    return ascii + release(chosen, held);
  }

  function release(decoder: Decoder, bytes: Buffer): string {
    held = Buffer.alloc(0);
    return decoder.write(bytes);
  }

  return {
    write(bytes) {
      if (chosen !== undefined) return chosen.write(bytes);
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      return advance(false);
    },
    end() {
      const rest = chosen === undefined ? advance(true) : "";
      return rest + (chosen?.end() ?? "");
    },
  };
}

/** How many bytes stand before the first that is not ASCII. */
function asciiLength(bytes: Buffer): number {
  let index = 0;
  while (index < bytes.length && bytes[index]! < 0x80) index += 1;
  return index;
}

function decoderOfMark(
  head: Buffer,
): { encoding: CsvEncoding; decoder: Decoder; length: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: "UTF-8 with a byte order mark", decoder: utf8(), length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe)
    return { encoding: "UTF-16", decoder: byIconv("utf-16le"), length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff)
    return { encoding: "UTF-16", decoder: byIconv("utf-16be"), length: 2 };
  return undefined;
}

/** Whether `bytes` are UTF-8; a last character that is cut off counts as wrong only where `isWhole`. */
function isUtf8(bytes: Buffer, isWhole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    // The decoder tells that the bytes are not UTF-8 by throwing: this is the answer, not a failure.
    return false;
  }
}

function utf8(): Decoder {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return {
    write: (bytes) => decodeUtf8(() => decoder.decode(bytes, { stream: true })),
    end: () => decodeUtf8(() => decoder.decode()),
  };
}

function decodeUtf8(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    const message =
      "The file begins as UTF-8 and goes on as something else; save the whole of it as CSV UTF-8 and try again";
    throw new AppError("validation_failed", message, { cause: error });
  }
}

/** Bytes that Windows-1253 does not have become U+FFFD, and the cell with them is refused by itself. */
function windows1253(): Decoder {
  return byIconv("windows-1253");
}

function byIconv(encoding: "windows-1253" | "utf-16le" | "utf-16be"): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" };
}

function notText(): AppError {
  const message =
    "The file is not text (a workbook must be named .xlsx, or --format xlsx be given); save the sheet as CSV UTF-8 and try again";
  return new AppError("validation_failed", message);
}
