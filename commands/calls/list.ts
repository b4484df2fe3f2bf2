/** `fiscal calls list`: provider calls, newest first. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addExamples, instant } from "../options.ts";
import { addDocumentFilter, CALL_COLUMNS } from "./call-view.ts";

interface CallListOptions extends ListOptions {
  document?: string;
  createdFrom?: string;
  createdTo?: string;
}

export function defineList(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addDocumentFilter(command, context);
  addListOptions(command, context)
    .option(
      "--created-from <instant>",
      inLanguage({ en: "begun at or after", el: "που άρχισαν τότε ή αργότερα" }),
      instant("--created-from"),
    )
    .option(
      "--created-to <instant>",
      inLanguage({ en: "begun at or before", el: "που άρχισαν τότε ή νωρίτερα" }),
      instant("--created-to"),
    )
    .action((options: CallListOptions) => context.end(listCalls(context, options)));
  addExamples(command, context, "fiscal calls list --created-from 2025-11-01 --all");
}

async function listCalls(context: CommandContext, options: CallListOptions): Promise<void> {
  const { listProviderCalls } = await import("../../src/logs/list-calls.ts");
  const filters = {
    document: options.document,
    "created[gte]": options.createdFrom,
    "created[lte]": options.createdTo,
  };
  await context.withAppliance((appliance, mode) =>
    runList(context, options, {
      none: { en: "No provider calls.", el: "Δεν υπάρχουν κλήσεις." },
      columns: CALL_COLUMNS,
      fetch: (page) => listProviderCalls(appliance, mode, { ...filters, ...page }),
    }),
  );
}
