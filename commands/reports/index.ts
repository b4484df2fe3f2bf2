/** `fiscal reports`: the figures of a period for the VAT return and the E3 form, and the month of every merchant. */
import { type Define, type Commands, noun, verb } from "../define.ts";
import type { Appliance } from "../../src/appliance.ts";
import type { BooksPeriod } from "../../src/books/counted-documents.ts";
import { type Overview, overviewJson, reportOverview } from "../../src/books/overview.ts";
import { reportIncome, reportVat, suspensionNote } from "../../src/books/period-reports.ts";
import { incomeSheets, overviewSheets, type Sheet, vatSheets } from "../../src/books/report-sheets.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import { incomeTable, overviewColumns, vatTables } from "../../src/operations/report-view.ts";
import { amountText } from "../../src/operations/view.ts";
import { MONTH, PERIOD, type PeriodOptions, readIssueDates } from "../common-flags.ts";
import type { CommandContext } from "../context.ts";
import type { Example } from "../options.ts";
import { printLine, printNote, type ProgramIo } from "../io.ts";
import { MERCHANT_FILTER, merchantIdOf, type MerchantOption } from "../merchants/find-merchant.ts";
import { printTable } from "../ui/table.ts";
import { presentReport, REPORT_FILE } from "./report-file.ts";
import { startOfMonth } from "../../src/foundation/days.ts";

interface ReportOptions extends PeriodOptions, MerchantOption {
  output?: string;
}

/** What a report has of each merchant, and in all. */
interface PeriodReport {
  merchants: readonly { merchant: string; rows: readonly { net: bigint; vat?: bigint }[] }[];
  totals: { net: bigint; vat?: bigint };
}

interface Shape<Report> {
  examples: readonly Example[];
  /** Follows the note on euros. */
  note?: Text;
  build(appliance: Appliance, period: BooksPeriod): Promise<Report>;
  sheetsOf(report: Report): readonly Sheet[];
  printMerchant(
    io: ProgramIo,
    merchant: Report extends { merchants: readonly (infer Part)[] } ? Part : never,
  ): Promise<void>;
}

const defineVat = periodReport({
  examples: [
    "fiscal reports vat --from 2025-10-01 --to 2025-10-31 --merchant shop",
    "fiscal reports vat --from 2025-10-01 --to 2025-12-31 --output vat.xlsx",
  ],
  note: {
    en: " Have an accountant check the boxes of exempt sales.",
    el: " Τους κωδικούς των απαλλασσόμενων να τους ελέγξει λογιστής.",
  },
  build: reportVat,
  sheetsOf: vatSheets,
  async printMerchant(io, merchant) {
    for (const { columns, rows } of vatTables(merchant)) await printTable(io, columns, rows);
    const { vat_payment_suspension: suspended } = merchant;
    if (suspended !== undefined) await printNote(io, suspensionNote(suspended));
  },
});

const defineIncome = periodReport({
  examples: [
    "fiscal reports income --from 2025-01-01 --to 2025-12-31 --merchant shop",
    "fiscal reports income --from 2025-01-01 --to 2025-12-31 --output income.csv",
  ],
  build: reportIncome,
  sheetsOf: incomeSheets,
  printMerchant: (io, { rows }) => printTable(io, incomeTable(rows).columns, rows),
});

function periodReport<Report extends PeriodReport>(shape: Shape<Report>): Define {
  return verb({
    flags: {
      ...PERIOD,
      ...MERCHANT_FILTER,
      ...REPORT_FILE,
    },
    examples: shape.examples,
    fields: ["from", "to", "merchants", "totals"],
    run: (context: CommandContext, options: ReportOptions) =>
      context.withAppliance(async (appliance, mode) => {
        const dates = readIssueDates(options);
        const period = { mode, ...dates, merchantId: await merchantIdOf(appliance, options.merchant) };
        await presentReport(context, appliance, options.output, {
          build: () => shape.build(appliance, period),
          sheetsOf: shape.sheetsOf,
          print: (report) => print(context.io, report, shape),
        });
      }),
  });
}

async function print<Report extends PeriodReport>(
  io: ProgramIo,
  { merchants, totals }: Report,
  { printMerchant, note = sameInBoth("") }: Shape<Report>,
): Promise<void> {
  if (merchants.length === 0)
    return printNote(io, {
      en: "No issued documents in this period.",
      el: "Δεν υπάρχουν παραστατικά που εκδόθηκαν σε αυτό το διάστημα.",
    });
  const zero: Sum = { net: 0n, ...(totals.vat === undefined ? {} : { vat: 0n }) };
  for (const merchant of merchants) {
    await printLine(io, sameInBoth(merchant.merchant));
    await printMerchant(io, merchant as Parameters<typeof printMerchant>[1]);
    if (merchants.length > 1)
      await printSum(io, { en: "subtotal", el: "μερικό σύνολο" }, merchant.rows.reduce(add, zero));
  }
  await printSum(io, { en: "total", el: "σύνολο" }, totals);
  await printNote(io, {
    en: `In euro. Credit notes are negative; cancelled documents are not included.${note.en}`,
    el: `Σε ευρώ. Τα πιστωτικά είναι αρνητικά, τα ακυρωμένα δεν μετρούν.${note.el}`,
  });
}

type Sum = PeriodReport["totals"];

function add(sum: Sum, { net, vat }: Sum): Sum {
  return { net: sum.net + net, ...(vat === undefined ? {} : { vat: sum.vat! + vat }) };
}

/** `total: net 100.00, VAT 24.00` */
async function printSum(io: ProgramIo, name: Text, sum: Sum): Promise<void> {
  const net = amountText(sum.net);
  const vat = sum.vat === undefined ? undefined : amountText(sum.vat);
  await printLine(io, {
    en: `${name.en}: net ${net.en}${vat === undefined ? "" : `, VAT ${vat.en}`}`,
    el: `${name.el}: καθαρή αξία ${net.el}${vat === undefined ? "" : `, ΦΠΑ ${vat.el}`}`,
  });
}

const defineOverview = verb({
  flags: { ...MONTH, ...REPORT_FILE },
  notes: { en: "Without --month: the current month.", el: "Χωρίς --month: ο τρέχων μήνας." },
  examples: [
    "fiscal --live reports overview --month 2026-11",
    "fiscal reports overview --output overview.xlsx",
  ],
  fields: ["month", "merchants"],
  async run(context, options) {
    await context.withAppliance(async (appliance, mode) => {
      const month = (options.month ?? startOfMonth(appliance.clock.today())).slice(0, 7);
      await presentReport(context, appliance, options.output, {
        build: () => reportOverview(appliance, { mode, month }),
        sheetsOf: overviewSheets,
        jsonOf: overviewJson,
        print: (report) => printOverview(context, report),
      });
    });
  },
});

const VERBS: Commands = {
  vat: {
    en: "net and VAT by rate, the boxes of the VAT return, sales within the EU",
    el: "καθαρή αξία και ΦΠΑ ανά συντελεστή, κωδικοί της δήλωσης Φ2, ενδοκοινοτικές πωλήσεις",
    load: async () => defineVat,
  },
  income: {
    en: "net by income classification, for the E3 form",
    el: "καθαρή αξία ανά χαρακτηρισμό εσόδων, για το Ε3",
    load: async () => defineIncome,
  },
  overview: {
    en: "each merchant's month: issued, waiting, rejected, VAT, reconciled, closed, deadlines",
    el: "ο μήνας κάθε επιχείρησης: εκδόθηκαν, εκκρεμούν, απορρίφθηκαν, ΦΠΑ, συμφωνία, προθεσμίες",
    load: async () => defineOverview,
  },
};

export const defineReports = noun(
  VERBS,
  "fiscal reports vat --from 2025-10-01 --to 2025-10-31",
  "fiscal reports income --from 2025-01-01 --to 2025-12-31 --output income.xlsx",
);

async function printOverview({ io }: CommandContext, overview: Overview): Promise<void> {
  if (overview.merchants.length === 0)
    return printNote(io, { en: "No merchants yet.", el: "Δεν υπάρχουν ακόμη επιχειρήσεις." });
  await printTable(io, overviewColumns(overview), overview.merchants);
  await printNote(io, {
    en: "By issue date. VAT in euro, without cancelled documents; credit notes reduce it. A month is reconciled once all of it was compared with the provider.",
    el: "Κατά ημερομηνία έκδοσης. ΦΠΑ σε ευρώ, χωρίς τα ακυρωμένα· τα πιστωτικά τον μειώνουν. Συμφωνία υπάρχει όταν συγκριθεί όλος ο μήνας με τον πάροχο.",
  });
}
