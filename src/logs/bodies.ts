/** Bodies in the logs: cut at 64 KB, sealed, apart from the row that they belong to. */
import type { Cipher } from "../../storage/cipher.ts";

/** spec, Limits: logged bodies over 64 KB are truncated. Counted in UTF-8 bytes. */
const BODY_BYTES_MAX = 65_536;

/** Both sides of an exchange as they are kept. A side is null when there was none. */
export interface KeptExchange {
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: unknown;
    error?: string;
  } | null;
  response: { status: number; headers: Record<string, string>; body: unknown } | null;
}

/** A body for the log: parsed JSON or text; over the limit, text that ends in the note with the bytes of the whole. */
export function keepBody(text: string | null, isJson: boolean): unknown {
  if (text === null) return null;
  const bytes = Buffer.byteLength(text);
  if (bytes > BODY_BYTES_MAX) return `${cutAtBytes(text, BODY_BYTES_MAX)}… [truncated, ${bytes} bytes]`;
  return isJson ? parsedOrText(text) : text;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What calls itself JSON and is not is kept as the text that came.
    return text;
  }
}

/** The longest beginning of `text` that fits, never cutting a character in two. */
function cutAtBytes(text: string, bytesMax: number): string {
  const head = Buffer.from(text.slice(0, bytesMax)).subarray(0, bytesMax);
  let end = head.length;
  // A continuation byte is 10xxxxxx: step back to the beginning of the character that was cut.
  if (end === bytesMax && Buffer.byteLength(text) > bytesMax) {
    let start = end - 1;
    while (start > 0 && (head[start]! & 0xc0) === 0x80) start -= 1;
    const lead = head[start]!;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (start + length > end) end = start;
  }
  return head.subarray(0, end).toString("utf8");
}

/** Seals an exchange for the record `id`. */
export function sealExchange(cipher: Cipher, id: string, exchange: KeptExchange): Uint8Array {
  return cipher.seal(id, JSON.stringify(exchange));
}
