/** Schemas shared by the objects of the API: ids, instants and the error object. They describe responses, and tests check with them. */
import * as v from "valibot";
import type { IdPrefix } from "../../storage/database/ids.ts";
import { ERROR_CODES } from "./errors.ts";

export function idOf(prefix: IdPrefix) {
  return v.pipe(v.string(), v.regex(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`)));
}

export const InstantText = v.pipe(v.string(), v.isoTimestamp());

/** docs/contract.md#error-object */
export const ErrorObjectSchema = v.strictObject({
  code: v.picklist(ERROR_CODES),
  message: v.string(),
  provider_code: v.nullable(v.string()),
  provider_message: v.nullable(v.string()),
  retryable: v.boolean(),
  provider_raw: v.optional(v.unknown()),
});
