/** Merchants as tables and fields. */
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { printObject } from "../results.ts";
import type { Column } from "../../src/operations/view.ts";
import { instantText } from "../../src/operations/values.ts";
import { yesOrNo } from "../../src/operations/words.ts";

export const MERCHANT_COLUMNS: readonly Column<MerchantObject>[] = [
  { head: "id", leaveOut: 1, value: (merchant) => merchant.id },
  { head: { en: "external id", el: "εξωτερικό id" }, value: (merchant) => merchant.external_id },
  { head: { en: "name", el: "επωνυμία" }, shortens: true, value: (merchant) => merchant.name },
  { head: { en: "tax number", el: "ΑΦΜ" }, value: (merchant) => merchant.tax_id ?? "-" },
  {
    head: { en: "branch", el: "εγκατάσταση" },
    leaveOut: 2,
    align: "right",
    value: (merchant) => String(merchant.branch),
  },
  {
    head: { en: "archived", el: "αρχειοθετημένη" },
    leaveOut: 3,
    value: (merchant) => yesOrNo(merchant.archived),
  },
];

export function printMerchant(context: CommandContext, merchant: MerchantObject): Promise<void> {
  return printObject(context, merchant, [
    ["id", merchant.id],
    [{ en: "external id", el: "εξωτερικό id" }, merchant.external_id],
    [{ en: "name", el: "επωνυμία" }, merchant.name],
    [{ en: "tax number", el: "ΑΦΜ" }, merchant.tax_id],
    [{ en: "branch", el: "εγκατάσταση" }, merchant.branch],
    [{ en: "archived", el: "αρχειοθετημένη" }, yesOrNo(merchant.archived)],
    [{ en: "created", el: "δημιουργία" }, instantText(merchant.created)],
    ...Object.entries(merchant.metadata).map(
      ([key, value]) => [sameInBoth(`metadata ${key}`), value] as const,
    ),
  ]);
}
