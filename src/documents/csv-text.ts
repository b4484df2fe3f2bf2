/** The bytes of a file as text: UTF-8 with or without a mark, UTF-16 with one, or Windows-1253, told from the bytes. */
import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { AppError } from "../errors.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1253";

function encodingByMark(head: Buffer): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** Whether the bytes are UTF-8, but for a last character that is cut. */
function isUtf8Beginning(bytes: Buffer): boolean {
  for (let cut = 0; cut <= 3; cut += 1) if (isUtf8(bytes.subarray(0, bytes.length - cut))) return true;
  return false;
}

/**
 * How much is looked at before the encoding is chosen: one byte sequence that is no UTF-8 decides, and Greek text has one
 * within a few letters. As long as everything is ASCII there is nothing to choose.
 */
const DECIDE_BYTES = 4096;

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

function decoderOf(encoding: Encoding): Decoder {
  if (encoding === "utf-8") {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const decode = (bytes: Buffer | undefined) => {
      try {
        return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
      } catch (cause) {
        throw new AppError(
          "validation_failed",
          "The file begins as UTF-8 and goes on as something else; save it again as UTF-8",
          { cause },
        );
      }
    };
    return { write: decode, end: () => decode(undefined) };
  }
  const decoder = iconv.getDecoder(encoding);
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" };
}

/** Text in pieces; letters that fall between two pieces of bytes stay whole. */
export async function* decodeText(source: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const piece of source) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    if (decoder !== undefined) {
      yield decoder.write(bytes);
      continue;
    }
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    // A mark has up to three bytes.
    if (isFirst && waiting.length < 3) continue;
    const marked = isFirst ? encodingByMark(waiting) : undefined;
    isFirst = false;
    if (marked === undefined && isAscii(waiting)) {
      yield waiting.toString("latin1");
      waiting = Buffer.alloc(0);
    } else if (marked !== undefined || waiting.length >= DECIDE_BYTES) {
      decoder = decoderOf(marked ?? chooseEncoding(waiting));
      yield decoder.write(waiting);
    }
  }
  if (decoder === undefined) {
    decoder = decoderOf(encodingByMark(waiting) ?? (isUtf8(waiting) ? "utf-8" : "windows-1253"));
    yield decoder.write(waiting);
  }
  yield decoder.end();
}

function chooseEncoding(bytes: Buffer): Encoding {
  return isUtf8Beginning(bytes) ? "utf-8" : "windows-1253";
}
