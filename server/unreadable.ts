/** What the parser of HTTP refuses before there is a request to route: answered in the shape of every failure all the same. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "../src/errors.ts";
import { failureOf } from "./errors.ts";

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The request's headers are larger than this server takes; send fewer or shorter ones",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time; send it again",
};
const OTHER_MESSAGE = "The request is not valid HTTP";

/** Answers a request that Node itself would refuse with an empty body: in the shape of every failure, and closes. */
export function refuseRequest(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify(failureOf(new AppError("validation_failed", message)).body);
  response.writeHead(status, {
    "content-type": "application/json",
    "x-request-id": `req_${randomUUID()}`,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  response.end(body);
}

/** For `clientError` of the server: answers 400 and closes. A connection that is gone, or that has an answer under way, only ends. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // As Node's own handler looks (`_http_server`, Node 24): a second answer would stand inside the first one.
  const underWay: unknown = Reflect.get(socket, "_httpMessage");
  if (!socket.writable || error.code === "ECONNRESET" || (underWay !== null && underWay !== undefined)) {
    socket.destroy();
    return;
  }
  const message = MESSAGES[error.code ?? ""] ?? OTHER_MESSAGE;
  const body = JSON.stringify(failureOf(new AppError("validation_failed", message)).body);
  const head = [
    "HTTP/1.1 400 Bad Request",
    "content-type: application/json",
    `x-request-id: req_${randomUUID()}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
