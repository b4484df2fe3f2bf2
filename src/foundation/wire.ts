/** Schemas that the objects of the wire share: ids, instants, the error object. For checking and describing answers. */
import * as v from "valibot";
import type { IdPrefix } from "../../storage/ids.ts";
import { ERROR_CODES } from "./errors.ts";

export function idOf(prefix: IdPrefix) {
  return v.pipe(v.string(), v.regex(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`)));
}

export const InstantText = v.pipe(v.string(), v.isoTimestamp());

/** spec, Error object. */
export const ErrorObjectSchema = v.strictObject({
  code: v.picklist(ERROR_CODES),
  message: v.string(),
  provider_code: v.nullable(v.string()),
  provider_message: v.nullable(v.string()),
  retryable: v.boolean(),
  provider_raw: v.optional(v.unknown()),
});
