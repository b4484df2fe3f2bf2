/** `fiscal merchants update`. */
import type { Command } from "commander";
import { updateMerchant } from "../../src/merchants/merchants.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { UsageError } from "../exit.ts";
import { addExamples } from "../options.ts";
import { findMerchant } from "./find-merchant.ts";
import { addMerchantFlags, bodyOf, type MerchantFlags } from "./merchant-flags.ts";
import { printMerchant } from "./merchant-view.ts";

export function defineUpdate(command: Command, context: CommandContext): void {
  addMerchantFlags(command, context, {
    en: "set a key; an empty value removes it; may be repeated",
    el: "ορίζει ένα ζεύγος ονόματος και τιμής· κενή τιμή το αφαιρεί· επαναλαμβάνεται",
  }).action((name: string, options: MerchantFlags) => context.end(update(context, name, options)));
  addExamples(command, context, "fiscal merchants update shop --branch 2");
}

async function update(context: CommandContext, name: string, options: MerchantFlags): Promise<void> {
  const body = bodyOf(options);
  if (Object.keys(body).length === 0)
    throw new UsageError({
      en: "nothing to change: give --external-id, --name, --tax-id, --branch or --metadata",
      el: "δεν δόθηκε τίποτα προς αλλαγή: δώστε --external-id, --name, --tax-id, --branch ή --metadata",
    });
  if (options.metadata !== undefined) body["metadata"] = emptyToNull(options.metadata);
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, name);
    return updateMerchant(appliance, id, body, causeOf(mode));
  });
  await printMerchant(context, merchant);
}

/** In the API null removes a key; a flag cannot be null, only empty. */
function emptyToNull(metadata: Record<string, string>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, value === "" ? null : value]),
  );
}
