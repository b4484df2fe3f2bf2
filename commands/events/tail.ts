/** `fiscal events tail`: prints events as they happen. */
import type { Command } from "commander";
import type { EventObject } from "../../src/journal/event-object.ts";
import { followEvents, listEvents } from "../../src/journal/list-events.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";
import { addTailOptions, runTail, type TailOptions } from "../tails.ts";
import { addEventFilters, type EventFilters, readEventFilters } from "./event-filters.ts";

export function defineTail(command: Command, context: CommandContext): void {
  addEventFilters(command, context);
  addTailOptions(command, context, {
    after: { en: "start with the events after this one", el: "ξεκινά από τα συμβάντα μετά από αυτό" },
    fromStart: { en: "start with the oldest event", el: "ξεκινά από το παλαιότερο συμβάν" },
  }).action((options: TailOptions & EventFilters) => context.end(tail(context, options)));
  addExamples(command, context, {
    line: "fiscal events tail --type document.issued --json",
    note: UNTIL_INTERRUPTED,
  });
}

async function tail(context: CommandContext, options: TailOptions & EventFilters): Promise<ExitCode> {
  return runTail<EventObject>(context, options, {
    started: {
      en: "Following the events; Ctrl-C ends it.",
      el: "Παρακολουθούνται τα συμβάντα· σταματά με Ctrl-C.",
    },
    newest: (appliance, mode) => listEvents(appliance, mode, { limit: 1 }),
    async *follow(appliance, mode, from) {
      const filters = await readEventFilters(appliance, options);
      yield* followEvents(appliance, mode, { ...filters, ...from });
    },
    line: (event) => `${event.created}  ${event.type.padEnd(24)}  ${event.data.object.id}`,
  });
}
