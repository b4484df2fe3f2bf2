/** `fiscal reports overview`: the month of every merchant at a glance. */
import type { MerchantMonth, Overview } from "../../src/books/overview.ts";
import type { Deadline } from "../../src/domain/vat-return.ts";
import { athensDay } from "../../src/foundation/clock.ts";
import { startOfMonth } from "../../src/foundation/days.ts";
import { viesCell } from "../../src/operations/document-view.ts";
import { amountText, type Column, countText, dayText, LABELS, yesOrNo } from "../../src/operations/view.ts";
import type { CommandContext } from "../context.ts";
import { verb } from "../define.ts";
import { printNote } from "../io.ts";
import { MONTH } from "../common-flags.ts";
import { printJson } from "../ui/json.ts";
import { printTable } from "../ui/table.ts";
import { REPORT_FILE, startReportFile } from "./report-file.ts";

interface OverviewOptions {
  /** The month's first day. */
  month?: string;
  output?: string;
}

export const defineOverview = verb({
  flags: { ...MONTH, ...REPORT_FILE },
  notes: { en: "Without --month: the current month.", el: "Χωρίς --month: ο τρέχων μήνας." },
  examples: [
    "fiscal --live reports overview --month 2026-11",
    "fiscal reports overview --output overview.xlsx",
  ],
  run: reportMonth,
});

async function reportMonth(context: CommandContext, options: OverviewOptions): Promise<void> {
  const { overviewJson, reportOverview } = await import("../../src/books/overview.ts");
  const { overviewSheets } = await import("../../src/books/report-sheets.ts");
  await context.withAppliance(async (appliance, mode) => {
    const month = (options.month ?? startOfMonth(appliance.clock.today())).slice(0, 7);
    const file = await startReportFile(context, options.output);
    try {
      const report = await reportOverview(appliance, { mode, month });
      if (file !== undefined) await file.write(appliance, overviewSheets(report));
      else if (context.options.json === true) await printJson(context.io, overviewJson(report));
      else await printOverview(context, report);
    } finally {
      await file?.discard();
    }
  });
}

function columnsOf({ deadlines }: Overview): Column<MerchantMonth>[] {
  const due = (kind: Deadline["kind"]) => dayText(deadlines.find((deadline) => deadline.kind === kind)!.date);
  return [
    { head: LABELS.merchant, shortens: true, value: ({ merchant }) => merchant.name },
    { head: { en: "issued", el: "εκδόθηκαν" }, align: "right", value: ({ issued }) => countText(issued) },
    {
      head: { en: "waiting", el: "εκκρεμούν" },
      align: "right",
      value: ({ pending, failed }) => countText(pending + failed),
    },
    {
      head: { en: "rejected", el: "απορρίφθηκαν" },
      align: "right",
      value: ({ rejected }) => countText(rejected),
    },
    { head: { en: "VAT", el: "ΦΠΑ" }, align: "right", value: ({ vat }) => amountText(vat) },
    {
      head: { en: "reconciled", el: "συμφωνία" },
      leaveOut: 3,
      value: ({ reconciledAt }) =>
        reconciledAt === null ? "-" : dayText(athensDay(Date.parse(reconciledAt))),
    },
    { head: { en: "closed", el: "έκλεισε" }, value: ({ isClosed }) => yesOrNo(isClosed) },
    { head: { en: "VAT return", el: "δήλωση ΦΠΑ" }, leaveOut: 1, value: () => due("vat_return") },
    { head: { en: "VIES", el: "VIES" }, leaveOut: 2, value: (month) => viesCell(due("vies"), month) },
  ];
}

async function printOverview({ io }: CommandContext, overview: Overview): Promise<void> {
  if (overview.merchants.length === 0)
    return printNote(io, { en: "No merchants yet.", el: "Δεν υπάρχουν ακόμη επιχειρήσεις." });
  await printTable(io, columnsOf(overview), overview.merchants);
  await printNote(io, {
    en: "By issue date. VAT in euro, without cancelled documents; credit notes reduce it. A month is reconciled once all of it was compared with the provider.",
    el: "Κατά ημερομηνία έκδοσης. ΦΠΑ σε ευρώ, χωρίς τα ακυρωμένα· τα πιστωτικά τον μειώνουν. Συμφωνία υπάρχει όταν συγκριθεί όλος ο μήνας με τον πάροχο.",
  });
}
