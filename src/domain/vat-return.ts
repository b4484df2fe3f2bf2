/**
 * The VAT return (form Φ2): the boxes that a line of a document belongs to, and when the returns of a month are due. The boxes of taxed
 * sales follow from the rate; for exempt lines the exemption cause and the customer's country decide
 * (docs/authority.md#vat-return-boxes).
 */
import type { Text } from "../foundation/text.ts";
import type { VatCategory } from "./document-codes.ts";
import type { Region } from "./document-types.ts";
import { endOfMonth, startOfMonth } from "../foundation/days.ts";

export const REGION_NAMES: Readonly<Record<Region, Text>> = {
  greece: { en: "Greece", el: "Ελλάδα" },
  eu: { en: "EU", el: "ΕΕ" },
  third_country: { en: "third country", el: "τρίτη χώρα" },
};

/** Net amounts and VAT amounts of taxed sales, by VAT category. */
export const TAXED_BOXES = {
  reduced: { net: "301", vat: "331" },
  super_reduced: { net: "302", vat: "332" },
  standard: { net: "303", vat: "333" },
  reduced_island: { net: "304", vat: "334" },
  super_reduced_island: { net: "305", vat: "335" },
  standard_island: { net: "306", vat: "336" },
} as const satisfies Record<Exclude<VatCategory, "exempt">, { net: string; vat: string }>;

/** Net amounts of sales without VAT, each with its exemption causes. */
const EXEMPT_BOXES = {
  /** Exempt without the right to deduct input tax. */
  withoutDeduction: { box: "310", causes: [7, 15, 17, 18, 19, 24] },
  /** Intra-Community supplies of goods. */
  euGoods: { box: "342", causes: [14] },
  /** Services to businesses in other EU countries, which have the cause of all services abroad. */
  euServices: { box: "345", causes: [] },
  /** Exports, and exemptions of ships and aircraft. */
  exports: { box: "348", causes: [8, 11, 12, 13, 26, 28] },
  /** Other sales without VAT with the right to deduct input tax. */
  withDeduction: { box: "349", causes: [3, 4, 9, 10, 16, 25] },
} as const satisfies Record<string, { box: string; causes: readonly number[] }>;

/** Sums: of the taxed net amounts, of all net amounts, of VAT. */
export const SUM_BOXES = { taxed: "307", sales: "311", vat: "337" } as const;

type ExemptBox = (typeof EXEMPT_BOXES)[keyof typeof EXEMPT_BOXES]["box"];

export const VAT_RETURN_BOXES = [
  ...Object.values(TAXED_BOXES).map(({ net }) => net),
  SUM_BOXES.taxed,
  EXEMPT_BOXES.euGoods.box,
  EXEMPT_BOXES.euServices.box,
  EXEMPT_BOXES.exports.box,
  EXEMPT_BOXES.withDeduction.box,
  EXEMPT_BOXES.withoutDeduction.box,
  SUM_BOXES.sales,
  ...Object.values(TAXED_BOXES).map(({ vat }) => vat),
  SUM_BOXES.vat,
] as const;

export type VatReturnBox = (typeof VAT_RETURN_BOXES)[number];

/** A sale with another cause is not part of this return (out of scope, margin schemes, OSS). */
const BOX_OF_CAUSE: ReadonlyMap<number, ExemptBox> = new Map(
  Object.values(EXEMPT_BOXES).flatMap(({ box, causes }) => causes.map((cause) => [cause, box] as const)),
);

/** Services whose place of supply is abroad. */
const SERVICES_ABROAD = 4;

/** The box of an exempt line's net amount; null where it is in no box of this return. */
export function exemptBox(cause: number, region: Region): ExemptBox | null {
  if (cause === SERVICES_ABROAD && region === "eu") return EXEMPT_BOXES.euServices.box;
  const box = BOX_OF_CAUSE.get(cause) ?? null;
  // Goods cannot leave for another EU country with a customer elsewhere; the amount is then any other untaxed sale.
  return box === EXEMPT_BOXES.euGoods.box && region !== "eu" ? EXEMPT_BOXES.withDeduction.box : box;
}

/** The column of a line with this exemption in the recapitulative statement of sales within the EU; undefined if it has none. */
export function euSaleKind(
  cause: number | null | undefined,
  region: Region,
): "goods" | "services" | undefined {
  const box = cause === undefined || cause === null ? null : exemptBox(cause, region);
  if (box === EXEMPT_BOXES.euGoods.box) return "goods";
  return box === EXEMPT_BOXES.euServices.box ? "services" : undefined;
}

export interface Deadline {
  kind: "vat_return" | "vies";
  date: string;
}

/** `month` is `2026-11`. */
export function filingDeadlines(month: string): Deadline[] {
  const next = startOfMonth(`${month}-01`, 1);
  return [
    { kind: "vat_return", date: lastWorkingDay(next) },
    { kind: "vies", date: `${next.slice(0, 7)}-26` },
  ];
}

function lastWorkingDay(day: string): string {
  let last = endOfMonth(day);
  while (!isWorkingDay(last)) last = addDays(last, -1);
  return last;
}

/** Public holidays with a fixed date, as month and day. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set([
  "01-01",
  "01-06",
  "03-25",
  "05-01",
  "08-15",
  "10-28",
  "12-25",
  "12-26",
]);
/** Days after Orthodox Easter Sunday: Clean Monday, Good Friday, Easter Monday, Whit Monday. */
const MOVABLE_HOLIDAYS = [-48, -2, 1, 50];
const SUNDAY = 0;
const SATURDAY = 6;

function isWorkingDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  if (weekday === SUNDAY || weekday === SATURDAY || FIXED_HOLIDAYS.has(day.slice(5))) return false;
  const easter = orthodoxEaster(Number(day.slice(0, 4)));
  return MOVABLE_HOLIDAYS.every((offset) => addDays(easter, offset) !== day);
}

/** By Meeus's rule for the Julian calendar, whose dates come 13 days later in ours from 1900 to 2099. */
function orthodoxEaster(year: number): string {
  const moon = (19 * (year % 19) + 15) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const sum = moon + sunday + 114;
  const julian = new Date(Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1));
  return addDays(julian.toISOString().slice(0, 10), 13);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
