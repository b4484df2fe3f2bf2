/** `fiscal tax-id`: checks VAT numbers. */
import { type LazyCommand } from "../lazy-commands.ts";
import { noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "lookup",
    arguments: "<number...>",
    summary: {
      en: "check whether a VAT number is valid: in the EU registry with --live, otherwise in the sandbox",
      el: "ελέγχει αν ένας αριθμός ΦΠΑ ισχύει: με --live στο μητρώο της ΕΕ, αλλιώς στο περιβάλλον δοκιμών",
    },
    load: async () => (await import("./lookup.ts")).defineLookup,
  },
];

export const defineTaxId = noun(VERBS, "fiscal tax-id lookup GR 123456783");
