/** The income report of a period: net by classification pair, for the E3 form. */
import type { Context } from "../journal/context.ts";
import { addDocuments, type BooksPeriod, type Sum } from "./counted-documents.ts";

/** All amounts are cents; credit notes are negative and cancelled documents are left out (docs/contract.md#reports). */
export interface IncomeReport {
  from: string;
  to: string;
  merchants: MerchantIncome[];
  totals: { net: bigint };
}

export interface MerchantIncome {
  /** The merchant's external id. */
  merchant: string;
  /** Sorted by category and type. */
  rows: IncomeRow[];
}

export interface IncomeRow {
  /** Such as `category1_1`. */
  category: string;
  /** Such as `E3_561_001`; null for a category that takes none. */
  type: string | null;
  net: bigint;
}

export async function reportIncome(context: Context, period: BooksPeriod): Promise<IncomeReport> {
  const sum = sumIncome();
  await addDocuments(context, period, [sum]);
  return sum.report(period);
}

export interface IncomeSum extends Sum {
  report(period: BooksPeriod): IncomeReport;
}

export function sumIncome(): IncomeSum {
  const merchants = new Map<string, Map<string, IncomeRow>>();
  let total = 0n;
  return {
    add({ merchant, lines }) {
      let rows = merchants.get(merchant);
      if (rows === undefined) merchants.set(merchant, (rows = new Map()));
      for (const { income, net } of lines) {
        const key = `${income.category} ${income.type ?? ""}`;
        const row = rows.get(key) ?? { ...income, net: 0n };
        rows.set(key, row);
        row.net += net;
        total += net;
      }
    },
    report({ from, through }) {
      const reported = [...merchants]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([merchant, rows]) => ({
          merchant,
          rows: [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row),
        }));
      return { from, to: through, merchants: reported, totals: { net: total } };
    },
  };
}
