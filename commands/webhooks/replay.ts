/** `fiscal webhooks replay`: queues deliveries of an endpoint again. */
import type { Command } from "commander";
import { replayWebhookEvents } from "../../src/webhooks/resend.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { printLine, printNote } from "../io.ts";
import { addExamples, instant } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { countText } from "../../src/operations/values.ts";

interface ReplayOptions {
  from?: string;
  to?: string;
  event?: string[];
}

export function defineReplay(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  command
    .option(
      "--from <instant>",
      inLanguage({ en: "only events at or after", el: "συμβάντα τότε ή αργότερα" }),
      instant("--from"),
    )
    .option(
      "--to <instant>",
      inLanguage({ en: "only events at or before", el: "συμβάντα τότε ή νωρίτερα" }),
      instant("--to"),
    )
    .option(
      "--event <events...>",
      inLanguage({
        en: "these events, delivered or not; several separated by spaces",
        el: "αυτά τα συμβάντα, είτε παραδόθηκαν είτε όχι· πολλά με κενά ανάμεσα",
      }),
    )
    .action((id: string, options: ReplayOptions) => context.end(replay(context, id, options)));
  addExamples(
    command,
    context,
    "fiscal webhooks replay we_… --from 2025-11-01 --to 2025-11-03",
    "fiscal webhooks replay we_… --event evt_…",
  );
}

async function replay(context: CommandContext, id: string, options: ReplayOptions): Promise<void> {
  const { io } = context;
  const { from, to, event: events } = options;
  const created = {
    ...(from === undefined ? {} : { gte: from }),
    ...(to === undefined ? {} : { lte: to }),
  };
  const body = {
    ...(Object.keys(created).length === 0 ? {} : { created }),
    ...(events === undefined ? {} : { events }),
  };
  const result = await context.withAppliance((appliance, mode) =>
    replayWebhookEvents(appliance, id, body, causeOf(mode)),
  );
  const count = countText(result.queued);
  if (context.options.json === true) await printJson(io, result);
  else await printLine(io, { en: `${count.en} queued`, el: `${count.el} μπήκαν στη σειρά` });
  if (result.queued > 0)
    await printNote(io, {
      en: "They are sent while `fiscal serve` runs.",
      el: "Στέλνονται όσο τρέχει η `fiscal serve`.",
    });
}
