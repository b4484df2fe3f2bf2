/**
 * Refuses requests before routing, in the same form as every other failure: too many connections or headers, slow clients, and invalid
 * HTTP, also where Node's parser accepts it. What a response leaves unread of its request's body is discarded before the connection is
 * closed (docs/contract.md#body-size): closing it with unread data resets it, and a client that is still sending loses the response.
 */
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Config } from "../../src/config/config.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Connections } from "./connections.ts";
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Text } from "../../src/foundation/text.ts";
import { failureOf } from "../errors.ts";

const BUSY_SECONDS = 1;
const BUSY: Refusal = {
  status: 503,
  error: new AppError(
    "service_unavailable",
    {
      en: "Too many connections; try again after retry-after",
      el: "Πάρα πολλές συνδέσεις· δοκιμάστε ξανά μετά το retry-after",
    },
    { retryAfterSeconds: BUSY_SECONDS },
  ),
};

/** RFC 9112, 3.2: HTTP/1.1 requires exactly one Host. Of several, Node uses the first and a proxy may use the last. */
const NO_HOST = refusal(400, {
  en: "The request is not valid HTTP: it has no Host header",
  el: "Το αίτημα δεν είναι έγκυρο HTTP: λείπει η κεφαλίδα Host",
});
const TWO_HOSTS = refusal(400, {
  en: "The request is not valid HTTP: it has more than one Host header",
  el: "Το αίτημα δεν είναι έγκυρο HTTP: έχει περισσότερες από μία κεφαλίδες Host",
});

/** RFC 9112, 6.1: with another coding the end of the body is unknown. */
const UNKNOWN_CODING = refusal(501, {
  en: "Only Transfer-Encoding: chunked is supported",
  el: "Υποστηρίζεται μόνο Transfer-Encoding: chunked",
});

/** Calls `handle` only for requests that pass the checks. */
export function guardRequests(
  handle: RequestListener,
  connections: Connections,
  { maxHeaders }: Config["server"],
): RequestListener {
  const tooManyHeaders = refusal(431, {
    en: `The request has more than ${maxHeaders} headers; send fewer`,
    el: `Το αίτημα έχει περισσότερες από ${maxHeaders} κεφαλίδες· στείλτε λιγότερες`,
  });
  const refusalOf = (request: IncomingMessage, isCounted: boolean): Refusal | undefined => {
    // A busy process must not look dead to a health check.
    if (!isCounted && request.url !== "/healthz") return BUSY;
    // `rawHeaders` alternates names and values.
    if (request.rawHeaders.length / 2 > maxHeaders) return tooManyHeaders;
    if (request.headers.host === undefined && request.httpVersion === "1.1") return NO_HOST;
    if (isRepeated("host", request.rawHeaders)) return TWO_HOSTS;
    const coding = request.headers["transfer-encoding"];
    if (coding !== undefined && coding.toLowerCase() !== "chunked") return UNKNOWN_CODING;
    return undefined;
  };
  return (request, response) => {
    const refused = refusalOf(request, connections.begin(request, response));
    if (refused === undefined) handle(request, response);
    else refuseRequest(response, refused);
  };
}

/** Whether `rawHeaders` has the header twice. Node's own list of all values is made of every header. */
function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  const isHere = (text: string, place: number) => place % 2 === 0 && text.toLowerCase() === name;
  return rawHeaders.findIndex(isHere) !== rawHeaders.findLastIndex(isHere);
}

interface Refusal {
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
  const { json: body, headers: added } = failureOf(error);
  const headers = {
    "content-type": "application/json",
    "x-request-id": `req_${randomUUID()}`,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...added,
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

interface Limits {
  bytes: number;
  ms: number;
}

/** Per body. A client that sends more may lose the response, but cannot keep the server busy. */
const LIMITS_OF_REST: Limits = { bytes: 64 * 1024 * 1024, ms: 5000 };

/** Calls `handle` with responses that are sent at once, but end only when the request has ended. */
export function discardRests(handle: RequestListener, limits = LIMITS_OF_REST): RequestListener {
  return (request, response) => {
    if (hasBody(request)) delayEnd(request, response, limits);
    handle(request, response);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

function delayEnd(request: IncomingMessage, response: ServerResponse, limits: Limits): void {
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.end = (...given: unknown[]) => {
    if (request.complete || request.destroyed) return end(...given);
    // The other arguments are a callback and an encoding, which only text needs.
    const lastPart = typeof given[0] === "function" ? undefined : given.shift();
    if (lastPart === undefined || lastPart === null) response.flushHeaders();
    else response.write(lastPart);
    discardRest(request, limits, () => end(...given.filter((argument) => typeof argument === "function")));
    return response;
  };
}

/** Calls `done` once the request has ended or its connection is closed, which happens here where `limits` are reached. */
function discardRest(request: IncomingMessage, limits: Limits, done: () => void): void {
  const cut = () => void request.socket.destroy();
  const timer = setTimeout(cut, limits.ms);
  let left = limits.bytes;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.once("close", () => {
    clearTimeout(timer);
    done();
  });
  request.resume();
}
