/** `fiscal events resend`: sends an event again. */
import type { Command } from "commander";
import { resendEvent } from "../../src/webhooks/resend.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { printLine, printNote } from "../io.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";

interface ResendOptions {
  endpoint?: string;
}

export function defineResend(command: Command, context: CommandContext): void {
  command
    .option(
      "--endpoint <endpoint>",
      context.inLanguage({
        en: "only to this endpoint",
        el: "μόνο σε αυτό το τελικό σημείο (endpoint)",
      }),
    )
    .action((id: string, options: ResendOptions) => context.end(resend(context, id, options)));
  addExamples(command, context, "fiscal events resend evt_… --endpoint we_…");
}

async function resend(context: CommandContext, id: string, { endpoint }: ResendOptions): Promise<void> {
  const { io } = context;
  const body = endpoint === undefined ? {} : { webhook_endpoint: endpoint };
  const event = await context.withAppliance((appliance, mode) =>
    resendEvent(appliance, id, body, causeOf(mode)),
  );
  const name = `${event.id} ${event.type}`;
  if (context.options.json === true) await printJson(io, event);
  else await printLine(io, { en: `${name} queued again`, el: `${name} μπήκε ξανά στη σειρά` });
  await printNote(io, {
    en: "It reaches endpoints while `fiscal serve` runs, and `fiscal webhooks listen` at any time.",
    el: "Στα τελικά σημεία (endpoints) φτάνει όσο τρέχει η `fiscal serve`, στη `fiscal webhooks listen` πάντα.",
  });
}
