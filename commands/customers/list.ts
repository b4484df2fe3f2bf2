/** `fiscal customers list`: the customers of a merchant. */
import { type CustomerObject, listCustomers } from "../../src/merchants/customers.ts";
import type { CommandContext } from "../context.ts";
import { chooseMerchant, MERCHANT } from "../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { integer } from "../options.ts";
import { printShortList } from "../results.ts";
import type { Column } from "../../src/operations/view.ts";
import { dayText } from "../../src/operations/values.ts";
import { addressLine } from "./customer-view.ts";
import { verb } from "../define.ts";

interface ListOptions extends MerchantOption {
  limit: number;
}

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 100_000;

export const defineList = verb({
  flags: {
    ...MERCHANT,
    "--limit <n>": { en: "how many", el: "πόσοι", read: integer(1, LIMIT_MAX), initial: LIMIT_DEFAULT },
  },
  examples: ["fiscal customers list --merchant shop", "fiscal customers list --merchant shop --json"],
  run: list,
});

const COLUMNS: readonly Column<CustomerObject>[] = [
  { head: { en: "country", el: "χώρα" }, value: ({ country }) => country },
  { head: { en: "number", el: "ΑΦΜ" }, value: ({ code }) => code },
  { head: { en: "name", el: "επωνυμία" }, wraps: true, value: ({ name }) => name ?? "-" },
  {
    head: { en: "address", el: "διεύθυνση" },
    wraps: true,
    leaveOut: 1,
    value: ({ address }) => addressLine(address),
  },
  { head: { en: "last used", el: "τελευταία χρήση" }, value: (customer) => dayText(customer.last_used) },
];

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const name = await chooseMerchant(context, options.merchant);
  const customers = await context.withAppliance(async (appliance, mode) => {
    const { id: merchantId } = await findMerchant(appliance, name);
    return listCustomers(appliance, { merchantId, mode, limit: options.limit });
  });
  await printShortList(context, customers, {
    columns: COLUMNS,
    none: {
      en: "No customers yet: they are remembered from the merchant's documents.",
      el: "Δεν υπάρχουν ακόμη πελάτες: κρατιούνται από τα παραστατικά της επιχείρησης.",
    },
  });
}
