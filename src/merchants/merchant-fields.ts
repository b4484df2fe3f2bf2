/** The fields that a merchant has in requests and in responses (docs/contract.md#merchants). */
import { described } from "../foundation/described.ts";
import { integerBetween, trimmedCharacters } from "../foundation/field-schemas.ts";

export const MERCHANT_FIELDS = {
  external_id: described(
    trimmedCharacters(200),
    "Your own id for the merchant. Unique, whether in upper or lower case.",
  ),
  name: described(trimmedCharacters(200), "The name of the business."),
  branch: described(
    integerBetween(0, 9999),
    "The number of the branch in the tax authority's records; 0, the default, is the head office.",
  ),
};
