/** `fiscal webhooks add`: creates a webhook endpoint. */
import type { Command } from "commander";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { addIdempotencyKeyOption, claimFor, printReplayed } from "../idempotency-key.ts";
import { addExamples } from "../options.ts";
import { askFor } from "../ui/prompt.ts";
import { addEventTypesOption, type EventTypesOption } from "./event-types.ts";
import { type Endpoint, printEndpoint, printSaveSecretNote } from "./webhook-view.ts";

interface AddOptions extends EventTypesOption {
  url?: string;
  description?: string;
  idempotencyKey?: string;
}

export function defineAdd(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  command.option(
    "--url <url>",
    inLanguage({
      en: "URL that events are sent to; in live mode https",
      el: "διεύθυνση URL όπου στέλνονται τα συμβάντα· στην παραγωγική λειτουργία https",
    }),
  );
  addEventTypesOption(command, context).option(
    "--description <text>",
    inLanguage({ en: "what the endpoint is for", el: "σε τι χρησιμεύει το τελικό σημείο (endpoint)" }),
  );
  addIdempotencyKeyOption(command, context).action((options: AddOptions) =>
    context.end(add(context, options)),
  );
  addExamples(
    command,
    context,
    "fiscal webhooks add --url https://example.com/webhooks --events '*' --description \"web shop\"",
  );
}

async function add(context: CommandContext, options: AddOptions): Promise<void> {
  const { description, idempotencyKey: key } = options;
  const url = await askFor(context.io, options.url, {
    flag: "--url",
    message: { en: "URL that events are sent to", el: "Διεύθυνση URL όπου στέλνονται τα συμβάντα" },
  });
  const types = options.events ?? (await askForTypes(context));
  const body = { url, enabled_events: types, ...(description === undefined ? {} : { description }) };
  const claim = claimFor("createWebhookEndpoint", key, {}, body);
  const created = await context.withAppliance((appliance, mode) =>
    createWebhookEndpoint(appliance, body, causeOf(mode, key ?? null), claim),
  );
  if (created.replayed) await printReplayed(context.io);
  await printEndpoint(context, JSON.parse(created.json) as Endpoint & { secret: string });
  await printSaveSecretNote(context);
}

async function askForTypes({ io }: CommandContext): Promise<string[]> {
  const message = {
    en: "Event types, separated by commas (* for all)",
    el: "Τύποι συμβάντων, με κόμματα ανάμεσα (* για όλους)",
  };
  const answer = await askFor(io, undefined, { flag: "--events", message });
  return answer.split(",").map((type) => type.trim());
}
