/** `fiscal reports income`: net by income classification, for the E3 form. */
import type { IncomeReport, IncomeRow } from "../../src/books/period-reports.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { printLine, printNote } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { incomeTable } from "../../src/operations/report-view.ts";
import { printTable } from "../ui/table.ts";
import { amountText } from "../../src/operations/view.ts";
import { readPeriod, REPORT_FLAGS, type ReportOptions, startReportFile } from "./report-file.ts";
import { verb } from "../define.ts";

export const defineIncome = verb({
  flags: {
    ...REPORT_FLAGS,
  },
  examples: [
    "fiscal reports income --from 2025-01-01 --to 2025-12-31 --merchant shop",
    "fiscal reports income --from 2025-01-01 --to 2025-12-31 --output income.csv",
  ],
  run: reportClassifications,
});

async function reportClassifications(context: CommandContext, options: ReportOptions): Promise<void> {
  const { reportIncome } = await import("../../src/books/period-reports.ts");
  const { incomeSheets } = await import("../../src/books/report-sheets.ts");
  await context.withAppliance(async (appliance, mode) => {
    const period = await readPeriod(appliance, mode, options);
    const file = await startReportFile(context, options.output);
    try {
      const report = await reportIncome(appliance, period);
      if (file !== undefined) await file.write(appliance, incomeSheets(report));
      else if (context.options.json === true) await printJson(context.io, report);
      else await printReport(context, report);
    } finally {
      await file?.discard();
    }
  });
}

async function printReport({ io }: CommandContext, { merchants, totals }: IncomeReport): Promise<void> {
  if (merchants.length === 0)
    return printNote(io, {
      en: "No issued documents in this period.",
      el: "Δεν υπάρχουν παραστατικά που εκδόθηκαν σε αυτό το διάστημα.",
    });
  for (const { merchant, rows } of merchants) {
    await printLine(io, sameInBoth(merchant));
    await printTable(io, incomeTable(rows).columns, rows);
    if (merchants.length > 1) await printSubtotal(io, rows);
  }
  const net = amountText(totals.net);
  await printLine(io, { en: `total: net ${net.en}`, el: `σύνολο: καθαρή αξία ${net.el}` });
  await printNote(io, {
    en: "In euro. Credit notes are negative; cancelled documents are not included.",
    el: "Σε ευρώ. Τα πιστωτικά είναι αρνητικά, τα ακυρωμένα δεν μετρούν.",
  });
}

async function printSubtotal(io: CommandContext["io"], rows: readonly IncomeRow[]): Promise<void> {
  const net = amountText(rows.reduce((sum, row) => sum + row.net, 0n));
  await printLine(io, { en: `subtotal: net ${net.en}`, el: `μερικό σύνολο: καθαρή αξία ${net.el}` });
}
