/**
 * Decodes the bytes of a CSV file: UTF-8 with or without a byte order mark, UTF-16 with one, otherwise Windows-1253, which
 * Greek Excel writes. The result does not depend on how the bytes are divided into chunks.
 */
import { TextDecoder } from "node:util";
import iconv from "iconv-lite";
import { AppError } from "../foundation/errors.ts";

/** Decodes bytes as they arrive; the bytes of an incomplete character wait for the next call. */
interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** This many bytes, from the first that is not ASCII, decide between UTF-8 and Windows-1253. */
const EVIDENCE_BYTES = 65_536;
/** Longer chunks are decoded in pieces to limit memory. */
const PIECE_BYTES = 65_536;
const MARK_BYTES = 3;

/** The detected encoding of a file. */
export type CsvEncoding = "UTF-8" | "UTF-8 with a byte order mark" | "UTF-16" | "Windows-1253";

/**
 * Yields the text of `source` piece by piece. Calls `onEncoding` once the encoding is known: never for a file with only ASCII,
 * which is the same in all of them. Throws `validation_failed` where the bytes are not text in one encoding.
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
  /** Bytes read before the encoding is known. */
  let undecided: Buffer = Buffer.alloc(0);

  function advance(isEnd: boolean): string {
    if (isAtStart) {
      if (undecided.length < MARK_BYTES && !isEnd) return "";
      isAtStart = false;
      const marked = chooseByMark(undecided);
      chosen = marked?.decoder;
      if (marked !== undefined) onEncoding(marked.encoding);
      if (marked !== undefined) return release(marked.decoder, undecided.subarray(marked.length));
    }
    if (undecided.includes(0)) throw notText();
    const first = asciiLength(undecided);
    const ascii = undecided.toString("latin1", 0, first);
    undecided = undecided.subarray(first);
    if (undecided.length === 0 || (undecided.length < EVIDENCE_BYTES && !isEnd)) return ascii;
    const isUnicode = isUtf8(
      undecided.subarray(0, EVIDENCE_BYTES),
      isEnd && undecided.length <= EVIDENCE_BYTES,
    );
    onEncoding(isUnicode ? "UTF-8" : "Windows-1253");
    // Bytes undefined in Windows-1253 become U+FFFD, and only the cell that contains one is refused.
    chosen = isUnicode ? utf8() : byIconv("windows-1253");
    return ascii + release(chosen, undecided);
  }

  function release(decoder: Decoder, bytes: Buffer): string {
    undecided = Buffer.alloc(0);
    return decoder.write(bytes);
  }

  return {
    write(bytes) {
      if (chosen !== undefined) return chosen.write(bytes);
      undecided = undecided.length === 0 ? bytes : Buffer.concat([undecided, bytes]);
      return advance(false);
    },
    end() {
      const rest = chosen === undefined ? advance(true) : "";
      return rest + (chosen?.end() ?? "");
    },
  };
}

/** The number of bytes before the first that is not ASCII. */
function asciiLength(bytes: Buffer): number {
  let index = 0;
  while (index < bytes.length && bytes[index]! < 0x80) index += 1;
  return index;
}

function chooseByMark(head: Buffer): { encoding: CsvEncoding; decoder: Decoder; length: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: "UTF-8 with a byte order mark", decoder: utf8(), length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe)
    return { encoding: "UTF-16", decoder: byIconv("utf-16le"), length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff)
    return { encoding: "UTF-16", decoder: byIconv("utf-16be"), length: 2 };
  return undefined;
}

/** Whether `bytes` are UTF-8. An incomplete last character is invalid only where `isWhole`. */
function isUtf8(bytes: Buffer, isWhole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    // The decoder throws for bytes that are not UTF-8; that is the result here, not a failure.
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
    const text = {
      en: "The file starts as UTF-8 and continues in another encoding; save all of it as CSV UTF-8 and try again",
      el: "Το αρχείο αρχίζει ως UTF-8 και συνεχίζει με άλλη κωδικοποίηση· αποθηκεύστε το ολόκληρο ως CSV UTF-8 και δοκιμάστε ξανά",
    };
    throw new AppError("validation_failed", text, { cause: error });
  }
}

function byIconv(encoding: "windows-1253" | "utf-16le" | "utf-16be"): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" };
}

function notText(): AppError {
  return new AppError("validation_failed", {
    en: "The file is not text; save the sheet as CSV UTF-8 and try again, or name a workbook .xlsx",
    el: "Το αρχείο δεν είναι κείμενο· αποθηκεύστε το φύλλο ως CSV UTF-8 και δοκιμάστε ξανά, ή δώστε σε ένα βιβλίο εργασίας όνομα .xlsx",
    next: { operation: "giveFormat" },
  });
}
