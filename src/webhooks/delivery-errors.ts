/** Classifies network errors into the failure classes that deliveries show. */
import { BlockedAddressError } from "../foundation/guarded-connector.ts";
import type { FailureClass } from "./endpoint-object.ts";

export type NetworkFailure = Exclude<FailureClass, "http">;

const DNS_CODES: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);
/** Untrusted certificates, and OpenSSL errors about a peer that does not speak TLS. */
const TLS_CODE = /CERT|SIGNATURE|SELF_SIGNED|^ERR_SSL|^ERR_TLS|^EPROTO$/;

/** Rethrows an error that is not about the network. An abort counts as `timeout`; the caller knows if it aborted itself. */
export function classifyFailure(error: unknown): NetworkFailure {
  if (!(error instanceof Error)) throw error;
  if (error instanceof BlockedAddressError) return "blocked";
  // Several addresses were tried; the first error is representative.
  if (error instanceof AggregateError) return classifyFailure(error.errors[0]);
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timeout";
  // The response is not HTTP; undici 8.12 throws this without a code for some faults.
  if (error.name === "HTTPParserError") return "connect";
  const { code } = error as { code?: unknown };
  if (typeof code !== "string" || code === "UND_ERR_INVALID_ARG") throw error;
  if (DNS_CODES.has(code)) return "dns";
  if (TIMEOUT_CODES.has(code)) return "timeout";
  return TLS_CODE.test(code) ? "tls" : "connect";
}
