/** Refuses requests before routing: too many connections, too many headers, and invalid HTTP that Node's parser accepts. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Config } from "../../src/config/config.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { type Refusal, refusal, refuseRequest } from "../unreadable.ts";
import type { Connections } from "./connections.ts";

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

/** How often a header was sent; `name` is in lower case. */
function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}
