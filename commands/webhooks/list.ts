/** `fiscal webhooks list`: webhook endpoints, newest first. */
import type { Command } from "commander";
import { listWebhookEndpoints } from "../../src/webhooks/endpoints.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addExamples } from "../options.ts";
import { ENDPOINT_COLUMNS } from "./webhook-view.ts";

export function defineList(command: Command, context: CommandContext): void {
  addListOptions(command, context).action((options: ListOptions) => context.end(list(context, options)));
  addExamples(command, context, "fiscal webhooks list");
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  await context.withAppliance((appliance, mode) =>
    runList(context, options, {
      none: { en: "No webhook endpoints.", el: "Δεν υπάρχουν τελικά σημεία (endpoints)." },
      columns: ENDPOINT_COLUMNS,
      fetch: (page) => listWebhookEndpoints(appliance, mode, page),
    }),
  );
}
