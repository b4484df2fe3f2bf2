/** Redacts request headers for the log. */
import { isLoggedHeader, REDACTED } from "../src/logs/redaction.ts";

/** The headers for the log. A request id that was refused may contain anything. */
export function headersForLog(
  headers: Iterable<readonly [string, string]>,
  requestId: string,
): Record<string, string> {
  const logged: Record<string, string> = {};
  for (const [name, value] of headers) {
    const isRefusedId = name === "x-request-id" && requestId !== `client:${value}`;
    logged[name] = isLoggedHeader(name) && !isRefusedId ? value : REDACTED;
  }
  return logged;
}
