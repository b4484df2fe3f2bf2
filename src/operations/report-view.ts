/** The tables of the VAT and income reports and the overview of a month for people, in the terminal and the console. The first column says what a table is. */
import type { MerchantMonth, Overview } from "../books/overview.ts";
import type { EuSale, IncomeRow, MerchantVat, OutsideRow, VatRow } from "../books/period-reports.ts";
import { type Deadline, REGION_NAMES } from "../domain/vat-return.ts";
import { taxName } from "../domain/taxes.ts";
import { athensDay } from "../foundation/clock.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import { viesCell, viesMark } from "./document-view.ts";
import { amountText, type Column, countText, dayText, LABELS, yesOrNo } from "./view.ts";

export interface ReportTable {
  columns: readonly Column<unknown>[];
  rows: readonly unknown[];
}

const NET: Text = { en: "net", el: "καθαρή αξία" };
const AMOUNT: Text = { en: "amount", el: "ποσό" };

/** A column of one of the row's amounts. */
function amount<Row>(head: Text, of: (row: Row) => bigint): Column<Row> {
  return { head, align: "right", value: (row) => amountText(of(row)) };
}

function causeText({ exemption }: OutsideRow): string {
  return exemption === null ? "" : String(exemption);
}

const RATES: readonly Column<VatRow>[] = [
  { head: { en: "rate", el: "συντελεστής" }, align: "right", value: ({ rate }) => `${rate}%` },
  { head: { en: "exemption cause", el: "αιτία εξαίρεσης" }, align: "right", value: causeText },
  { head: { en: "customer in", el: "πελάτης σε" }, value: ({ region }) => REGION_NAMES[region] },
  amount(NET, ({ net }) => net),
  amount({ en: "VAT", el: "ΦΠΑ" }, ({ vat }) => vat),
];

const BOXES: readonly Column<readonly [box: string, amount: bigint]>[] = [
  { head: { en: "box of form Φ2", el: "κωδικός του Φ2" }, value: ([box]) => box },
  amount(AMOUNT, ([, cents]) => cents),
];

const OUTSIDE: readonly Column<OutsideRow>[] = [
  { head: { en: "outside form Φ2: exemption cause", el: "εκτός Φ2: αιτία εξαίρεσης" }, value: causeText },
  amount(NET, ({ net }) => net),
];

const EU_SALES: readonly Column<EuSale>[] = [
  { head: { en: "sales within the EU", el: "πωλήσεις εντός ΕΕ" }, value: ({ country }) => country },
  { head: { en: "tax number", el: "αριθμός ΦΠΑ" }, value: ({ code }) => code },
  amount({ en: "goods", el: "αγαθά" }, ({ goods }) => goods),
  amount({ en: "services", el: "υπηρεσίες" }, ({ services }) => services),
  amount(NET, ({ net }) => net),
  { head: sameInBoth("VIES"), value: viesMark },
];

const TAXES: readonly Column<MerchantVat["taxes"][number]>[] = [
  { head: { en: "taxes besides VAT", el: "φόροι εκτός ΦΠΑ" }, value: taxName },
  amount(AMOUNT, (tax) => tax.amount),
];

const INCOME: readonly Column<IncomeRow>[] = [
  { head: { en: "category", el: "κατηγορία" }, value: ({ category }) => category },
  { head: { en: "type", el: "τύπος" }, value: ({ type }) => type ?? "-" },
  amount(NET, ({ net }) => net),
];

/** Those that have rows. */
export function vatTables({ rows, boxes, outside, eu_sales: sales, taxes }: MerchantVat): ReportTable[] {
  const filled = Object.entries(boxes).filter(([, cents]) => cents !== 0n);
  const tables: ReportTable[] = [
    { columns: RATES, rows },
    { columns: BOXES, rows: filled },
    { columns: OUTSIDE, rows: outside },
    { columns: EU_SALES, rows: sales },
    { columns: TAXES, rows: taxes },
  ];
  return tables.filter((table) => table.rows.length > 0);
}

export function incomeTable(rows: readonly IncomeRow[]): ReportTable {
  return { columns: INCOME, rows };
}

/** The columns of the overview of a month. */
export function overviewColumns({ deadlines }: Overview): Column<MerchantMonth>[] {
  const due = (kind: Deadline["kind"]) => dayText(deadlines.find((deadline) => deadline.kind === kind)!.date);
  return [
    { head: LABELS.merchant, shortens: true, value: ({ merchant }) => merchant.name },
    { head: { en: "issued", el: "εκδόθηκαν" }, align: "right", value: ({ issued }) => countText(issued) },
    {
      head: { en: "waiting", el: "εκκρεμούν" },
      align: "right",
      value: ({ waiting }) => countText(waiting),
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
      value: ({ reconciled_at: at }) => (at === null ? "-" : dayText(athensDay(Date.parse(at)))),
    },
    { head: { en: "closed", el: "έκλεισε" }, value: ({ closed }) => yesOrNo(closed) },
    { head: { en: "VAT return", el: "δήλωση ΦΠΑ" }, leaveOut: 1, value: () => due("vat_return") },
    { head: { en: "VIES", el: "VIES" }, leaveOut: 2, value: (month) => viesCell(due("vies"), month) },
  ];
}
