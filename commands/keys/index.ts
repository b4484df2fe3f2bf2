/** `fiscal keys`: API keys, which only the command line creates, and the master key. See docs/contract.md#api-keys. */
import { type LazyCommand } from "../lazy-commands.ts";
import { noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "create",
    summary: {
      en: "create a key and print its secret, which is shown only once",
      el: "δημιουργεί κλειδί και τυπώνει το απόρρητό του, που εμφανίζεται μόνο μία φορά",
    },
    load: async () => (await import("./create.ts")).defineCreate,
  },
  {
    name: "list",
    summary: {
      en: "list all keys, newest first, without their secrets",
      el: "όλα τα κλειδιά, πρώτα τα νεότερα, χωρίς τα απόρρητά τους",
    },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "revoke",
    arguments: "<key>",
    summary: {
      en: "revoke a key, by id, name or last four characters",
      el: "καταργεί ένα κλειδί, με id, όνομα ή τους τέσσερις τελευταίους χαρακτήρες",
    },
    load: async () => (await import("./revoke.ts")).defineRevoke,
  },
  {
    name: "roll",
    arguments: "<key>",
    summary: {
      en: "replace a key and print the new secret, which is shown only once; the old key works a while longer",
      el: "αντικαθιστά ένα κλειδί και τυπώνει το νέο απόρρητο, μόνο μία φορά· το παλιό ισχύει για λίγο ακόμη",
    },
    load: async () => (await import("./roll.ts")).defineRoll,
  },
  {
    name: "rotate-master",
    summary: {
      en: "replace the master key and encrypt all secrets again with the new one",
      el: "αντικαθιστά το κύριο κλειδί και κρυπτογραφεί ξανά όλα τα απόρρητα με το νέο",
    },
    load: async () => (await import("./rotate-master.ts")).defineRotateMaster,
  },
];

export const defineKeys = noun(VERBS, 'fiscal keys create --mode test --name "web shop"', "fiscal keys list");
