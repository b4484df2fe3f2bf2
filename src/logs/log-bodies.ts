/** Prepares bodies for the logs: redacts, truncates and encrypts them (docs/contract.md#logged-bodies). */
import { placeIn } from "../../storage/encryption/sealed.ts";
import { StringDecoder } from "node:string_decoder";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import { type BodyRow, findBody } from "../../storage/logs/logs.ts";
import { readJson } from "../foundation/json.ts";
import type { Redactor } from "./redaction.ts";

/** Larger bodies are truncated. */
export const BODY_BYTES_MAX = 65_536;

/** Replaces a side whose method, URL and headers alone exceed the limit. */
interface OmittedSide {
  omitted: string;
}

export interface RequestSide {
  method: string;
  /** With its query. Requests to this server have the path only. */
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Why there is no response. */
  error?: string;
}

export interface ResponseSide {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Both sides of an exchange as they are stored. A side that did not happen is null. */
export interface LoggedExchange {
  request: RequestSide | OmittedSide | null;
  response: ResponseSide | OmittedSide | null;
}

/** At the end of what is searched a secret may be cut in half. Longer than any secret, encoded too. */
const UNCERTAIN_END = 8_192;
/** Of a longer body only this much is searched, because a search takes up to two seconds for a megabyte. */
const SEARCHED_MAX = BODY_BYTES_MAX + UNCERTAIN_END;

/**
 * Parses JSON, and truncates a body over the limit to text that ends with a note of its full size. Credentials are removed
 * first, because half of one would not be recognised.
 */
export function buildLoggedBody(body: string | object | null, isJson: boolean, redactor?: Redactor): unknown {
  if (body === null) return null;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes <= BODY_BYTES_MAX) return isJson && typeof body === "string" ? parsedOrText(body) : body;
  return `${cutAtBytes(redactBeginning(text, redactor), BODY_BYTES_MAX)}… [truncated, ${bytes} bytes]`;
}

function redactBeginning(text: string, redactor: Redactor | undefined): string {
  if (redactor === undefined) return text;
  if (text.length <= SEARCHED_MAX) return redactor.text(text);
  return redactor.text(text.slice(0, SEARCHED_MAX)).slice(0, -UNCERTAIN_END);
}

/** The server accepts 32 levels, and no provider sends as many as this. Recursion into far deeper ones overflows the stack. */
const DEPTH_MAX = 200;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function parsedOrText(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isDeeper(parsed, DEPTH_MAX) ? text : parsed;
  } catch {
    // Not JSON, regardless of its content type: stored as text.
    return text;
  }
}

/** The longest prefix of `text` that fits, without splitting a character. */
function cutAtBytes(text: string, bytesMax: number): string {
  return new StringDecoder("utf8").write(Buffer.from(text.slice(0, bytesMax)).subarray(0, bytesMax));
}

/** Removes credentials, and replaces a side that exceeds the limit without its body. */
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
  if (side === null) return side;
  const { body: _body, ...head } = side;
  const bytes = Buffer.byteLength(JSON.stringify(head));
  return bytes > BODY_BYTES_MAX ? { omitted: `${bytes} bytes without the body` } : side;
}

/** A provider's exchange by the id of its row, or those of requests that were logged in one commit, by the ids of theirs. */
type LoggedExchanges = Record<string, LoggedExchange>;

/** Compresses and encrypts exchanges of the row `id`. `text` is their JSON. */
export function sealExchanges(cipher: Cipher, id: string, exchanges: LoggedExchanges | string): Uint8Array {
  const text = typeof exchanges === "string" ? exchanges : JSON.stringify(exchanges);
  return cipher.seal(placeIn("bodies", id), zstdCompressSync(text));
}

/** The exchanges in a row; those of version 0.2.0 have one each, uncompressed. Empty if they cannot be decrypted. */
export function openExchanges(
  cipher: Cipher,
  { id, sealed }: Pick<BodyRow, "id" | "sealed">,
): LoggedExchanges {
  const opened = cipher.open(placeIn("bodies", id), sealed);
  if (opened === undefined) return {};
  return isCompressed(opened)
    ? readJson<LoggedExchanges>(zstdDecompressSync(opened).toString("utf8"))
    : { [id]: readJson<LoggedExchange>(opened.toString("utf8")) };
}

/** JSON begins otherwise. */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const isCompressed = (bytes: Buffer) => bytes.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC);

/** Returns the exchange of `id` in the bodies `bodyId`; undefined if they were deleted or cannot be decrypted. */
export type FindExchange = (bodyId: string, id: string) => Promise<LoggedExchange | undefined>;

/** Reads the exchanges of many rows. Those that share bodies follow one another. */
export function createExchangeReader(session: KeyedSession): FindExchange {
  let last: { id: string; exchanges: LoggedExchanges } | undefined;
  return async (bodyId, id) => {
    if (last?.id !== bodyId) {
      const body = await findBody(session, { id: bodyId });
      last = { id: bodyId, exchanges: body === undefined ? {} : openExchanges(session.cipher, body) };
    }
    return last.exchanges[id];
  };
}
