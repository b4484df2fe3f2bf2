/** `fiscal webhooks update`: changes a webhook endpoint. */
import type { Command } from "commander";
import { updateWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { UsageError } from "../exit.ts";
import { printNote } from "../io.ts";
import { addExamples, choice } from "../options.ts";
import { addEventTypesOption, type EventTypesOption } from "./event-types.ts";
import { printEndpoint } from "./webhook-view.ts";

const STATUSES = ["enabled", "disabled"] as const;

interface UpdateOptions extends EventTypesOption {
  url?: string;
  description?: string;
  status?: (typeof STATUSES)[number];
}

export function defineUpdate(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  command.option(
    "--url <url>",
    inLanguage({
      en: "URL that events are sent to",
      el: "διεύθυνση URL όπου στέλνονται τα συμβάντα",
    }),
  );
  addEventTypesOption(command, context)
    .option(
      "--description <text>",
      inLanguage({
        en: "what the endpoint is for; an empty text removes it",
        el: "σε τι χρησιμεύει το τελικό σημείο (endpoint)· κενή τιμή την αφαιρεί",
      }),
    )
    .option(
      "--status <status>",
      inLanguage({ en: "enabled or disabled", el: "enabled (ενεργό) ή disabled (ανενεργό)" }),
      choice("--status", STATUSES),
    )
    .action((id: string, options: UpdateOptions) => context.end(update(context, id, options)));
  addExamples(command, context, "fiscal webhooks update we_… --status enabled");
}

async function update(context: CommandContext, id: string, options: UpdateOptions): Promise<void> {
  const { url, events, description, status } = options;
  const changes = {
    url,
    enabled_events: events,
    description: description === "" ? null : description,
    status,
  };
  const body = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (Object.keys(body).length === 0)
    throw new UsageError({
      en: "nothing to change: give --url, --events, --description or --status",
      el: "δεν δόθηκε τίποτα προς αλλαγή: δώστε --url, --events, --description ή --status",
    });
  const endpoint = await context.withAppliance((appliance, mode) =>
    updateWebhookEndpoint(appliance, id, body, causeOf(mode)),
  );
  await printEndpoint(context, endpoint);
  if (status === "enabled")
    await printNote(context.io, {
      en: `To send what was held in the meantime: fiscal webhooks replay ${id}`,
      el: `Για να σταλούν όσα κρατήθηκαν στο μεταξύ: fiscal webhooks replay ${id}`,
    });
}
