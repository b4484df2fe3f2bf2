/** `fiscal documents list`: documents, newest first. */
import type { Command } from "commander";
import { listDocuments } from "../../src/documents/list-documents.ts";
import {
  DOCUMENT_STATUSES,
  type DocumentStatus,
  type Provider,
  PROVIDERS,
} from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addMerchantFilter, type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";
import { addExamples, choice, day, instant } from "../options.ts";
import { listWords } from "../../src/operations/words.ts";
import { DOCUMENT_COLUMNS } from "./document-view.ts";

interface DocumentListOptions extends ListOptions, MerchantOption {
  status?: DocumentStatus;
  type?: string;
  provider?: Provider;
  mark?: string;
  reference?: string;
  issuedFrom?: string;
  issuedTo?: string;
  createdFrom?: string;
  createdTo?: string;
}

export function defineList(command: Command, context: CommandContext): void {
  addListOptions(command, context);
  addFilters(command, context).action((options: DocumentListOptions) => context.end(list(context, options)));
  addExamples(command, context, "fiscal documents list --status rejected --all --json");
}

function addFilters(command: Command, context: CommandContext): Command {
  const { inLanguage } = context;
  return addMerchantFilter(command, context)
    .option(
      "--status <status>",
      inLanguage(listWords(DOCUMENT_STATUSES)),
      choice("--status", DOCUMENT_STATUSES),
    )
    .option(
      "--type <type>",
      inLanguage({
        en: "only of this document type, for example 1.1",
        el: "αυτού του τύπου παραστατικού, για παράδειγμα 1.1",
      }),
    )
    .option(
      "--provider <provider>",
      inLanguage({ en: "only through this provider", el: "μέσω αυτού του παρόχου" }),
      choice("--provider", PROVIDERS),
    )
    .option("--mark <mark>", inLanguage({ en: "only with this MARK", el: "με αυτό το ΜΑΡΚ" }))
    .option(
      "--reference <reference>",
      inLanguage({ en: "only with this external reference", el: "με αυτή την εξωτερική αναφορά" }),
    )
    .option(
      "--issued-from <day>",
      inLanguage({
        en: "only with this issue date or later",
        el: "με αυτή την ημερομηνία έκδοσης ή μεταγενέστερη",
      }),
      day("--issued-from"),
    )
    .option(
      "--issued-to <day>",
      inLanguage({
        en: "only with this issue date or earlier",
        el: "με αυτή την ημερομηνία έκδοσης ή προγενέστερη",
      }),
      day("--issued-to"),
    )
    .option(
      "--created-from <instant>",
      inLanguage({ en: "only accepted at or after", el: "έγιναν δεκτά τότε ή αργότερα" }),
      instant("--created-from"),
    )
    .option(
      "--created-to <instant>",
      inLanguage({ en: "only accepted at or before", el: "έγιναν δεκτά τότε ή νωρίτερα" }),
      instant("--created-to"),
    );
}

async function list(context: CommandContext, options: DocumentListOptions): Promise<void> {
  await context.withAppliance(async (appliance, mode) => {
    const filters = {
      merchant: await merchantIdOf(appliance, options.merchant),
      status: options.status,
      type: options.type,
      provider: options.provider,
      mark: options.mark,
      external_reference: options.reference,
      "issue_date[gte]": options.issuedFrom,
      "issue_date[lte]": options.issuedTo,
      "created[gte]": options.createdFrom,
      "created[lte]": options.createdTo,
    };
    await runList(context, options, {
      none: { en: "No documents.", el: "Δεν υπάρχουν παραστατικά." },
      columns: DOCUMENT_COLUMNS,
      fetch: (page) => listDocuments(appliance, mode, { ...filters, ...page }),
    });
  });
}
