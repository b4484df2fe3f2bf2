/** `fiscal merchants list`: merchants, newest first. */
import type { Command } from "commander";
import { listMerchants } from "../../src/merchants/merchants.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addExamples, choice } from "../options.ts";
import { MERCHANT_COLUMNS } from "./merchant-view.ts";

interface MerchantListOptions extends ListOptions {
  externalId?: string;
  taxId?: string;
  archived?: "true" | "false";
}

export function defineList(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addListOptions(command, context)
    .option(
      "--external-id <id>",
      inLanguage({ en: "only with this external id", el: "με αυτό το εξωτερικό id" }),
    )
    .option("--tax-id <number>", inLanguage({ en: "only with this tax number", el: "με αυτό το ΑΦΜ" }))
    .option(
      "--archived <true|false>",
      inLanguage({
        en: "only archived merchants, or only the others",
        el: "μόνο οι αρχειοθετημένες, ή μόνο οι υπόλοιπες",
      }),
      choice("--archived", ["true", "false"]),
    )
    .action((options: MerchantListOptions) => context.end(list(context, options)));
  addExamples(command, context, "fiscal merchants list --archived false --all");
}

async function list(context: CommandContext, options: MerchantListOptions): Promise<void> {
  const filters = {
    external_id: options.externalId,
    tax_id: options.taxId,
    archived: options.archived === undefined ? undefined : options.archived === "true",
  };
  await context.withAppliance((appliance) =>
    runList(context, options, {
      none: { en: "No merchants.", el: "Δεν υπάρχουν επιχειρήσεις." },
      columns: MERCHANT_COLUMNS,
      fetch: (page) => listMerchants(appliance, { ...filters, ...page }),
    }),
  );
}
