/** `fiscal requests list`: API requests, newest first. */
import type { Command } from "commander";
import { listRequests } from "../../src/logs/list-requests.ts";
import type { ApiRequestObject } from "../../src/logs/log-objects.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addExamples, instant } from "../options.ts";
import type { Column } from "../ui/table.ts";
import { countText, instantText } from "../ui/values.ts";
import { addRequestFilters, queryOf, type RequestFilters } from "./request-filters.ts";

interface RequestListOptions extends ListOptions, RequestFilters {
  createdFrom?: string;
  createdTo?: string;
}

export function defineList(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addRequestFilters(command, context);
  addListOptions(command, context)
    .option(
      "--created-from <instant>",
      inLanguage({ en: "received at or after", el: "έφτασαν τότε ή αργότερα" }),
      instant("--created-from"),
    )
    .option(
      "--created-to <instant>",
      inLanguage({ en: "received at or before", el: "έφτασαν τότε ή νωρίτερα" }),
      instant("--created-to"),
    )
    .action((options: RequestListOptions) => context.end(list(context, options)));
  addExamples(command, context, "fiscal requests list --status 422 --created-from 2025-11-01");
}

const COLUMNS: readonly Column<ApiRequestObject>[] = [
  { head: { en: "created", el: "δημιουργία" }, value: (request) => instantText(request.created) },
  {
    head: { en: "operation", el: "ενέργεια" },
    value: (request) => request.operation_id ?? `${request.method} ${request.path}`,
  },
  { head: { en: "status", el: "κατάσταση" }, align: "right", value: (request) => String(request.status) },
  { head: "ms", leaveOut: 1, align: "right", value: (request) => countText(request.duration_ms) },
  { head: { en: "document", el: "παραστατικό" }, leaveOut: 3, value: (request) => request.document ?? "-" },
  { head: "id", leaveOut: 2, value: (request) => request.id },
];

async function list(context: CommandContext, options: RequestListOptions): Promise<void> {
  const filters = {
    ...queryOf(options),
    "created[gte]": options.createdFrom,
    "created[lte]": options.createdTo,
  };
  await context.withAppliance((appliance, mode) =>
    runList(context, options, {
      none: { en: "No requests.", el: "Δεν υπάρχουν αιτήματα." },
      columns: COLUMNS,
      fetch: (page) => listRequests(appliance, mode, { ...filters, ...page }),
    }),
  );
}
