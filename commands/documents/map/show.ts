/** `fiscal documents map show`: prints a merchant's column map. */
import type { Command } from "commander";
import { stringify } from "smol-toml";
import { findRememberedMap } from "../../../src/intake/remembered-maps.ts";
import type { CommandContext } from "../../context.ts";
import { write } from "../../io.ts";
import { addMerchantOption, chooseMerchant } from "../../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../../merchants/find-merchant.ts";
import { addExamples } from "../../options.ts";
import { printJson } from "../../ui/json.ts";
import { missingMap } from "./missing-map.ts";

export function defineShow(command: Command, context: CommandContext): void {
  addMerchantOption(command, context).action((options: MerchantOption) =>
    context.end(show(context, options)),
  );
  addExamples(command, context, "fiscal documents map show --merchant shop > map.toml");
}

async function show(context: CommandContext, options: MerchantOption): Promise<void> {
  const { io } = context;
  const name = await chooseMerchant(context, options.merchant);
  const { merchant, stored } = await context.withAppliance(async (appliance) => {
    const found = await findMerchant(appliance, name);
    return { merchant: found, stored: await findRememberedMap(appliance, found.id) };
  });
  if (stored === undefined) throw missingMap(merchant);
  const { map, updated } = stored;
  if (context.options.json === true)
    return printJson(io, { object: "column_map", merchant: merchant.id, ...map, updated });
  // In TOML a plain value must come before the tables.
  const { ignore, ...tables } = map;
  await write(io.stdout, `${stringify({ ignore, ...tables })}\n`);
}
