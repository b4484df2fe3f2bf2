/** The flags of a merchant's details, which `add` and `update` share. */
import type { Command } from "commander";
import type { Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { integer, keyValue } from "../options.ts";

/** docs/contract.md#limits */
const BRANCH_MAX = 9999;

export interface MerchantFlags {
  externalId?: string;
  name?: string;
  taxId?: string;
  branch?: number;
  metadata?: Record<string, string>;
}

export function addMerchantFlags(command: Command, { inLanguage }: CommandContext, metadata: Text): Command {
  return command
    .option(
      "--external-id <id>",
      inLanguage({
        en: "your own id of the merchant, unique ignoring case",
        el: "ο δικός σας κωδικός της επιχείρησης, μοναδικός χωρίς διάκριση πεζών και κεφαλαίων",
      }),
    )
    .option("--name <name>", inLanguage({ en: "name of the business", el: "η επωνυμία της επιχείρησης" }))
    .option("--tax-id <number>", inLanguage({ en: "Greek tax number (ΑΦΜ)", el: "ΑΦΜ" }))
    .option(
      "--branch <number>",
      inLanguage({ en: "branch; 0 is the head office", el: "εγκατάσταση· το 0 είναι η έδρα" }),
      integer("--branch", 0, BRANCH_MAX),
    )
    .option("--metadata <key=value>", inLanguage(metadata), keyValue("--metadata"));
}

/** The API's body with the flags that were given. */
export function bodyOf(flags: MerchantFlags): Record<string, unknown> {
  const { externalId, name, taxId, branch, metadata } = flags;
  const body = { external_id: externalId, name, tax_id: taxId, branch, metadata };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
