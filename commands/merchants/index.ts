/** `fiscal merchants`: the businesses on whose behalf documents are issued. */
import * as operations from "../../src/operations/merchants.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import type { FlagValues } from "../flags.ts";
import { optionOf } from "../options.ts";
import { readSmallFile } from "../input-files.ts";
import { BOTH_MODES, questionAbout } from "../confirmation.ts";
import { printJson } from "../ui/json.ts";
import { findMerchant } from "./find-merchant.ts";
import { verbOf } from "../verb.ts";
import { type Commands, noun } from "../define.ts";

const VERBS: Commands = {
  add: verbOf(operations.createMerchant),
  update: verbOf(operations.updateMerchant),
  settings: verbOf(operations.changeMerchantSettings, {
    complete: completeSettings,
    // Settings are nested, so people get JSON too.
    print: (settings, { context }) => printJson(context.io, settings),
  }),
  list: verbOf(operations.listMerchants),
  show: verbOf(operations.getMerchant),
  archive: verbOf(operations.archiveMerchant, {
    async confirm({ appliance, params }) {
      const {
        name,
        external_id: externalId,
        tax_id: taxId,
      } = await findMerchant(appliance, params["id"] ?? "");
      return questionAbout(
        { en: "Archive the merchant", el: "Να αρχειοθετηθεί η επιχείρηση" },
        [name, externalId, taxId, BOTH_MODES],
        {
          en: "No new documents will be issued for it.",
          el: "Από εκεί και πέρα δεν εκδίδεται τίποτα νέο για αυτήν.",
        },
      );
    },
  }),
  unarchive: verbOf(operations.unarchiveMerchant),
};

const SINGLE_SETTINGS = ["paper", "closed-until", "on-issue"];

async function completeSettings({ io }: CommandContext, flags: FlagValues): Promise<FlagValues> {
  const { file, paper } = flags as { file?: string; paper?: Record<string, string> };
  const changed = SINGLE_SETTINGS.find((flag) => flags[optionOf(flag)] !== undefined);
  if (file !== undefined && changed !== undefined) {
    throw new UsageError({
      en: `--file replaces all settings and --${changed} changes single ones; give one or the other`,
      el: `η --file αντικαθιστά όλες τις ρυθμίσεις και η --${changed} αλλάζει μεμονωμένες· δώστε τη μία ή την άλλη`,
    });
  }
  const { logo = "" } = paper ?? {};
  if (logo === "" || logo.startsWith("data:")) return flags;
  // The settings take the file as text.
  const image = await readSmallFile(io, logo, LOGO_FILE_BYTES_MAX);
  return { ...flags, paper: { ...paper, logo: image.toString("base64") } };
}

/** More than an image of the largest size that is allowed. */
const LOGO_FILE_BYTES_MAX = 32 * 1024 * 1024;

export const defineMerchants = noun(
  VERBS,
  'fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783',
  "fiscal merchants show shop",
);
