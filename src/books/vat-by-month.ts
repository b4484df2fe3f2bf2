/** The VAT of a period by month and rate, for the console's chart. */
import { VAT_CATEGORIES } from "../domain/document-codes.ts";
import type { BooksPeriod, Sum } from "./counted-documents.ts";

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
