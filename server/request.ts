/** Reads a request: its id, API key and other secrets, idempotency key and body. */
import { isUtf8 } from "node:buffer";
import { hash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { H3Event } from "h3";
import { AppError, validationError } from "../src/foundation/errors.ts";
import type { Text } from "../src/foundation/text.ts";

/** Our own secrets are refused in fields that are stored and shown. */
const OWN_SECRET = /fiscal_(?:test|live)_[0-9A-Za-z]{20}|whsec_[0-9A-Za-z]{20}/;
/** What a caller may send as its own id (docs/contract.md#request-ids). */
const CLIENT_ID_FORM = /^[A-Za-z0-9._:-]{8,128}$/;
const PLATFORM_ID_FORM = /^[A-Za-z0-9._-]{1,16}::[A-Za-z0-9._:-]{6,110}$/;

/** The request's id: the platform's if a header for it is configured, otherwise the caller's, otherwise a generated one. */
export function requestIdOf(headers: Headers, platformHeader: string): string {
  if (platformHeader !== "") {
    const given = headers.get(platformHeader);
    if (given !== null && PLATFORM_ID_FORM.test(given)) return given;
  }
  const client = headers.get("x-request-id");
  const isAccepted = client !== null && CLIENT_ID_FORM.test(client) && !OWN_SECRET.test(client);
  return isAccepted ? `client:${client}` : `req_${timeOrderedUuid()}`;
}

/**
 * A version 7 UUID: it starts with the time, so that the log's index by id grows at its end. The rest is that of a version 4 UUID, of
 * which Node makes many at once.
 */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

export function bearerOf(headers: Headers): string | undefined {
  return BEARER.exec(headers.get("authorization") ?? "")?.[1];
}

/** Compares in constant time. */
export function equalsSecret(given: string, secret: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", secret, "buffer"));
}

const KEY_REQUIRED: Text = {
  en: "this header is required here",
  el: "αυτή η κεφαλίδα είναι υποχρεωτική εδώ",
};
const KEY_MALFORMED: Text = {
  en: "must have 1 to 255 printable ASCII characters without spaces",
  el: "πρέπει να έχει 1 έως 255 εκτυπώσιμους χαρακτήρες ASCII χωρίς κενά",
};
const KEY_IS_SECRET: Text = {
  en: "must not contain a secret: it is stored and shown",
  el: "δεν πρέπει να περιέχει μυστικό: αποθηκεύεται και εμφανίζεται",
};
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key, or null. Throws `validation_failed` if it is missing but required, or malformed. */
export function idempotencyKeyOf(headers: Headers, isRequired: boolean): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) {
    if (isRequired) throw validationError([{ path: "Idempotency-Key", message: KEY_REQUIRED }]);
    return null;
  }
  const message = problemWithKey(key);
  if (message !== undefined) throw validationError([{ path: "Idempotency-Key", message }]);
  return key;
}

export function problemWithKey(key: string): Text | undefined {
  if (!KEY_FORM.test(key)) return KEY_MALFORMED;
  return OWN_SECRET.test(key) ? KEY_IS_SECRET : undefined;
}

/** Node's own request; undefined for one that did not arrive over a socket. */
export function nodeRequestOf(event: H3Event): IncomingMessage | undefined {
  return event.runtime?.node?.req as IncomingMessage | undefined;
}

const UTF8_PARAMETER = /^charset\s*=\s*"?utf-?8"?$/;

/** Other parameters are allowed, but every charset must be UTF-8. */
function isJsonInUtf8(contentType: string): boolean {
  if (contentType === "application/json") return true;
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  return (
    type === "application/json" &&
    parameters.every((parameter) => !parameter.startsWith("charset") || UTF8_PARAMETER.test(parameter))
  );
}

/** Throws `unsupported_media_type` for anything but JSON in UTF-8. */
export function requireJson(headers: Headers): void {
  if (!isJsonInUtf8(headers.get("content-type") ?? "")) {
    throw new AppError("unsupported_media_type", {
      en: "The body must be JSON in UTF-8: send Content-Type: application/json",
      el: "Το σώμα πρέπει να είναι JSON σε UTF-8: στείλτε Content-Type: application/json",
    });
  }
}

/** Throws `unsupported_media_type` for a compressed body: nothing here decompresses one. */
function refuseCompression(headers: Headers): void {
  const coding = headers.get("content-encoding");
  if (coding === null || coding.trim().toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", {
    en: "Compressed bodies are not supported: send the body without Content-Encoding",
    el: "Τα συμπιεσμένα σώματα δεν υποστηρίζονται: στείλτε το σώμα χωρίς Content-Encoding",
  });
}

/** `declared` is the size in bytes of the whole body, if the request states it. */
function tooLarge(bytesMax: number, declared?: number): AppError {
  const size =
    declared === undefined
      ? { en: "", el: "" }
      : { en: ` of ${declared} bytes`, el: ` των ${declared} byte` };
  return new AppError("payload_too_large", {
    en: `The body${size.en} is larger than the limit of ${bytesMax} bytes`,
    el: `Το σώμα${size.el} υπερβαίνει το όριο των ${bytesMax} byte`,
  });
}

/** Whether the request has no body, so that its content type does not matter. */
export function hasNoBody(event: H3Event): boolean {
  if (nodeRequestOf(event) === undefined) return event.req.body === null;
  const { headers } = event.req;
  return (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding");
}

/**
 * The body as text. Throws `unsupported_media_type` if it is compressed, `payload_too_large` as soon as it exceeds `bytesMax`,
 * and `validation_failed` for invalid UTF-8.
 */
export async function readBodyText(event: H3Event, bytesMax: number): Promise<string> {
  const bytes = await readBodyBytes(event, bytesMax);
  if (!isUtf8(bytes))
    throw new AppError("validation_failed", {
      en: "The body is not valid UTF-8",
      el: "Το σώμα δεν είναι έγκυρο UTF-8",
    });
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export async function readBodyBytes(event: H3Event, bytesMax: number): Promise<Buffer> {
  refuseCompression(event.req.headers);
  const declared = Number(event.req.headers.get("content-length") ?? "0");
  if (declared > bytesMax) throw tooLarge(bytesMax, declared);
  const request = nodeRequestOf(event);
  // A client that asks first sends nothing that is refused anyway. Node leaves an HTTP/1.0 client's question unanswered.
  if (request?.headers.expect !== undefined && request.httpVersion !== "1.0")
    event.runtime?.node?.res?.writeContinue();
  try {
    return await readChunks(request ?? Readable.from(event.req.body ?? []), bytesMax);
  } catch (error) {
    if (request?.aborted !== true) throw error;
    throw new AppError("validation_failed", {
      en: "The request ended before its body was complete",
      el: "Το αίτημα τελείωσε πριν ολοκληρωθεί το σώμα του",
    });
  }
}

/** The stream stays open, because a request is needed for its response; the rest of a body that is too large is discarded where that ends. */
function readChunks(stream: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const take = (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length <= bytesMax) return;
      stream.off("data", take).pause();
      reject(tooLarge(bytesMax));
    };
    const fail = () => reject(stream.errored ?? new Error("The body was closed before its end"));
    const end = () => {
      // The close that follows is no failure.
      stream.off("close", fail);
      resolve(Buffer.concat(chunks, length));
    };
    if (stream.destroyed) fail();
    else stream.on("data", take).once("end", end).once("error", fail).once("close", fail);
  });
}
