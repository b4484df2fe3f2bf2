/** Totals: each line rounded half up to the cent, then summed (spec, Totals). Exact: sums are made in BigInt. */
import { lineNet, vatOf } from "../foundation/money.ts";
import type { CanonicalLine } from "./canonical-schema.ts";
import { VAT_CATEGORIES, type VatCategory } from "./document-codes.ts";

/** What totals need of a line. */
export type PricedLine = Pick<CanonicalLine, "quantity" | "unit_price" | "vat_category">;

/** Cents. `lines` in the order of the document. */
export interface ExactTotals {
  net: bigint;
  vat: bigint;
  gross: bigint;
  lines: { net: bigint; vat: bigint }[];
}

export function computeExactTotals(lines: readonly PricedLine[]): ExactTotals {
  let net = 0n;
  let vat = 0n;
  const computed = lines.map((line) => {
    const ofLine = lineNet(line.quantity, line.unit_price);
    const vatOfLine = vatOf(ofLine, VAT_CATEGORIES[line.vat_category].ratePercent);
    net += ofLine;
    vat += vatOfLine;
    return { net: ofLine, vat: vatOfLine };
  });
  return { net, vat, gross: net + vat, lines: computed };
}

/** Cents, as numbers. */
export interface Totals {
  net: number;
  vat: number;
  gross: number;
  lines: { net: number; vat: number }[];
}

/** The totals of lines within the limits; throws a RangeError where they are not, because a number would lose digits. */
export function computeTotals(lines: readonly PricedLine[]): Totals {
  const exact = computeExactTotals(lines);
  return {
    net: exactNumber(exact.net),
    vat: exactNumber(exact.vat),
    gross: exactNumber(exact.gross),
    lines: exact.lines.map((line) => ({ net: exactNumber(line.net), vat: exactNumber(line.vat) })),
  };
}

function exactNumber(cents: bigint): number {
  if (cents > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError("The total is beyond what an amount may be");
  return Number(cents);
}

/** Cents of the lines of one VAT category. */
export interface VatShare {
  category: VatCategory;
  net: number;
  vat: number;
}

/** Net and VAT by category, in the order in which the lines have them. They add up to the document's own totals. */
export function computeVatShares(lines: readonly PricedLine[]): VatShare[] {
  const shares = new Map<VatCategory, VatShare>();
  for (const [index, { net, vat }] of computeTotals(lines).lines.entries()) {
    const category = lines[index]!.vat_category;
    const share = shares.get(category) ?? { category, net: 0, vat: 0 };
    shares.set(category, share);
    // Within the limits of a document's totals: no sum loses a digit.
    share.net += net;
    share.vat += vat;
  }
  return [...shares.values()];
}
