/** `fiscal calls`: the log of requests to providers and their responses. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "tail",
    summary: {
      en: "print calls as they begin, until interrupted",
      el: "τυπώνει κλήσεις καθώς αρχίζουν, μέχρι να διακοπεί",
    },
    load: async () => (await import("./tail.ts")).defineTail,
  },
  {
    name: "list",
    summary: { en: "list provider calls, newest first", el: "κλήσεις προς παρόχους, πρώτα οι νεότερες" },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<call>",
    summary: {
      en: "show one call with its request and response, without credentials",
      el: "μία κλήση με όσα στάλθηκαν και όσα επέστρεψαν, χωρίς διαπιστευτήρια",
    },
    load: async () => (await import("./show.ts")).defineShow,
  },
];

export function defineCalls(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(noun, context, "fiscal calls list --document doc_…", {
    line: "fiscal calls tail",
    note: UNTIL_INTERRUPTED,
  });
}
