/** Schemas shared by the objects of the API: ids, instants and the error object. They describe responses, and tests check with them. */
import * as v from "valibot";
import type { IdPrefix } from "../../storage/database/ids.ts";
import { MODES, PROVIDERS } from "../../storage/stored-values.ts";
import { component, described } from "./described.ts";
import { ERROR_CODES } from "./errors.ts";
import { pattern } from "./field-checks.ts";

const NAMES = {
  doc: "document",
  mer: "merchant",
  con: "connection",
  evt: "event",
  pcl: "provider call",
  rql: "logged request",
  cs: "connect session",
  we: "webhook endpoint",
  whd: "delivery",
} as const satisfies Partial<Record<IdPrefix, string>>;

export function idOf(prefix: keyof typeof NAMES) {
  return described(idSchema(prefix), `The id of the ${NAMES[prefix]}.`);
}

/** An id with the given prefix, such as `doc`. */
export function idSchema(prefix: string) {
  const message = {
    en: `must be an id: ${prefix}_ and 22 letters or digits`,
    el: `πρέπει να είναι id: ${prefix}_ και 22 λατινικά γράμματα ή ψηφία`,
  };
  return v.pipe(v.string(), pattern(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`), message));
}

/** The name of the object's kind. */
export function objectName<const Name extends string>(name: Name) {
  return described(v.literal(name), `Always \`${name}\`.`);
}

export const InstantText = v.pipe(v.string(), v.isoTimestamp());

export const CreatedField = described(InstantText, "When it was created, in UTC.");

export const ModeField = described(
  v.picklist(MODES),
  "`test` or `live`: the mode of the API key that made it.",
);
export const LiveModeField = described(v.boolean(), "Whether it belongs to live mode.");

export const ProviderField = described(
  v.picklist(PROVIDERS),
  "The provider: the `sandbox` of test mode, the tax authority's own registry (`registry_direct`), or a licensed provider.",
);

/** docs/contract.md#error-object */
export const ErrorObjectSchema = component(
  "Error",
  "Why something failed. Every failed request has this body; documents, connections and provider calls contain it.",
  v.strictObject({
    code: described(v.picklist(ERROR_CODES), "The stable code. Branch on it, never on the message."),
    message: described(v.string(), "What went wrong, in words that a developer may see."),
    provider_code: described(
      v.nullable(v.string()),
      "The provider's own code; null if the error is not from a provider.",
    ),
    provider_message: described(
      v.nullable(v.string()),
      "The provider's message, word for word; null if the error is not from a provider, or once its retention has ended.",
    ),
    retryable: described(v.boolean(), "Whether the same request may succeed later."),
    provider_raw: described(
      v.optional(v.unknown()),
      "The provider's error body as received. Over 4096 bytes of JSON, a note that it was cut replaces it.",
    ),
  }),
);

/** Matches every x-request-id that this server may have assigned (docs/contract.md#request-ids). */
export const REQUEST_ID_FORM =
  /^(?:req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|client:[A-Za-z0-9._:-]{8,128}|[A-Za-z0-9._-]{1,16}::[A-Za-z0-9._:-]{6,110})$/;

/** The version of the API, sent as `api_version` in events (docs/contract.md#versioning). */
export const API_VERSION = "0.1.0";
