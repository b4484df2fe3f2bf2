/** `fiscal requests tail`: prints API requests as they complete. */
import type { Command } from "commander";
import { followRequests, listRequests } from "../../src/logs/list-requests.ts";
import type { ApiRequestObject } from "../../src/logs/log-objects.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";
import { addTailOptions, runTail, type TailOptions } from "../tails.ts";
import { addRequestFilters, queryOf, type RequestFilters } from "./request-filters.ts";

export function defineTail(command: Command, context: CommandContext): void {
  addRequestFilters(command, context);
  addTailOptions(command, context, {
    after: { en: "start with the requests after this one", el: "ξεκινά από τα αιτήματα μετά από αυτό" },
    fromStart: { en: "start with the oldest request", el: "ξεκινά από το παλαιότερο αίτημα" },
  }).action((options: TailOptions & RequestFilters) => context.end(tail(context, options)));
  addExamples(command, context, {
    line: "fiscal requests tail --operation issueDocument --json",
    note: UNTIL_INTERRUPTED,
  });
}

async function tail(context: CommandContext, options: TailOptions & RequestFilters): Promise<ExitCode> {
  return runTail<ApiRequestObject>(context, options, {
    started: {
      en: "Following the requests; Ctrl-C ends it.",
      el: "Παρακολουθούνται τα αιτήματα· σταματά με Ctrl-C.",
    },
    newest: (appliance, mode) => listRequests(appliance, mode, { limit: 1 }),
    follow: (appliance, mode, from) => followRequests(appliance, mode, { ...queryOf(options), ...from }),
    line: (request) =>
      [
        request.created,
        String(request.status),
        `${request.duration_ms} ms`.padStart(7),
        `${request.method} ${request.path}`,
        request.document ?? "-",
        request.request_id,
      ].join("  "),
  });
}
