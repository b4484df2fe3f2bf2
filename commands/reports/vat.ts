/** `fiscal reports vat`: net and VAT by rate, the boxes of the VAT return, and sales within the EU by customer. */
import {
  type EuSale,
  type MerchantVat,
  type OutsideRow,
  suspensionNote,
  type VatReport,
  type VatRow,
} from "../../src/books/vat-report.ts";
import { taxName } from "../../src/domain/withheld-taxes.ts";
import { REGION_NAMES } from "../../src/domain/vat-return.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { printLine, printNote } from "../io.ts";
import { printExactJson } from "../ui/exact-json.ts";
import { viesMark } from "../../src/operations/document-details.ts";
import type { Column } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { amountText } from "../../src/operations/values.ts";
import { startReportFile } from "./report-file.ts";
import { readPeriod, type ReportOptions, REPORT_FLAGS } from "./report-options.ts";
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
  const { reportVat } = await import("../../src/books/vat-report.ts");
  const { vatSheets } = await import("../../src/books/report-sheets.ts");
  await context.withAppliance(async (appliance, mode) => {
    const period = await readPeriod(appliance, mode, options);
    const file = await startReportFile(context, options.output);
    try {
      const report = await reportVat(appliance, period);
      if (file !== undefined) await file.write(appliance, vatSheets(report));
      else if (context.options.json === true) await printExactJson(context.io, report);
      else await printReport(context, report);
    } finally {
      await file?.discard();
    }
  });
}

const NET: Text = { en: "net", el: "καθαρή αξία" };

const ROW_COLUMNS: readonly Column<VatRow>[] = [
  { head: { en: "rate", el: "συντελεστής" }, align: "right", value: ({ rate }) => `${rate}%` },
  {
    head: { en: "exemption cause", el: "αιτία εξαίρεσης" },
    align: "right",
    value: ({ exemption }) => (exemption === null ? "" : String(exemption)),
  },
  { head: { en: "customer in", el: "πελάτης σε" }, value: ({ region }) => REGION_NAMES[region] },
  { head: NET, align: "right", value: ({ net }) => amountText(net) },
  { head: { en: "VAT", el: "ΦΠΑ" }, align: "right", value: ({ vat }) => amountText(vat) },
];

const BOX_COLUMNS: readonly Column<readonly [box: string, amount: bigint]>[] = [
  { head: { en: "box of form Φ2", el: "κωδικός του Φ2" }, value: ([box]) => box },
  { head: { en: "amount", el: "ποσό" }, align: "right", value: ([, amount]) => amountText(amount) },
];

const EU_COLUMNS: readonly Column<EuSale>[] = [
  { head: { en: "sales within the EU", el: "πωλήσεις εντός ΕΕ" }, value: ({ country }) => country },
  { head: { en: "tax number", el: "αριθμός ΦΠΑ" }, value: ({ code }) => code },
  { head: { en: "goods", el: "αγαθά" }, align: "right", value: ({ goods }) => amountText(goods) },
  {
    head: { en: "services", el: "υπηρεσίες" },
    align: "right",
    value: ({ services }) => amountText(services),
  },
  { head: NET, align: "right", value: ({ net }) => amountText(net) },
  { head: sameInBoth("VIES"), value: viesMark },
];

const OUTSIDE_COLUMNS: readonly Column<OutsideRow>[] = [
  {
    head: { en: "outside form Φ2: exemption cause", el: "εκτός Φ2: αιτία εξαίρεσης" },
    value: ({ exemption }) => String(exemption ?? "-"),
  },
  { head: NET, align: "right", value: ({ net }) => amountText(net) },
];

const TAX_COLUMNS: readonly Column<MerchantVat["taxes"][number]>[] = [
  {
    head: { en: "taxes besides VAT", el: "φόροι εκτός ΦΠΑ" },
    value: taxName,
  },
  { head: { en: "amount", el: "ποσό" }, align: "right", value: ({ amount }) => amountText(amount) },
];

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

async function printMerchant(
  io: CommandContext["io"],
  { merchant, rows, boxes, outside, eu_sales, taxes, vat_payment_suspension: suspended }: MerchantVat,
) {
  await printLine(io, sameInBoth(merchant));
  await printTable(io, ROW_COLUMNS, rows);
  const filled = Object.entries(boxes).filter(([, amount]) => amount !== 0n);
  if (filled.length > 0) await printTable(io, BOX_COLUMNS, filled);
  if (outside.length > 0) await printTable(io, OUTSIDE_COLUMNS, outside);
  if (eu_sales.length > 0) await printTable(io, EU_COLUMNS, eu_sales);
  if (taxes.length > 0) await printTable(io, TAX_COLUMNS, taxes);
  if (suspended !== undefined) await printNote(io, suspensionNote(suspended));
}

async function printSubtotal(io: CommandContext["io"], rows: readonly VatRow[]): Promise<void> {
  const net = amountText(rows.reduce((sum, row) => sum + row.net, 0n));
  const vat = amountText(rows.reduce((sum, row) => sum + row.vat, 0n));
  await printLine(io, {
    en: `subtotal: net ${net.en}, VAT ${vat.en}`,
    el: `μερικό σύνολο: καθαρή αξία ${net.el}, ΦΠΑ ${vat.el}`,
  });
}
