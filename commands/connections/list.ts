/** `fiscal connections list`: connections, newest first. */
import type { Command } from "commander";
import { listConnections } from "../../src/connections/connections.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addMerchantFilter, type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { CONNECTION_COLUMNS } from "./connection-view.ts";

type ConnectionListOptions = ListOptions & MerchantOption;

export function defineList(command: Command, context: CommandContext): void {
  addListOptions(command, context);
  addMerchantFilter(command, context).action((options: ConnectionListOptions) =>
    context.end(list(context, options)),
  );
  addExamples(command, context, "fiscal connections list --merchant shop");
}

async function list(context: CommandContext, options: ConnectionListOptions): Promise<void> {
  await context.withAppliance(async (appliance, mode) => {
    const merchantId = await merchantIdOf(appliance, options.merchant);
    await runList(context, options, {
      none: { en: "No connections.", el: "Δεν υπάρχουν συνδέσεις." },
      columns: CONNECTION_COLUMNS,
      fetch: (page) => listConnections(appliance, mode, merchantId, page),
    });
  });
}
