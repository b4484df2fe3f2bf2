/** Refuses requests that never reach the router, in the same form as every other failure. */
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AppError } from "../src/foundation/errors.ts";
import type { Text } from "../src/foundation/text.ts";
import { failureOf } from "./errors.ts";

export interface Refusal {
  status: number;
  error: AppError;
}

const TOO_SLOW = refusal(408, {
  en: "The request did not arrive in time; send it again",
  el: "Το αίτημα δεν έφτασε εγκαίρως· στείλτε το ξανά",
});
const HEADERS_TOO_LARGE = refusal(431, {
  en: "The request's headers are too large for this server; send fewer or shorter ones",
  el: "Οι κεφαλίδες του αιτήματος είναι πολύ μεγάλες για αυτόν τον διακομιστή· στείλτε λιγότερες ή μικρότερες",
});
const NOT_HTTP = refusal(400, {
  en: "The request is not valid HTTP",
  el: "Το αίτημα δεν είναι έγκυρο HTTP",
});

const BY_CODE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

export function refusal(status: number, message: Text): Refusal {
  return { status, error: new AppError("validation_failed", message) };
}

function headersAndBody({ error }: Refusal): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(failureOf(error).body);
  const headers = {
    "content-type": "application/json",
    "x-request-id": `req_${randomUUID()}`,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
  };
  return { headers, body };
}

/** Refuses a request and closes its connection. */
export function refuseRequest(response: ServerResponse, refused: Refusal): void {
  const { headers, body } = headersAndBody(refused);
  response.writeHead(refused.status, headers);
  response.end(body);
}

/** How long to wait for a client that does not read the response or keeps sending. */
const LINGER_MS = 1000;

/** Handles the server's `clientError`: responds and closes. A connection that is gone or has another response is only closed. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const refused = BY_CODE[error.code ?? ""] ?? NOT_HTTP;
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  // What was written of the other response is still sent.
  if (!mayRespond(socket)) return (socket as Socket).destroySoon();
  const { headers, body } = headersAndBody(refused);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...lines];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Discard what still arrives: unread data would reset the connection before the client sees the response.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}

/** The responses of each connection that are not finished, in the order of their requests. */
const unfinished = new WeakMap<Duplex, Set<ServerResponse>>();

/** Call for each request, so that `handleClientError` does not write into its response. */
export function noteResponse({ socket }: IncomingMessage, response: ServerResponse): void {
  const responses = unfinished.get(socket) ?? new Set();
  unfinished.set(socket, responses.add(response));
  for (const event of ["finish", "close"]) response.once(event, () => responses.delete(response));
}

/**
 * Whether a response may be written: not inside another response, and not as the response to another request. A slow or broken body
 * already has a request; it gets this response if none was started.
 */
function mayRespond(socket: Duplex): boolean {
  const [response, next] = unfinished.get(socket) ?? [];
  if (response === undefined) return true;
  return next === undefined && !response.headersSent && !response.req.complete;
}
