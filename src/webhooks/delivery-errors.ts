/** What went wrong where no answer came, in the classes that deliveries show. */
import type { FailureClass } from "./endpoint-object.ts";

/** Thrown while connecting, where the network guard refuses the address. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
  readonly code = "FISCAL_BLOCKED";
}

export type Trouble = Exclude<FailureClass, "http">;

const DNS_CODES: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);
/** A certificate that is not trusted, and what OpenSSL says about a peer that speaks no TLS. */
const TLS_CODE = /CERT|SIGNATURE|SELF_SIGNED|^ERR_SSL|^ERR_TLS|^EPROTO$/;

/** Throws `error` again where no network is to blame. An abort counts as `timeout`: who aborted knows better. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Error)) throw error;
  if (error instanceof BlockedAddressError) return "blocked";
  // Several addresses were tried: the first tells as much as any.
  if (error instanceof AggregateError) return troubleOf(error.errors[0]);
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timeout";
  // What answers is no HTTP; undici (8.12) throws it without a code for some faults.
  if (error.name === "HTTPParserError") return "connect";
  const { code } = error as { code?: unknown };
  if (typeof code !== "string" || code === "UND_ERR_INVALID_ARG") throw error;
  if (DNS_CODES.has(code)) return "dns";
  if (TIMEOUT_CODES.has(code)) return "timeout";
  return TLS_CODE.test(code) ? "tls" : "connect";
}
