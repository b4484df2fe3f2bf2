/** `fiscal merchants`: the businesses on whose behalf documents are issued. */
import { AppError } from "../../src/foundation/errors.ts";
import * as operations from "../../src/operations/merchants.ts";
import { type LazyCommand } from "../lazy-commands.ts";
import { BOTH_MODES, questionAbout } from "../confirmation.ts";
import { findMerchant } from "./find-merchant.ts";
import { verbOf } from "../verb.ts";
import { noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  verbOf("add", operations.createMerchant, { rephrase: explainDuplicate }),
  verbOf("update", operations.updateMerchant),
  {
    name: "settings",
    arguments: "<merchant>",
    summary: {
      en: "show the settings of the mode (classification, numbering, paper, VAT on payment), or replace all of them from a JSON file",
      el: "δείχνει τις ρυθμίσεις της λειτουργίας (χαρακτηρισμοί, αρίθμηση, έντυπο, ΦΠΑ κατά την είσπραξη) ή τις αντικαθιστά όλες από αρχείο JSON",
    },
    load: async () => (await import("./settings.ts")).defineSettings,
  },
  verbOf("list", operations.listMerchants),
  verbOf("show", operations.getMerchant),
  verbOf("archive", operations.archiveMerchant, {
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
  verbOf("unarchive", operations.unarchiveMerchant),
];

/** Replaces the API's message, which names an API request, by one that names a command. */
function explainDuplicate(error: unknown): unknown {
  if (!(error instanceof AppError && error.code === "already_exists")) return error;
  return new AppError(
    "already_exists",
    {
      en: "A merchant with this external id exists; see it with `fiscal merchants show` and the external id",
      el: "Υπάρχει επιχείρηση με αυτό το εξωτερικό id· τη δείχνει η `fiscal merchants show` με αυτό το id",
    },
    { cause: error },
  );
}

export const defineMerchants = noun(
  VERBS,
  'fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783',
  "fiscal merchants show shop",
);
