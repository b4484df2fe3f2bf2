/** `fiscal events`: what happened to documents, merchants and connections. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "tail",
    summary: {
      en: "print events as they happen, until interrupted",
      el: "τυπώνει συμβάντα καθώς συμβαίνουν, μέχρι να διακοπεί",
    },
    load: async () => (await import("./tail.ts")).defineTail,
  },
  {
    name: "list",
    summary: { en: "list events, newest first", el: "συμβάντα, πρώτα τα νεότερα" },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<event>",
    summary: { en: "show one event with its snapshot", el: "ένα συμβάν με το στιγμιότυπό του" },
    load: async () => (await import("./show.ts")).defineShow,
  },
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
