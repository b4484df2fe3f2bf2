/**
 * The VAT report of a period: net and VAT by rate, the boxes of the VAT return, and sales within the EU by customer; and the VAT by
 * month for the console's chart.
 */
import { VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import { TAX_KINDS } from "../domain/taxes.ts";
import {
  exemptBox,
  euSaleKind,
  type Region,
  SUM_BOXES,
  TAXED_BOXES,
  VAT_RETURN_BOXES,
  type VatReturnBox,
} from "../domain/vat-return.ts";
import { euroText } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import {
  addDocuments,
  type BooksPeriod,
  type CountedDocuments,
  type CountedLine,
  type CountedTax,
  type Sum,
} from "./counted-documents.ts";

/** All amounts are cents; credit notes are negative and cancelled documents are left out (docs/contract.md#reports). */
export interface VatReport {
  from: string;
  to: string;
  merchants: MerchantVat[];
  totals: { net: bigint; vat: bigint };
}

export interface MerchantVat {
  /** The merchant's external id. */
  merchant: string;
  /** Sorted by region, rate and exemption cause. */
  rows: VatRow[];
  boxes: Record<VatReturnBox, bigint>;
  /** What is in no box, by exemption cause. With the boxes it is all of `rows`. */
  outside: OutsideRow[];
  /** For the recapitulative statement, sorted by country and number. */
  eu_sales: EuSale[];
  /** Taxes besides VAT, sorted by the authority's kind and category. */
  taxes: CountedTax[];
  /** What the boxes count of documents whose VAT is due only once they are paid; absent if there are none. */
  vat_payment_suspension?: { net: bigint; vat: bigint };
}

export interface OutsideRow {
  exemption: number | null;
  net: bigint;
}

export interface VatRow {
  /** Percent. */
  rate: number;
  vat_category: VatCategory;
  /** The authority's exemption cause; null on taxed lines. */
  exemption: number | null;
  region: Region;
  net: bigint;
  vat: bigint;
}

/** For the person who fills in the return: which part of the boxes is due only once it is paid. */
export function suspensionNote({ net, vat }: { net: bigint; vat: bigint }): Text {
  const amounts = { net: euroText(net), vat: euroText(vat) };
  return {
    en: `VAT payment suspension: the boxes count by issue date. Of them, net ${amounts.net.en} and VAT ${amounts.vat.en} belong to the period in which they are paid.`,
    el: `Καθεστώς ΦΠΑ κατά την είσπραξη: οι κωδικοί μετρούν με την ημερομηνία έκδοσης. Από αυτά, καθαρή αξία ${amounts.net.el} και ΦΠΑ ${amounts.vat.el} ανήκουν στην περίοδο όπου εισπράττονται.`,
  };
}

export interface EuSale {
  country: string;
  code: string;
  goods: bigint;
  services: bigint;
  /** The sum of both. */
  net: bigint;
  /** Whether VIES calls the number invalid, as far as it was looked up. */
  vies_invalid: boolean;
}

export async function reportVat(context: Context, period: BooksPeriod): Promise<VatReport> {
  const sum = sumVat();
  await addDocuments(context, period, [sum]);
  return sum.report(period);
}

export interface VatSum extends Sum {
  report(period: BooksPeriod): VatReport;
}

export function sumVat(): VatSum {
  const merchants = new Map<string, MerchantSums>();
  return {
    add(documents) {
      let sums = merchants.get(documents.merchant);
      if (sums === undefined)
        merchants.set(
          documents.merchant,
          (sums = { rows: new Map(), euSales: new Map(), taxes: new Map(), suspended: undefined }),
        );
      addCounted(sums, documents);
    },
    report({ from, through }) {
      const reported = [...merchants].sort(([left], [right]) => compare(left, right)).map(buildMerchant);
      const totals = { net: 0n, vat: 0n };
      for (const { rows } of reported) {
        for (const { net, vat } of rows) {
          totals.net += net;
          totals.vat += vat;
        }
      }
      return { from, to: through, merchants: reported, totals };
    },
  };
}

interface MerchantSums {
  rows: Map<string, VatRow>;
  euSales: Map<string, EuSale>;
  taxes: Map<string, CountedTax>;
  suspended: { net: bigint; vat: bigint } | undefined;
}

function addTaxes(sums: MerchantSums["taxes"], taxes: readonly CountedTax[]): void {
  for (const { kind, category, amount } of taxes) {
    const key = `${kind} ${category ?? ""}`;
    const sum = sums.get(key) ?? { kind, category, amount: 0n };
    sums.set(key, sum);
    sum.amount += amount;
  }
}

function addCounted(sums: MerchantSums, documents: CountedDocuments): void {
  const { region, customer, lines, isVatSuspended } = documents;
  addTaxes(sums.taxes, documents.taxes);
  if (isVatSuspended) sums.suspended ??= { net: 0n, vat: 0n };
  for (const line of lines) {
    const counts = [rowOf(sums.rows, region, line), ...(isVatSuspended ? [sums.suspended!] : [])];
    for (const count of counts) {
      count.net += line.net;
      count.vat += line.vat;
    }
    const kind = euSaleKind(line.exemption, region);
    if (customer === undefined || kind === undefined) continue;
    const sale = saleOf(sums.euSales, customer);
    sale[kind] += line.net;
    sale.net += line.net;
    sale.vies_invalid ||= customer.isInvalid;
  }
}

function saleOf(sales: Map<string, EuSale>, { country, code }: { country: string; code: string }): EuSale {
  const key = `${country} ${code}`;
  let sale = sales.get(key);
  if (sale === undefined)
    sales.set(key, (sale = { country, code, goods: 0n, services: 0n, net: 0n, vies_invalid: false }));
  return sale;
}

function rowOf(rows: Map<string, VatRow>, region: Region, { vatCategory, exemption }: CountedLine): VatRow {
  const key = `${region} ${vatCategory} ${exemption}`;
  let row = rows.get(key);
  if (row === undefined) {
    const rate = VAT_CATEGORIES[vatCategory].ratePercent;
    row = { rate, vat_category: vatCategory, exemption, region, net: 0n, vat: 0n };
    rows.set(key, row);
  }
  return row;
}

const REGION_ORDER: readonly Region[] = ["greece", "eu", "third_country"];

function buildMerchant([merchant, { rows, euSales, taxes, suspended }]: [string, MerchantSums]): MerchantVat {
  const sorted = [...rows.values()].sort(
    (left, right) =>
      REGION_ORDER.indexOf(left.region) - REGION_ORDER.indexOf(right.region) ||
      right.rate - left.rate ||
      (left.exemption ?? 0) - (right.exemption ?? 0),
  );
  return {
    merchant,
    rows: sorted,
    ...sortIntoBoxes(sorted),
    eu_sales: [...euSales.values()].sort(
      (left, right) => compare(left.country, right.country) || compare(left.code, right.code),
    ),
    taxes: [...taxes.values()].sort(
      (left, right) =>
        TAX_KINDS.indexOf(left.kind) - TAX_KINDS.indexOf(right.kind) ||
        (left.category ?? 0) - (right.category ?? 0),
    ),
    ...(suspended === undefined ? {} : { vat_payment_suspension: suspended }),
  };
}

function sortIntoBoxes(rows: readonly VatRow[]): Pick<MerchantVat, "boxes" | "outside"> {
  const outside = new Map<number | null, bigint>();
  const boxes = Object.fromEntries(VAT_RETURN_BOXES.map((box) => [box, 0n])) as Record<VatReturnBox, bigint>;
  for (const { vat_category: category, exemption, region, net, vat } of rows) {
    if (category === "exempt") {
      const box = exemption === null ? null : exemptBox(exemption, region);
      if (box === null) {
        outside.set(exemption, (outside.get(exemption) ?? 0n) + net);
        continue;
      }
      boxes[box] += net;
    } else {
      boxes[TAXED_BOXES[category].net] += net;
      boxes[TAXED_BOXES[category].vat] += vat;
      boxes[SUM_BOXES.taxed] += net;
      boxes[SUM_BOXES.vat] += vat;
    }
    boxes[SUM_BOXES.sales] += net;
  }
  const causes = [...outside].sort(([left], [right]) => (left ?? 0) - (right ?? 0));
  return { boxes, outside: causes.map(([exemption, net]) => ({ exemption, net })) };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Amounts are cents; a month of credit notes is negative. */
export interface VatByMonth {
  /** Percent, from the highest; only rates that occur. Lines without VAT are left out. */
  rates: number[];
  /** Every month of the period, oldest first; `vat` is in the order of `rates`. */
  months: { month: string; vat: bigint[] }[];
}

export interface VatByMonthSum extends Sum {
  report(period: BooksPeriod): VatByMonth;
}

export function sumVatByMonth(): VatByMonthSum {
  const sums = new Map<string, Map<number, bigint>>();
  const rates = new Set<number>();
  return {
    add({ month, lines }) {
      let byRate = sums.get(month);
      if (byRate === undefined) sums.set(month, (byRate = new Map()));
      for (const { vatCategory, vat } of lines) {
        const rate = VAT_CATEGORIES[vatCategory].ratePercent;
        if (rate === 0) continue;
        rates.add(rate);
        byRate.set(rate, (byRate.get(rate) ?? 0n) + vat);
      }
    },
    report({ from, through }) {
      const ordered = [...rates].sort((left, right) => right - left);
      const months = monthsBetween(monthOf(from), monthOf(through)).map((month) => ({
        month,
        vat: ordered.map((rate) => sums.get(month)?.get(rate) ?? 0n),
      }));
      return { rates: ordered, months };
    },
  };
}

/** `2026-11-21` is in `2026-11`. */
function monthOf(day: string): string {
  return day.slice(0, 7);
}

function monthsBetween(first: string, last: string): string[] {
  const [from, to] = [first, last].map(
    (name) => Number(name.slice(0, 4)) * 12 + Number(name.slice(5)) - 1,
  ) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const year = Math.floor((from + index) / 12);
    return `${String(year).padStart(4, "0")}-${String(((from + index) % 12) + 1).padStart(2, "0")}`;
  });
}
