/** `fiscal events list`: events, newest first. */
import type { Command } from "commander";
import type { EventObject } from "../../src/journal/event-object.ts";
import { listEvents } from "../../src/journal/list-events.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addExamples, instant } from "../options.ts";
import type { Column } from "../ui/table.ts";
import { instantText } from "../ui/values.ts";
import { addEventFilters, type EventFilters, readEventFilters } from "./event-filters.ts";

interface EventListOptions extends ListOptions, EventFilters {
  createdFrom?: string;
  createdTo?: string;
}

export function defineList(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addEventFilters(command, context);
  addListOptions(command, context)
    .option(
      "--created-from <instant>",
      inLanguage({ en: "only at or after", el: "συνέβησαν τότε ή αργότερα" }),
      instant("--created-from"),
    )
    .option(
      "--created-to <instant>",
      inLanguage({ en: "only at or before", el: "συνέβησαν τότε ή νωρίτερα" }),
      instant("--created-to"),
    )
    .action((options: EventListOptions) => context.end(list(context, options)));
  addExamples(command, context, "fiscal events list --type document.rejected --created-from 2025-11-01");
}

const COLUMNS: readonly Column<EventObject>[] = [
  { head: { en: "created", el: "δημιουργία" }, value: (event) => instantText(event.created) },
  { head: { en: "type", el: "τύπος" }, value: (event) => event.type },
  { head: { en: "about", el: "αφορά" }, value: (event) => event.data.object.id },
  { head: "id", leaveOut: 1, value: (event) => event.id },
];

async function list(context: CommandContext, options: EventListOptions): Promise<void> {
  await context.withAppliance(async (appliance, mode) => {
    const filters = {
      ...(await readEventFilters(appliance, options)),
      "created[gte]": options.createdFrom,
      "created[lte]": options.createdTo,
    };
    await runList(context, options, {
      none: { en: "No events.", el: "Δεν υπάρχουν συμβάντα." },
      columns: COLUMNS,
      fetch: (page) => listEvents(appliance, mode, { ...filters, ...page }),
    });
  });
}
