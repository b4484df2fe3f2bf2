/** Which headers of a request the log shows, and which it only names. */
import { REDACTED } from "../src/logs/redaction.ts";

/** Names that say that a header may carry a credential; `idempotency-key` is none. */
const CREDENTIAL_HEADER = /auth|key|secret|token|cookie|passw|credential|session|signature|user/;
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "user-agent",
  "x-request-id",
]);

/** Headers for the log. Where credentials are sent, one may have come in any header that is not known to be harmless. */
export function headersForLog(
  headers: Headers,
  requestId: string,
  carriesCredentials: boolean,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    // A request id that was not taken may be anything.
    const isRefusedId = name === "x-request-id" && requestId !== `client:${value}`;
    const isHarmless = isRefusedId
      ? false
      : HARMLESS_HEADERS.has(name) || (!carriesCredentials && !CREDENTIAL_HEADER.test(name));
    kept[name] = isHarmless ? value : REDACTED;
  }
  return kept;
}
