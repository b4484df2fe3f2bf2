/** `fiscal events`: what happened to documents, merchants and connections. */
import type { Command } from "commander";
import { getEvent, listEvents } from "../../src/operations/events.ts";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";
import { tailOf } from "../tails.ts";
import { printableLines } from "../ui/printable.ts";
import { verbOf } from "../verb.ts";

const VERBS: readonly LazyCommand[] = [
  tailOf(listEvents),
  verbOf("list", listEvents),
  verbOf("show", getEvent, {
    after: ({ io }, event) => write(io.stdout, `${printableLines(JSON.stringify(event.data, null, 2))}\n`),
  }),
  {
    name: "resend",
    arguments: "<event>",
    summary: {
      en: "send an event again to the endpoints for its type, and to `webhooks listen`",
      el: "στέλνει ξανά ένα συμβάν στα τελικά σημεία (endpoints) που ζητούν τον τύπο του, και στη `webhooks listen`",
    },
    load: async () => (await import("./resend.ts")).defineResend,
  },
];

export function defineEvents(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(
    noun,
    context,
    { line: "fiscal events tail", note: UNTIL_INTERRUPTED },
    "fiscal events list --type document.rejected",
  );
}
