/** `fiscal errors`: explains error codes. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples } from "../options.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "explain",
    arguments: "<code>",
    summary: {
      en: "say what an error code of the tax authority means and what to do about it",
      el: "εξηγεί έναν κωδικό σφάλματος της ΑΑΔΕ και τι μπορείτε να κάνετε",
    },
    load: async () => (await import("./explain.ts")).defineExplain,
  },
];

export function defineErrors(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(noun, context, "fiscal errors explain 102");
}
