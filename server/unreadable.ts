/** What is refused before there is a request to route: answered in the shape of every failure all the same. */
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "../src/foundation/errors.ts";
import { failureOf } from "./errors.ts";

export interface Refusal {
  status: number;
  error: AppError;
}

/** Whole, and sent again it may be: so the same request may succeed. */
const TOO_SLOW: Refusal = {
  status: 408,
  error: new AppError("validation_failed", "The request did not arrive in time; send it again", {
    retryable: true,
  }),
};
/** Node tells the number of bytes only. */
const HEADERS_TOO_LARGE: Refusal = refusal(
  431,
  "The request's headers are larger than this server takes; send fewer or shorter ones",
);
const NOT_HTTP = refusal(400, "The request is not valid HTTP");

const BY_CODE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

export function refusal(status: number, message: string): Refusal {
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

/** Answers a request that Node itself would refuse with an empty body: in the shape of every failure, and closes. */
export function refuseRequest(response: ServerResponse, refused: Refusal): void {
  const { headers, body } = headersAndBody(refused);
  response.writeHead(refused.status, headers);
  response.end(body);
}

/** A client that does not take its answer, or goes on sending, is waited for no longer than this. */
const LINGER_MS = 1000;

/** For `clientError` of the server: answers and closes. A connection that is gone, or that has another's answer under way, only ends. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const refused = BY_CODE[error.code ?? ""] ?? NOT_HTTP;
  if (!socket.writable || error.code === "ECONNRESET" || !mayAnswer(socket)) {
    socket.destroy();
    return;
  }
  const { headers, body } = headersAndBody(refused);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...lines];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Nobody reads any more: what still comes is let through, or the other end might never see the answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}

/**
 * As Node's own handler looks (`_http_server`, Node 24): the answer must not stand inside another, nor for another. A body
 * that comes too slowly or is broken has a request already, and the answer is this one as long as nobody has begun another.
 */
function mayAnswer(socket: Duplex): boolean {
  const underWay = Reflect.get(socket, "_httpMessage") as ServerResponse | null | undefined;
  if (underWay === null || underWay === undefined) return true;
  const parser = Reflect.get(socket, "parser") as { incoming?: IncomingMessage | null } | null | undefined;
  return !underWay.headersSent && !underWay.req.complete && parser?.incoming === underWay.req;
}
