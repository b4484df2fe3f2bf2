/** From errors to answers: the one place that knows which HTTP status a code has (spec, Errors; decisions 2.8). */
import { AppError, type ErrorCode, type ErrorObject } from "../src/foundation/errors.ts";

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

/** What a caller is told of a fault of ours: nothing of it but that it happened. */
const UNEXPECTED = new AppError(
  "internal_error",
  "An unexpected error happened; the request id names it in the log",
);

export interface Failure {
  status: number;
  body: ErrorObject;
  retryAfterSeconds: number | undefined;
}

/** The failure of anything thrown. Whatever is not an AppError is ours, and its text stays inside. */
export function failureOf(error: unknown): Failure {
  const known = error instanceof AppError ? error : UNEXPECTED;
  return {
    status: STATUS_OF[known.code],
    body: known.toObject(),
    retryAfterSeconds: known.retryAfterSeconds,
  };
}

/** An unexpected error for the log, never for an answer. */
export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
