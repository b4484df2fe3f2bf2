/** The filters that `fiscal events list` and `tail` share. */
import type { Command } from "commander";
import type { Context } from "../../src/journal/context.ts";
import { EVENT_TYPES, type EventType } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";
import { choices, documentId } from "../options.ts";

export interface EventFilters extends MerchantOption {
  type?: EventType[];
  document?: string;
}

export function addEventFilters(command: Command, { inLanguage }: CommandContext): Command {
  return command
    .option(
      "--type <type>",
      inLanguage({ en: "only of this type; may be repeated", el: "αυτού του τύπου· επαναλαμβάνεται" }),
      choices("--type", EVENT_TYPES),
    )
    .option(
      "--document <id>",
      inLanguage({ en: "only about this document", el: "για αυτό το παραστατικό" }),
      documentId("--document"),
    )
    .option(
      "--merchant <merchant>",
      inLanguage({
        en: "only about this merchant and its documents and connections: id or external id",
        el: "για αυτή την επιχείρηση, τα παραστατικά και τις συνδέσεις της: id ή εξωτερικό id",
      }),
    );
}

/** The filters as queries take them. */
export async function readEventFilters(appliance: Context, { type, document, merchant }: EventFilters) {
  return { type, document, merchant: await merchantIdOf(appliance, merchant) };
}
