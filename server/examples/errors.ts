/** An example body for each error code. */
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../src/foundation/errors.ts";
import { sameInBoth } from "../../src/foundation/text.ts";

const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  validation_failed:
    "document.lines[0].vat_exemption: is required on an exempt line; document.totals.net: must be the sum of the lines' net amounts",
  unauthorized: "An API key is required: Authorization: Bearer <API_KEY>",
  not_found: "Not found in the mode of this API key",
  idempotency_conflict: "This Idempotency-Key was already used with a different request; choose another one",
  idempotency_in_progress:
    "A request with this Idempotency-Key is still in progress; try again after the Retry-After value",
  already_exists: "An object with this identifier already exists; look it up",
  payload_too_large: "The body is larger than 4194304 bytes",
  unsupported_media_type: "The body must be JSON (Content-Type: application/json)",
  not_supported: "The provider does not support this operation",
  connection_unavailable:
    "The merchant has no active connection in this mode; connect it to a provider first",
  rate_limited: "Too many requests; try again after the Retry-After value",
  internal_error: "An unexpected error occurred; find it in the log by the request id",
  service_unavailable: "A required service or the disk is not available; try again later",
  invalid_state: "The object is not in a state that allows this",
  regime_mismatch: "This document must go through a licensed provider; connect the merchant to one",
  provider_credentials_invalid: "The provider refused the credentials; enter them again and verify",
  provider_rejected: "The provider refused the document",
  balance_exceeded: "The merchant's plan at the provider is used up",
  provider_unavailable: "The provider is not responding; try again later",
  pdf_not_ready: "The PDF is not ready yet; try again in a moment",
};

/** The provider's own code and message, for the codes that carry them. */
const PROVIDER_FIELDS: Partial<Record<ErrorCode, { providerCode: string; providerMessage: string }>> = {
  provider_rejected: { providerCode: "203", providerMessage: "Vat number is not valid" },
  provider_credentials_invalid: { providerCode: "401", providerMessage: "Access denied" },
};

/** An example for each of `codes`, by code, in the form of OpenAPI's `examples`. */
export function errorExamples(codes: readonly ErrorCode[]): Record<string, { value: ErrorObject }> {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      { value: buildErrorObject(code, sameInBoth(MESSAGES[code]), PROVIDER_FIELDS[code] ?? {}) },
    ]),
  );
}
