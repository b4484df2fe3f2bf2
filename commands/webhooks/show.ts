/** `fiscal webhooks show`: one webhook endpoint. */
import type { Command } from "commander";
import { getWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import type { CommandContext } from "../context.ts";
import { addExamples } from "../options.ts";
import { printEndpoint } from "./webhook-view.ts";

export function defineShow(command: Command, context: CommandContext): void {
  command.action((id: string) => context.end(show(context, id)));
  addExamples(command, context, "fiscal webhooks show we_… --json");
}

async function show(context: CommandContext, id: string): Promise<void> {
  const endpoint = await context.withAppliance((appliance, mode) => getWebhookEndpoint(appliance, mode, id));
  await printEndpoint(context, endpoint);
}
