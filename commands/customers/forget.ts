/** `fiscal customers forget`: deletes what is remembered about a customer. */
import type { Command } from "commander";
import { forgetCustomer } from "../../src/merchants/customers.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote } from "../io.ts";
import { addMerchantOption, chooseMerchant } from "../merchants/choose-merchant.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { findNamedCustomer } from "./find-customer.ts";

type ForgetOptions = MerchantOption & YesOption;

export function defineForget(command: Command, context: CommandContext): void {
  addMerchantOption(command, context);
  addYesOption(command, context).action((number: string, options: ForgetOptions) =>
    context.end(forget(context, number, options)),
  );
  addExamples(command, context, "fiscal customers forget 094012834 --merchant shop --yes");
}

async function forget(context: CommandContext, number: string, options: ForgetOptions): Promise<ExitCode> {
  const merchant = await chooseMerchant(context, options.merchant);
  return context.withAppliance(async (appliance, mode) => {
    const { key } = await findNamedCustomer(appliance, mode, { merchant, number });
    const isConfirmed = await confirmChange(context, options, {
      en: "Forget this customer? Its documents stay.",
      el: "Να ξεχαστεί αυτός ο πελάτης; Τα παραστατικά του μένουν.",
    });
    if (!isConfirmed) return EXIT.failure;
    await forgetCustomer(appliance, key);
    if (context.options.json === true) {
      const { country, code } = key;
      await printJson(context.io, { object: "customer", country, code, deleted: true });
    }
    await printNote(context.io, { en: "The customer is forgotten.", el: "Ο πελάτης ξεχάστηκε." });
    return EXIT.done;
  });
}
