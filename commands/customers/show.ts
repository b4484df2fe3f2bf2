/** `fiscal customers show`: one customer of a merchant. */
import type { CommandContext } from "../context.ts";
import { chooseMerchant, MERCHANT } from "../merchants/choose-merchant.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { printObject } from "../results.ts";
import { dayText } from "../../src/operations/values.ts";
import { addressLine } from "./customer-view.ts";
import { findNamedCustomer } from "./find-customer.ts";
import { verb } from "../define.ts";

export const defineShow = verb({
  flags: {
    ...MERCHANT,
  },
  examples: ["fiscal customers show 094012834 --merchant shop"],
  run: show,
});

async function show(context: CommandContext, number: string, options: MerchantOption): Promise<void> {
  const merchant = await chooseMerchant(context, options.merchant);
  const { customer } = await context.withAppliance((appliance, mode) =>
    findNamedCustomer(appliance, mode, { merchant, number }),
  );
  await printObject(context, customer, [
    [{ en: "country", el: "χώρα" }, customer.country],
    [{ en: "number", el: "ΑΦΜ" }, customer.code],
    [{ en: "name", el: "επωνυμία" }, customer.name ?? "-"],
    [{ en: "address", el: "διεύθυνση" }, addressLine(customer.address)],
    [{ en: "last used", el: "τελευταία χρήση" }, dayText(customer.last_used)],
  ]);
}
