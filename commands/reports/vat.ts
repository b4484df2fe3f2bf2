/** `fiscal reports vat`: net and VAT by rate, the boxes of the VAT return, and sales within the EU by customer. */
import { type MerchantVat, suspensionNote, type VatReport } from "../../src/books/period-reports.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { printLine, printNote } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { printTable } from "../ui/table.ts";
import { vatTables } from "../../src/operations/report-view.ts";
import { amountText } from "../../src/operations/view.ts";
import { readPeriod, REPORT_FLAGS, type ReportOptions, startReportFile } from "./report-file.ts";
import { verb } from "../define.ts";

export const defineVat = verb({
  flags: {
    ...REPORT_FLAGS,
  },
  examples: [
    "fiscal reports vat --from 2025-10-01 --to 2025-10-31 --merchant shop",
    "fiscal reports vat --from 2025-10-01 --to 2025-12-31 --output vat.xlsx",
  ],
  run: reportVatReturn,
});

async function reportVatReturn(context: CommandContext, options: ReportOptions): Promise<void> {
  const { reportVat } = await import("../../src/books/period-reports.ts");
  const { vatSheets } = await import("../../src/books/report-sheets.ts");
  await context.withAppliance(async (appliance, mode) => {
    const period = await readPeriod(appliance, mode, options);
    const file = await startReportFile(context, options.output);
    try {
      const report = await reportVat(appliance, period);
      if (file !== undefined) await file.write(appliance, vatSheets(report));
      else if (context.options.json === true) await printJson(context.io, report);
      else await printReport(context, report);
    } finally {
      await file?.discard();
    }
  });
}

async function printReport({ io }: CommandContext, { merchants, totals }: VatReport): Promise<void> {
  if (merchants.length === 0)
    return printNote(io, {
      en: "No issued documents in this period.",
      el: "Δεν υπάρχουν παραστατικά που εκδόθηκαν σε αυτό το διάστημα.",
    });
  for (const merchant of merchants) {
    await printMerchant(io, merchant);
    if (merchants.length > 1) await printSubtotal(io, merchant.rows);
  }
  const { net, vat } = { net: amountText(totals.net), vat: amountText(totals.vat) };
  await printLine(io, {
    en: `total: net ${net.en}, VAT ${vat.en}`,
    el: `σύνολο: καθαρή αξία ${net.el}, ΦΠΑ ${vat.el}`,
  });
  await printNote(io, {
    en: "In euro. Credit notes are negative; cancelled documents are not included. Have an accountant check the boxes of exempt sales.",
    el: "Σε ευρώ. Τα πιστωτικά είναι αρνητικά, τα ακυρωμένα δεν μετρούν. Τους κωδικούς των απαλλασσόμενων να τους ελέγξει λογιστής.",
  });
}

async function printMerchant(io: CommandContext["io"], merchant: MerchantVat) {
  await printLine(io, sameInBoth(merchant.merchant));
  for (const { columns, rows } of vatTables(merchant)) await printTable(io, columns, rows);
  const { vat_payment_suspension: suspended } = merchant;
  if (suspended !== undefined) await printNote(io, suspensionNote(suspended));
}

async function printSubtotal(io: CommandContext["io"], rows: MerchantVat["rows"]): Promise<void> {
  const net = amountText(rows.reduce((sum, row) => sum + row.net, 0n));
  const vat = amountText(rows.reduce((sum, row) => sum + row.vat, 0n));
  await printLine(io, {
    en: `subtotal: net ${net.en}, VAT ${vat.en}`,
    el: `μερικό σύνολο: καθαρή αξία ${net.el}, ΦΠΑ ${vat.el}`,
  });
}
