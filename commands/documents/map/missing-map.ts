/** The error for a merchant without a stored column map. */
import { AppError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";

export function missingMap({ external_id: merchant }: MerchantObject): AppError {
  return new AppError("not_found", {
    en: `No column map is stored for ${merchant}; \`fiscal documents issue --map FILE --remember-map\` stores one`,
    el: `Δεν έχει κρατηθεί αντιστοίχιση στηλών για την ${merchant}· την κρατά η \`fiscal documents issue --map FILE --remember-map\``,
  });
}
