/** An example body for each error code. */
import {
  buildErrorObject,
  ERROR_MEANINGS,
  type ErrorCode,
  type ErrorObject,
} from "../../foundation/errors.ts";
import { sameInBoth } from "../../foundation/text.ts";

const VALIDATION_MESSAGE =
  "document.lines[0].vat_exemption: is required on an exempt line; document.totals.net: must be the sum of the lines' net amounts";

/** The provider's own code and message, for the codes that carry them. */
const PROVIDER_FIELDS: Partial<Record<ErrorCode, { providerCode: string; providerMessage: string }>> = {
  provider_rejected: { providerCode: "203", providerMessage: "Vat number is not valid" },
  provider_credentials_invalid: { providerCode: "401", providerMessage: "Access denied" },
};

/** An example for each of `codes`, by code, in the form of OpenAPI's `examples`. */
export function errorExamples(codes: readonly ErrorCode[]): Record<string, { value: ErrorObject }> {
  return Object.fromEntries(
    codes.map((code) => {
      const message = code === "validation_failed" ? VALIDATION_MESSAGE : ERROR_MEANINGS[code];
      return [code, { value: buildErrorObject(code, sameInBoth(message), PROVIDER_FIELDS[code] ?? {}) }];
    }),
  );
}
