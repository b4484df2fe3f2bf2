/** `fiscal documents map forget`: deletes a merchant's column map. */
import { forgetMap } from "../../../src/intake/remembered-maps.ts";
import { confirmChange, type YesOption, YES } from "../../confirmation.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT, type ExitCode } from "../../exit.ts";
import { printNote } from "../../io.ts";
import { chooseMerchant, MERCHANT } from "../../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../../merchants/find-merchant.ts";
import { printJson } from "../../ui/json.ts";
import { missingMap } from "./missing-map.ts";
import { verb } from "../../define.ts";

type ForgetOptions = MerchantOption & YesOption;

export const defineForget = verb({
  flags: {
    ...MERCHANT,
    ...YES,
  },
  examples: ["fiscal documents map forget --merchant shop --yes"],
  run: forget,
});

async function forget(context: CommandContext, options: ForgetOptions): Promise<ExitCode> {
  const { io } = context;
  const name = await chooseMerchant(context, options.merchant);
  const isConfirmed = await confirmChange(context, options, {
    en: "Forget the merchant's column map?",
    el: "Να ξεχαστεί η αντιστοίχιση στηλών της επιχείρησης;",
  });
  if (!isConfirmed) return EXIT.failure;
  const merchant = await context.withAppliance(async (appliance) => {
    const found = await findMerchant(appliance, name);
    if (!(await forgetMap(appliance, found.id))) throw missingMap(found);
    return found;
  });
  if (context.options.json === true)
    await printJson(io, { object: "column_map", merchant: merchant.id, deleted: true });
  await printNote(io, {
    en: `The column map of ${merchant.external_id} is forgotten.`,
    el: `Η αντιστοίχιση στηλών της ${merchant.external_id} ξεχάστηκε.`,
  });
  return EXIT.done;
}
