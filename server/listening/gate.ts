/** What every request must be before it is routed: counted, and refused where the parser of HTTP lets too much through. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Config } from "../../src/config/config.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { type Refusal, refusal, refuseRequest } from "../unreadable.ts";
import type { Connections } from "./connections.ts";

const BUSY_SECONDS = 1;
const BUSY: Refusal = {
  status: 503,
  error: new AppError("service_unavailable", "There are too many connections; try again after retry-after", {
    retryAfterSeconds: BUSY_SECONDS,
  }),
};

/** RFC 9112, 3.2: a request of HTTP/1.1 without Host is 400, and so is one with several. Node takes the first of them, another the last. */
const NO_HOST = refusal(400, "The request is not valid HTTP: it has no Host header");
const TWO_HOSTS = refusal(400, "The request is not valid HTTP: it has more than one Host header");

/** RFC 9112, 6.1: where the body ends cannot be told. */
const UNKNOWN_CODING = refusal(501, "Only Transfer-Encoding: chunked is understood");

/** `handle` behind the gate. */
export function guarded(
  handle: RequestListener,
  connections: Connections,
  { maxHeaders }: Config["server"],
): RequestListener {
  const tooMany = refusal(431, `The request has more than ${maxHeaders} headers; send fewer`);
  const refusalOf = (request: IncomingMessage, isCounted: boolean): Refusal | undefined => {
    // Whoever asks whether the process lives must not take one that is busy for dead.
    if (!isCounted && request.url !== "/healthz") return BUSY;
    // Names and values stand in one list.
    if (request.rawHeaders.length / 2 > maxHeaders) return tooMany;
    if (request.headers.host === undefined && request.httpVersion === "1.1") return NO_HOST;
    if (countOf(request, "host") > 1) return TWO_HOSTS;
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

/** How often a header of the name, in lower case, was sent. */
function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}
