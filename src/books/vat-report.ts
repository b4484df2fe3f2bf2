/**
 * The VAT report of a period: net and VAT by rate, the boxes of the VAT return, and sales within the EU by customer; and the VAT by
 * month for the console's chart.
 */
import { VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import {
  exemptBox,
  isEuSale,
  type Region,
  SUM_BOXES,
  TAXED_BOXES,
  VAT_RETURN_BOXES,
  type VatReturnBox,
} from "../domain/vat-return.ts";
import type { Context } from "../journal/context.ts";
import {
  addDocuments,
  type BooksPeriod,
  type CountedDocument,
  type CountedLine,
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
  /** For the recapitulative statement, sorted by country and number. */
  eu_sales: EuSale[];
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

export interface EuSale {
  country: string;
  code: string;
  net: bigint;
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
    add(document) {
      let sums = merchants.get(document.merchant);
      if (sums === undefined)
        merchants.set(document.merchant, (sums = { rows: new Map(), euSales: new Map() }));
      addDocument(sums, document);
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
}

function addDocument({ rows, euSales }: MerchantSums, { region, customer, lines }: CountedDocument): void {
  for (const line of lines) {
    const row = rowOf(rows, region, line);
    row.net += line.net;
    row.vat += line.vat;
    if (customer === undefined || !isEuSale(line.exemption, region)) continue;
    const key = `${customer.country} ${customer.code}`;
    const sale = euSales.get(key) ?? { country: customer.country, code: customer.code, net: 0n };
    euSales.set(key, sale);
    sale.net += line.net;
  }
}

function rowOf(rows: Map<string, VatRow>, region: Region, { vatCategory, exemption }: CountedLine): VatRow {
  const key = `${region} ${vatCategory} ${exemption ?? ""}`;
  let row = rows.get(key);
  if (row === undefined) {
    const rate = VAT_CATEGORIES[vatCategory].ratePercent;
    row = { rate, vat_category: vatCategory, exemption: exemption ?? null, region, net: 0n, vat: 0n };
    rows.set(key, row);
  }
  return row;
}

const REGION_ORDER: readonly Region[] = ["greece", "eu", "third_country"];

function buildMerchant([merchant, { rows, euSales }]: [string, MerchantSums]): MerchantVat {
  const sorted = [...rows.values()].sort(
    (left, right) =>
      REGION_ORDER.indexOf(left.region) - REGION_ORDER.indexOf(right.region) ||
      right.rate - left.rate ||
      (left.exemption ?? 0) - (right.exemption ?? 0),
  );
  return {
    merchant,
    rows: sorted,
    boxes: boxesOf(sorted),
    eu_sales: [...euSales.values()].sort(
      (left, right) => compare(left.country, right.country) || compare(left.code, right.code),
    ),
  };
}

function boxesOf(rows: readonly VatRow[]): Record<VatReturnBox, bigint> {
  const boxes = Object.fromEntries(VAT_RETURN_BOXES.map((box) => [box, 0n])) as Record<VatReturnBox, bigint>;
  for (const { vat_category: category, exemption, region, net, vat } of rows) {
    if (category === "exempt") {
      const box = exemption === null ? null : exemptBox(exemption, region);
      if (box === null) continue;
      boxes[box] += net;
    } else {
      boxes[TAXED_BOXES[category].net] += net;
      boxes[TAXED_BOXES[category].vat] += vat;
      boxes[SUM_BOXES.taxed] += net;
      boxes[SUM_BOXES.vat] += vat;
    }
    boxes[SUM_BOXES.sales] += net;
  }
  return boxes;
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
    add({ issueDate, lines }) {
      const month = monthOf(issueDate);
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
