/** Maps errors to HTTP responses: the only place that knows the status of each code (docs/contract.md#error-codes). */
import { AppError, type ErrorCode } from "../src/foundation/errors.ts";

export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  validation_failed: 400,
  unauthorized: 401,
  not_found: 404,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  already_exists: 409,
  invalid_state: 409,
  pdf_not_ready: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  not_supported: 422,
  connection_unavailable: 422,
  regime_mismatch: 422,
  provider_credentials_invalid: 422,
  provider_rejected: 422,
  balance_exceeded: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
  provider_unavailable: 503,
};

/** The error shown to callers instead of an internal one, which may reveal secrets. */
export const UNEXPECTED = new AppError("internal_error", {
  en: "An unexpected error occurred; find it in the log by the request id",
  el: "Παρουσιάστηκε απρόσμενο σφάλμα· βρείτε το στο αρχείο καταγραφής με το αναγνωριστικό του αιτήματος",
});

/** A failed response, with the headers that its error adds. */
export interface Failure {
  status: number;
  json: string;
  headers: Record<string, string>;
}

/** The failure for anything thrown. Only an AppError shows its message; anything else becomes `internal_error`. */
export function failureOf(error: unknown): Failure {
  const known = error instanceof AppError ? error : UNEXPECTED;
  const { code, retryAfterSeconds } = known;
  return {
    status: STATUS_OF[code],
    json: JSON.stringify(known.toObject()),
    headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
  };
}

/** An unexpected error with its stack, for the log only: it may contain secrets. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
