/** Reports of a period from its documents (docs/contract.md#reports): VAT, income, and for the console's chart VAT by month. */
import { VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import type { Region } from "../domain/document-types.ts";
import { TAX_KINDS } from "../domain/taxes.ts";
import {
  exemptBox,
  euSaleKind,
  SUM_BOXES,
  TAXED_BOXES,
  VAT_RETURN_BOXES,
  type VatReturnBox,
} from "../domain/vat-return.ts";
import { startOfMonth } from "../foundation/days.ts";
import { euroText } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { CountedTax } from "../domain/shares.ts";
import { type BooksPeriod, countDocuments, type CountedDocuments } from "./counted-documents.ts";

/** All amounts are cents; credit notes are negative and cancelled documents are left out (docs/contract.md#reports). */
export type VatReport = ReturnType<typeof buildVatReport>;
export type MerchantVat = ReturnType<typeof buildMerchantVat>;
export type OutsideRow = MerchantVat["outside"][number];
export type EuSale = MerchantVat["eu_sales"][number];

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

export async function reportVat(context: Context, period: BooksPeriod): Promise<VatReport> {
  return buildVatReport(await countDocuments(context, period), period);
}

export function buildVatReport(documents: readonly CountedDocuments[], { from, through }: BooksPeriod) {
  const merchants = byMerchant(documents).map(([merchant, own]) => buildMerchantVat(merchant, own));
  return { from, to: through, merchants, totals: netAndVat(merchants.flatMap(({ rows }) => rows)) };
}

function byMerchant(documents: readonly CountedDocuments[]): [merchant: string, CountedDocuments[]][] {
  return sortByKey(Map.groupBy(documents, ({ merchant }) => merchant));
}

function sortByKey<Item>(groups: ReadonlyMap<string, Item>): [key: string, Item][] {
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}

function netAndVat(lines: readonly { net: bigint; vat: bigint }[]): { net: bigint; vat: bigint } {
  return { net: sumOf(lines, ({ net }) => net), vat: sumOf(lines, ({ vat }) => vat) };
}

const REGION_ORDER: readonly Region[] = ["greece", "eu", "third_country"];

/** `merchant` is its external id. */
function buildMerchantVat(merchant: string, documents: readonly CountedDocuments[]) {
  const lines = documents.flatMap(({ region, customer, isVatSuspended, lines: own }) =>
    own.map((line) => ({ ...line, region, customer, isVatSuspended })),
  );
  const kinds = Map.groupBy(lines, ({ region, vatCategory, exemption }) =>
    [region, vatCategory, exemption].join(" "),
  );
  const rows = [...kinds.values()].map((some): VatRow => {
    const { region, vatCategory: category, exemption } = some[0]!;
    const rate = VAT_CATEGORIES[category].ratePercent;
    return { rate, vat_category: category, exemption, region, ...netAndVat(some) };
  });
  rows.sort(
    (left, right) =>
      REGION_ORDER.indexOf(left.region) - REGION_ORDER.indexOf(right.region) ||
      right.rate - left.rate ||
      (left.exemption ?? 0) - (right.exemption ?? 0),
  );
  const suspended = lines.filter(({ isVatSuspended }) => isVatSuspended);
  return {
    merchant,
    /** Sorted by region, rate and exemption cause. */
    rows,
    ...sortIntoBoxes(rows),
    /** For the recapitulative statement, sorted by country and number. */
    eu_sales: sumEuSales(documents),
    /** Taxes besides VAT, sorted by the authority's kind and category. */
    taxes: sumTaxes(documents.flatMap(({ taxes }) => taxes)),
    /** What the boxes count of documents whose VAT is due only once they are paid; absent if there are none. */
    ...(suspended.length === 0 ? {} : { vat_payment_suspension: netAndVat(suspended) }),
  };
}

function sumEuSales(documents: readonly CountedDocuments[]) {
  const sales = documents.flatMap(({ region, customer, lines }) =>
    lines.flatMap(({ exemption, net }) => {
      const kind = euSaleKind(exemption, region);
      return customer === undefined || kind === undefined ? [] : [{ customer, kind, net }];
    }),
  );
  const byCustomer = Map.groupBy(sales, ({ customer: { country, code } }) => `${country} ${code}`);
  return sortByKey(byCustomer).map(([, own]) => {
    const { country, code } = own[0]!.customer;
    const netOf = (wanted: "goods" | "services") =>
      sumOf(own, ({ kind, net }) => (kind === wanted ? net : 0n));
    return {
      country,
      code,
      goods: netOf("goods"),
      services: netOf("services"),
      /** The sum of both. */
      net: sumOf(own, ({ net }) => net),
      /** Whether VIES calls the number invalid, as far as it was looked up. */
      vies_invalid: own.some(({ customer }) => customer.isInvalid),
    };
  });
}

function sumTaxes(taxes: readonly CountedTax[]): CountedTax[] {
  const kinds = Map.groupBy(taxes, ({ kind, category }) => `${kind} ${category}`);
  return [...kinds.values()]
    .map((some) => ({ ...some[0]!, amount: sumOf(some, ({ amount }) => amount) }))
    .sort(
      (left, right) =>
        TAX_KINDS.indexOf(left.kind) - TAX_KINDS.indexOf(right.kind) ||
        (left.category ?? 0) - (right.category ?? 0),
    );
}

/** The boxes, and what is in none of them, by exemption cause: together all of `rows`. */
function sortIntoBoxes(rows: readonly VatRow[]) {
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

/** All amounts are cents; credit notes are negative and cancelled documents are left out. */
export type IncomeReport = ReturnType<typeof buildIncomeReport>;
export type IncomeRow = IncomeReport["merchants"][number]["rows"][number];

export async function reportIncome(context: Context, period: BooksPeriod): Promise<IncomeReport> {
  return buildIncomeReport(await countDocuments(context, period), period);
}

/** Rows are sorted by category, such as `category1_1`, and type, such as `E3_561_001`; null for a category that takes none. */
export function buildIncomeReport(documents: readonly CountedDocuments[], { from, through }: BooksPeriod) {
  const merchants = byMerchant(documents).map(([merchant, own]) => {
    const lines = own.flatMap((document) => document.lines);
    const pairs = Map.groupBy(lines, ({ income: { category, type } }) => `${category} ${type ?? ""}`);
    const rows = sortByKey(pairs).map(([, some]) => ({
      ...some[0]!.income,
      net: sumOf(some, ({ net }) => net),
    }));
    return { merchant, rows };
  });
  const all = merchants.flatMap(({ rows }) => rows);
  return { from, to: through, merchants, totals: { net: sumOf(all, ({ net }) => net) } };
}

export type VatByMonth = ReturnType<typeof buildVatByMonth>;

/**
 * Amounts are cents; a month of credit notes is negative. `rates` has the percentages that occur, from the highest; lines without VAT are
 * left out. `months` has every month of the period, oldest first, with `vat` in the order of `rates`.
 */
export function buildVatByMonth(documents: readonly CountedDocuments[], { from, through }: BooksPeriod) {
  const lines = documents.flatMap(({ month, lines: own }) =>
    own.map(({ vatCategory, vat }) => ({ month, rate: VAT_CATEGORIES[vatCategory].ratePercent, vat })),
  );
  const rates = [...new Set(lines.map(({ rate }) => rate).filter((rate) => rate > 0))];
  rates.sort((left, right) => right - left);
  const byMonth = Map.groupBy(lines, ({ month }) => month);
  const months = Array.from({ length: countMonths(through) - countMonths(from) + 1 }, (_, index) => {
    const month = startOfMonth(from, index).slice(0, 7);
    const own = byMonth.get(month) ?? [];
    const vatAt = (rate: number) => sumOf(own, (line) => (line.rate === rate ? line.vat : 0n));
    return { month, vat: rates.map(vatAt) };
  });
  return { rates, months };
}

/** Months until that of the day. */
function countMonths(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}
