/** `fiscal webhooks remove`: deletes a webhook endpoint. */
import type { Command } from "commander";
import { deleteWebhookEndpoint, getWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printLine } from "../io.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";

export function defineRemove(command: Command, context: CommandContext): void {
  addYesOption(command, context).action((id: string, options: YesOption) =>
    context.end(remove(context, id, options)),
  );
  addExamples(command, context, "fiscal webhooks remove we_… --yes");
}

async function remove(context: CommandContext, id: string, options: YesOption): Promise<ExitCode> {
  const { io } = context;
  const removed = await context.withAppliance(async (appliance, mode) => {
    const { url } = await getWebhookEndpoint(appliance, mode, id);
    const isConfirmed = await confirmChange(context, options, {
      en: `Remove the endpoint ${url}? Its pending deliveries will not be sent.`,
      el: `Να διαγραφεί το τελικό σημείο (endpoint) ${url}; Όσα μένουν να σταλούν εκεί δεν θα σταλούν.`,
    });
    return isConfirmed ? deleteWebhookEndpoint(appliance, id, causeOf(mode)) : undefined;
  });
  if (removed === undefined) return EXIT.failure;
  if (context.options.json === true) await printJson(io, removed);
  else await printLine(io, { en: `${id} removed`, el: `${id} διαγράφηκε` });
  return EXIT.done;
}
