/**
 * Discards what a response leaves unread of its request's body, before the connection is closed (docs/contract.md#body-size).
 * Closing it with unread data resets it, and a client that is still sending loses the response.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

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
