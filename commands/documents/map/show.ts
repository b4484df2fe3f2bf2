/** `fiscal documents map show`: prints a merchant's column map. */
import { stringify } from "smol-toml";
import { findRememberedMap } from "../../../src/intake/remembered-maps.ts";
import type { CommandContext } from "../../context.ts";
import { write } from "../../io.ts";
import { chooseMerchant, MERCHANT } from "../../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../../merchants/find-merchant.ts";
import { printJson } from "../../ui/json.ts";
import { missingMap } from "./missing-map.ts";
import { verb } from "../../define.ts";

export const defineShow = verb({
  flags: {
    ...MERCHANT,
  },
  examples: ["fiscal documents map show --merchant shop > map.toml"],
  run: show,
});

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
