/** Totals of a document: each line is rounded half up to the cent, then summed exactly (docs/contract.md#totals). */
import { lineNet, vatOf } from "../foundation/money.ts";
import type { CanonicalLine } from "./canonical-schema.ts";
import { VAT_CATEGORIES, type VatCategory } from "./document-codes.ts";

export type PricedLine = Pick<CanonicalLine, "quantity" | "unit_price" | "vat_category">;

/** In cents. `lines` has the order of the document. */
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

/** In cents, as numbers; also of each line. */
export interface Totals<Line> {
  net: number;
  vat: number;
  gross: number;
  lines: (Line & { net: number; vat: number })[];
}

/** Throws a RangeError for totals beyond the limits of a document, where a number would lose digits. */
export function computeTotals<Line extends PricedLine>(lines: readonly Line[]): Totals<Line> {
  const exact = computeExactTotals(lines);
  return {
    net: exactNumber(exact.net),
    vat: exactNumber(exact.vat),
    gross: exactNumber(exact.gross),
    lines: lines.map((line, index) => {
      const { net, vat } = exact.lines[index]!;
      return { ...line, net: exactNumber(net), vat: exactNumber(vat) };
    }),
  };
}

function exactNumber(cents: bigint): number {
  if (cents > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError("The total exceeds the largest amount");
  return Number(cents);
}

/** The lines of one VAT category, in cents. */
export interface VatShare {
  category: VatCategory;
  net: number;
  vat: number;
}

/** Net and VAT by category, in the order of first use. They add up to the document's totals. */
export function computeVatShares(lines: readonly PricedLine[]): VatShare[] {
  const shares = new Map<VatCategory, VatShare>();
  for (const { vat_category: category, net, vat } of computeTotals(lines).lines) {
    const share = shares.get(category) ?? { category, net: 0, vat: 0 };
    shares.set(category, share);
    // Exact, because both are below the limits of a document's totals.
    share.net += net;
    share.vat += vat;
  }
  return [...shares.values()];
}
