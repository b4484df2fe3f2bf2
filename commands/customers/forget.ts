/** `fiscal customers forget`: deletes what is remembered about a customer. */
import { forgetCustomer } from "../../src/merchants/customers.ts";
import { confirmChange, type YesOption, YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote } from "../io.ts";
import { chooseMerchant, MERCHANT } from "../merchants/choose-merchant.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { printJson } from "../ui/json.ts";
import { findNamedCustomer } from "./find-customer.ts";
import { verb } from "../define.ts";

type ForgetOptions = MerchantOption & YesOption;

export const defineForget = verb({
  flags: {
    ...MERCHANT,
    ...YES,
  },
  examples: ["fiscal customers forget 094012834 --merchant shop --yes"],
  run: forget,
});

async function forget(context: CommandContext, number: string, options: ForgetOptions): Promise<ExitCode> {
  const merchant = await chooseMerchant(context, options.merchant);
  return context.withAppliance(async (appliance, mode) => {
    const { named } = await findNamedCustomer(appliance, mode, { merchant, number });
    const isConfirmed = await confirmChange(context, options, {
      en: "Forget this customer? Its documents stay.",
      el: "Να ξεχαστεί αυτός ο πελάτης; Τα παραστατικά του μένουν.",
    });
    if (!isConfirmed) return EXIT.failure;
    await forgetCustomer(appliance, named);
    if (context.options.json === true) {
      const { country, code } = named;
      await printJson(context.io, { object: "customer", country, code, deleted: true });
    }
    await printNote(context.io, { en: "The customer is forgotten.", el: "Ο πελάτης ξεχάστηκε." });
    return EXIT.done;
  });
}
