/** `fiscal reports`: the figures of a period for the VAT return and the income tax form. */
import { type LazyCommand, noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "vat",
    summary: {
      en: "net and VAT by rate, the boxes of the VAT return, sales within the EU",
      el: "καθαρή αξία και ΦΠΑ ανά συντελεστή, κωδικοί της δήλωσης Φ2, ενδοκοινοτικές πωλήσεις",
    },
    load: async () => (await import("./period-reports.ts")).defineVat,
  },
  {
    name: "income",
    summary: {
      en: "net by income classification, for the E3 form",
      el: "καθαρή αξία ανά χαρακτηρισμό εσόδων, για το Ε3",
    },
    load: async () => (await import("./period-reports.ts")).defineIncome,
  },
  {
    name: "overview",
    summary: {
      en: "each merchant's month: issued, waiting, rejected, VAT, reconciled, closed, deadlines",
      el: "ο μήνας κάθε επιχείρησης: εκδόθηκαν, εκκρεμούν, απορρίφθηκαν, ΦΠΑ, συμφωνία, προθεσμίες",
    },
    load: async () => (await import("./period-reports.ts")).defineOverview,
  },
];

export const defineReports = noun(
  VERBS,
  "fiscal reports vat --from 2025-10-01 --to 2025-10-31",
  "fiscal reports income --from 2025-01-01 --to 2025-12-31 --output income.xlsx",
);
