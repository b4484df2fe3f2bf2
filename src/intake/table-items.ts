/** Documents of a table as items of a batch. */
import { validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { MerchantObject } from "../merchants/merchant-object.ts";
import type { BatchItem } from "./accept-items.ts";
import type { TableDocument, TableSupplier } from "./table-draft.ts";

/** The merchant is the supplier, because a table does not name one. Throws `validation_failed` without a tax number. */
export function supplierOf(merchant: MerchantObject): TableSupplier {
  if (merchant.tax_id !== null) return { taxId: merchant.tax_id, branch: merchant.branch };
  const message = {
    en: "has no tax number; set one",
    el: "δεν έχει ΑΦΜ· ορίστε το",
    next: { operation: "updateMerchant", arguments: { merchant: merchant.id } },
  } as const;
  throw validationError([{ path: "merchant", message }]);
}

/** Its body has no merchant yet. */
export function tableItem(row: TableDocument, place: Text): BatchItem {
  const { reference } = row;
  if ("body" in row) return { place, reference, body: row.body, places: row.places };
  return { place, reference, error: validationError(row.problems) };
}
