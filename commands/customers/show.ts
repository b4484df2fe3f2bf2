/** `fiscal customers show`: one customer of a merchant. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addMerchantOption, chooseMerchant } from "../merchants/choose-merchant.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { printObject } from "../results.ts";
import { dayText } from "../../src/operations/values.ts";
import { addressLine } from "./customer-view.ts";
import { findNamedCustomer } from "./find-customer.ts";

export function defineShow(command: Command, context: CommandContext): void {
  addMerchantOption(command, context).action((number: string, options: MerchantOption) =>
    context.end(show(context, number, options)),
  );
  addExamples(command, context, "fiscal customers show 094012834 --merchant shop");
}

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
