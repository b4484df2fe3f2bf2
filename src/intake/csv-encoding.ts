/**
 * Decodes the bytes of a CSV file: UTF-8 with or without a byte order mark, UTF-16 with one, otherwise Windows-1253, which
 * Greek Excel writes. The result does not depend on how the bytes are divided into chunks.
 */
import { TextDecoder } from "node:util";
import { AppError } from "../foundation/errors.ts";

/** This many bytes, from the first that is not ASCII, decide between UTF-8 and Windows-1253. */
const EVIDENCE_BYTES = 65_536;
/** Longer chunks are decoded in pieces to limit memory. */
const PIECE_BYTES = 65_536;

/** The detected encoding of a file. */
export type CsvEncoding = "UTF-8" | "UTF-8 with a byte order mark" | "UTF-16" | "Windows-1253";

const MARKS = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: "UTF-8 with a byte order mark", label: "utf-8" },
  { mark: Buffer.from([0xff, 0xfe]), encoding: "UTF-16", label: "utf-16le" },
  { mark: Buffer.from([0xfe, 0xff]), encoding: "UTF-16", label: "utf-16be" },
] as const;
const MARK_BYTES_MAX = 3;

/**
 * Yields the text of `source` piece by piece. Calls `onEncoding` once the encoding is known: never for a file with only ASCII,
 * which is the same in all of them. Throws `validation_failed` where the bytes are not text in one encoding.
 */
export async function* decodeCsv(
  source: AsyncIterable<Buffer>,
  onEncoding: (encoding: CsvEncoding) => void = () => {},
): AsyncGenerator<string> {
  let decode: Decode | undefined;
  let isAtStart = true;
  /** Bytes read before the encoding is known. */
  let undecided: Buffer = Buffer.alloc(0);

  function read(bytes: Buffer, isEnd: boolean): string {
    if (decode !== undefined) return decode(bytes, isEnd);
    undecided = Buffer.concat([undecided, bytes]);
    if (isAtStart) {
      if (undecided.length < MARK_BYTES_MAX && !isEnd) return "";
      isAtStart = false;
      const found = MARKS.find(({ mark }) => undecided.subarray(0, mark.length).equals(mark));
      if (found !== undefined) {
        onEncoding(found.encoding);
        decode = decoderOf(found.label);
        return decode(undecided.subarray(found.mark.length), isEnd);
      }
    }
    if (undecided.includes(0)) throw notText();
    const first = asciiLength(undecided);
    const ascii = undecided.toString("latin1", 0, first);
    undecided = undecided.subarray(first);
    if (undecided.length === 0 || (undecided.length < EVIDENCE_BYTES && !isEnd)) return ascii;
    const isWhole = isEnd && undecided.length <= EVIDENCE_BYTES;
    const isUnicode = isUtf8(undecided.subarray(0, EVIDENCE_BYTES), isWhole);
    onEncoding(isUnicode ? "UTF-8" : "Windows-1253");
    decode = decoderOf(isUnicode ? "utf-8" : "windows-1253");
    return ascii + decode(undecided, isEnd);
  }

  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const text = read(chunk.subarray(start, start + PIECE_BYTES), false);
      if (text !== "") yield text;
    }
  }
  const rest = read(Buffer.alloc(0), true);
  if (rest !== "") yield rest;
}

/** The number of bytes before the first that is not ASCII. */
function asciiLength(bytes: Buffer): number {
  let index = 0;
  while (index < bytes.length && bytes[index]! < 0x80) index += 1;
  return index;
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

/** Decodes the next bytes. Those of an incomplete character wait for the next call, except at the end. */
type Decode = (bytes: Buffer, isEnd: boolean) => string;

function decoderOf(label: "utf-8" | "utf-16le" | "utf-16be" | "windows-1253"): Decode {
  const decoder = new TextDecoder(label, { fatal: label === "utf-8", ignoreBOM: true });
  return (bytes, isEnd) => {
    try {
      const text = decoder.decode(bytes, { stream: !isEnd });
      // Only the cell that has a byte which Windows-1253 does not define is refused.
      return label === "windows-1253" ? text.replaceAll(/[\u0080-\u009f]/g, "\ufffd") : text;
    } catch (error) {
      const message = {
        en: "The file starts as UTF-8 and continues in another encoding; save all of it as CSV UTF-8 and try again",
        el: "Το αρχείο αρχίζει ως UTF-8 και συνεχίζει με άλλη κωδικοποίηση· αποθηκεύστε το ολόκληρο ως CSV UTF-8 και δοκιμάστε ξανά",
      };
      throw new AppError("validation_failed", message, { cause: error });
    }
  };
}

function notText(): AppError {
  return new AppError("validation_failed", {
    en: "The file is not text; save the sheet as CSV UTF-8 and try again, or name a workbook .xlsx",
    el: "Το αρχείο δεν είναι κείμενο· αποθηκεύστε το φύλλο ως CSV UTF-8 και δοκιμάστε ξανά, ή δώστε σε ένα βιβλίο εργασίας όνομα .xlsx",
    next: { operation: "giveFormat" },
  });
}
