/** `fiscal customers`: the customers remembered for merchants. */
import { type LazyCommand } from "../lazy-commands.ts";
import { noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "list",
    summary: {
      en: "list a merchant's customers, those used last first",
      el: "οι πελάτες μιας επιχείρησης, πρώτα οι πιο πρόσφατοι",
    },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<customer>",
    summary: {
      en: "show a customer: 094012834 for a Greek number, DE129273398 for one of another country",
      el: "ένας πελάτης: 094012834 για ελληνικό ΑΦΜ, DE129273398 για αριθμό άλλης χώρας",
    },
    load: async () => (await import("./show.ts")).defineShow,
  },
  {
    name: "forget",
    arguments: "<customer>",
    summary: {
      en: "forget a customer; the next document for it remembers it again",
      el: "ξεχνά έναν πελάτη· το επόμενο παραστατικό του τον κρατά ξανά",
    },
    load: async () => (await import("./forget.ts")).defineForget,
  },
];

export const defineCustomers = noun(VERBS, "fiscal customers list --merchant shop");
