/** Redacts request headers for the log. */
import { REDACTED } from "../src/logs/redaction.ts";

/** Header names that suggest a credential, except `idempotency-key`. */
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

/** The headers for the log. If the request carries credentials, every header not known to be harmless is redacted. */
export function headersForLog(
  headers: Iterable<readonly [string, string]>,
  requestId: string,
  carriesCredentials: boolean,
): Record<string, string> {
  const logged: Record<string, string> = {};
  for (const [name, value] of headers) {
    // A rejected request id may contain anything.
    const isRefusedId = name === "x-request-id" && requestId !== `client:${value}`;
    const isHarmless = isRefusedId
      ? false
      : HARMLESS_HEADERS.has(name) || (!carriesCredentials && !CREDENTIAL_HEADER.test(name));
    logged[name] = isHarmless ? value : REDACTED;
  }
  return logged;
}
