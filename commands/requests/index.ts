/** `fiscal requests`: the log of API requests. */
import type { Command } from "commander";
import { listRequests } from "../../src/operations/requests.ts";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples } from "../options.ts";
import { tailOf } from "../tails.ts";
import { verbOf } from "../verb.ts";

const VERBS: readonly LazyCommand[] = [
  tailOf(listRequests),
  verbOf("list", listRequests),
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
