/** `fiscal events`: what happened to documents, merchants and connections. */
import type { Command } from "commander";
import { getEvent, listEvents, resendEvent } from "../../src/operations/events.ts";
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
  verbOf("resend", resendEvent, {
    line: ({ id, type }) => ({ en: `${id} ${type} queued again`, el: `${id} ${type} μπήκε ξανά στη σειρά` }),
    notes: () => [
      {
        en: "It reaches endpoints while `fiscal serve` runs, and `fiscal webhooks listen` at any time.",
        el: "Στα τελικά σημεία (endpoints) φτάνει όσο τρέχει η `fiscal serve`, στη `fiscal webhooks listen` πάντα.",
      },
    ],
  }),
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
