/** `fiscal documents map`: the column map that is remembered for a merchant. */
import type { Command } from "commander";
import { AppError } from "../../src/foundation/errors.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { tell, write } from "../io.ts";
import { chooseMerchant } from "../merchants/choose-merchant.ts";
import { findMerchant } from "../merchants/find-merchant.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { confirmed } from "../ui/prompt.ts";

interface MapOptions {
  merchant?: string;
  yes?: boolean;
}

export function defineMap(noun: Command, context: CommandContext): void {
  const map = noun
    .command("map")
    .description("what the columns of a merchant's files mean, as `documents issue --remember-map` kept it");
  withExample(map, "fiscal documents map show --merchant shop");
  withExample(
    map
      .command("show")
      .description("print the map as the file that --map takes")
      .option("--merchant <merchant>", "id or external id")
      .action((options: MapOptions) => context.end(runShow(context, options))),
    "fiscal documents map show --merchant shop > map.toml",
  );
  withExample(
    map
      .command("forget")
      .description("read later files of the merchant without a map")
      .option("--merchant <merchant>", "id or external id")
      .option("--yes", "do not ask")
      .action((options: MapOptions) => context.end(runForget(context, options))),
    "fiscal documents map forget --merchant shop --yes",
  );
}

async function runShow(context: CommandContext, options: MapOptions): Promise<void> {
  const name = await chooseMerchant(context, options.merchant);
  const { findRememberedMap } = await import("../../src/intake/remembered-maps.ts");
  const { merchant, kept } = await context.withAppliance(async (appliance) => {
    const found = await findMerchant(appliance, name);
    return { merchant: found, kept: await findRememberedMap(appliance, found.id) };
  });
  if (kept === undefined) throw noMap(merchant);
  if (context.options.json === true) {
    const { map, updated } = kept;
    return printJson(context.io.stdout, { object: "column_map", merchant: merchant.id, ...map, updated });
  }
  const { stringify } = await import("smol-toml");
  const { ignore, ...tables } = kept.map;
  await write(context.io.stdout, `${stringify({ ignore, ...tables })}\n`);
}

async function runForget(context: CommandContext, options: MapOptions): Promise<ExitCode> {
  const { io } = context;
  const name = await chooseMerchant(context, options.merchant);
  if (!(await confirmed(io, options.yes, "Forget the merchant's column map?"))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { forgetMap } = await import("../../src/intake/remembered-maps.ts");
  const merchant = await context.withAppliance(async (appliance) => {
    const found = await findMerchant(appliance, name);
    if (!(await forgetMap(appliance, found.id))) throw noMap(found);
    return found;
  });
  if (context.options.json === true)
    await printJson(io.stdout, { object: "column_map", merchant: merchant.id, deleted: true });
  await tell(io, `The column map of ${merchant.external_id} is forgotten.`);
  return EXIT.done;
}

function noMap(merchant: MerchantObject): AppError {
  return new AppError(
    "not_found",
    `No column map is remembered for ${merchant.external_id}; \`fiscal documents issue --map FILE --remember-map\` keeps one`,
  );
}
