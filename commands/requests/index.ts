/** `fiscal requests`: the log of API requests. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples } from "../options.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "tail",
    summary: {
      en: "print requests as they are answered, until interrupted",
      el: "τυπώνει αιτήματα καθώς απαντώνται, μέχρι να διακοπεί",
    },
    load: async () => (await import("./tail.ts")).defineTail,
  },
  {
    name: "list",
    summary: { en: "list API requests, newest first", el: "αιτήματα του API, πρώτα τα νεότερα" },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<request>",
    summary: {
      en: "show a request with its response, document, provider calls and events, by id or x-request-id",
      el: "ένα αίτημα με την απάντηση, το παραστατικό, τις κλήσεις και τα συμβάντα του, με id ή x-request-id",
    },
    load: async () => (await import("./show.ts")).defineShow,
  },
];

export function defineRequests(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(noun, context, "fiscal requests list --status 400", "fiscal requests show req_…");
}
