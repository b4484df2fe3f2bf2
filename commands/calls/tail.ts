/** `fiscal calls tail`: prints provider calls as they begin. */
import type { Command } from "commander";
import type { ProviderCallObject } from "../../src/logs/log-objects.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";
import { addTailOptions, runTail, type TailOptions } from "../tails.ts";
import { addDocumentFilter, formatHttpStatus, formatOperation } from "./call-view.ts";

interface CallTailOptions extends TailOptions {
  document?: string;
}

export function defineTail(command: Command, context: CommandContext): void {
  addDocumentFilter(command, context);
  addTailOptions(command, context, {
    after: { en: "start with the calls after this one", el: "ξεκινά από τις κλήσεις μετά από αυτή" },
    fromStart: { en: "start with the oldest call", el: "ξεκινά από την παλαιότερη κλήση" },
  }).action((options: CallTailOptions) => context.end(tailCalls(context, options)));
  addExamples(command, context, { line: "fiscal calls tail --json", note: UNTIL_INTERRUPTED });
}

async function tailCalls(context: CommandContext, options: CallTailOptions): Promise<ExitCode> {
  const { followProviderCalls, listProviderCalls } = await import("../../src/logs/list-calls.ts");
  return runTail<ProviderCallObject>(context, options, {
    started: {
      en: "Following the provider calls; Ctrl-C ends it.",
      el: "Παρακολουθούνται οι κλήσεις προς τον πάροχο· σταματά με Ctrl-C.",
    },
    newest: (appliance, mode) => listProviderCalls(appliance, mode, { limit: 1 }),
    follow: (appliance, mode, from) =>
      followProviderCalls(appliance, mode, { ...from, document: options.document }),
    line: (call) =>
      [
        call.started_at,
        call.provider.padEnd(15),
        formatOperation(call).padEnd(13),
        call.outcome.padEnd(9),
        formatHttpStatus(call).padStart(3),
        `${call.duration_ms} ms`,
        call.document ?? "-",
        call.id,
      ].join("  "),
  });
}
