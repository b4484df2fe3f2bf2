/** `fiscal requests`: the log of API requests. */
import { listRequests } from "../../src/operations/requests.ts";
import { type LazyCommand } from "../lazy-commands.ts";
import { tailOf } from "../tails.ts";
import { verbOf } from "../verb.ts";
import { noun } from "../define.ts";

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

export const defineRequests = noun(VERBS, "fiscal requests list --status 400", "fiscal requests show req_…");
