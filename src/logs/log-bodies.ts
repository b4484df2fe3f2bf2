/** Bodies in the logs: without credentials, cut at 64 KB, sealed, apart from the row that they belong to. */
import type { Cipher } from "../../storage/cipher.ts";
import { readJson } from "../foundation/json.ts";
import type { Redactor } from "./redaction.ts";

/** spec, Limits: logged bodies over 64 KB are truncated. Counted in UTF-8 bytes. */
export const BODY_BYTES_MAX = 65_536;

/** spec, Provider call: the side whose headers alone are over the limit. */
interface OmittedSide {
  omitted: string;
}

export interface RequestSide {
  method: string;
  /** Whole: with its query. A request to this server has the path alone. */
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Why no answer came. */
  error?: string;
}

export interface ResponseSide {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Both sides of an exchange as they are kept. A side is null when there was none. */
export interface LoggedExchange {
  request: RequestSide | OmittedSide | null;
  response: ResponseSide | OmittedSide | null;
}

/** A body for the log: parsed JSON or text; over the limit, text that ends in the note with the bytes of the whole. */
export function buildLoggedBody(text: string | null, isJson: boolean): unknown {
  if (text === null) return null;
  const bytes = Buffer.byteLength(text);
  if (bytes > BODY_BYTES_MAX) return `${cutAtBytes(text, BODY_BYTES_MAX)}… [truncated, ${bytes} bytes]`;
  return isJson ? parsedOrText(text) : text;
}

/** Deeper than anything that this server takes (32) or a provider sends; walking much deeper ones overflows the stack. */
const DEPTH_MAX = 200;

/** Whether JSON text nests deeper than is walked. Brackets inside strings count too: such a text is kept as it is. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function parsedOrText(text: string): unknown {
  if (isTooDeep(text)) return text;
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

/** The exchange without the credentials that `redactor` knows, and without a side that is too large but for its body. */
export function redactExchange(
  { request, response }: { request: RequestSide | null; response: ResponseSide | null },
  redactor: Redactor | undefined,
): LoggedExchange {
  const cleanRequest =
    request === null || redactor === undefined
      ? request
      : {
          ...request,
          url: redactor.url(request.url),
          headers: redactor.headers(request.headers),
          body: redactor.json(request.body),
          ...(request.error === undefined ? {} : { error: redactor.text(request.error) }),
        };
  const cleanResponse =
    response === null || redactor === undefined
      ? response
      : { ...response, headers: redactor.headers(response.headers), body: redactor.json(response.body) };
  return { request: withinLimit(cleanRequest), response: withinLimit(cleanResponse) };
}

function withinLimit<Side extends RequestSide | ResponseSide>(side: Side | null): Side | OmittedSide | null {
  if (side === null) return null;
  const { body: _body, ...head } = side;
  const bytes = Buffer.byteLength(JSON.stringify(head));
  return bytes > BODY_BYTES_MAX ? { omitted: `${bytes} bytes without the body` } : side;
}

/** Seals an exchange for the record `id`. */
export function sealExchange(cipher: Cipher, id: string, exchange: LoggedExchange): Uint8Array {
  return cipher.seal(id, JSON.stringify(exchange));
}

/** The exchange of the record `id`; undefined when it cannot be opened: another master key, or damage. */
export function openExchange(cipher: Cipher, id: string, sealed: Uint8Array): LoggedExchange | undefined {
  const opened = cipher.open(id, sealed);
  return opened === undefined ? undefined : readJson<LoggedExchange>(opened.toString("utf8"));
}
