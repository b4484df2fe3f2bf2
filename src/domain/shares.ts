/**
 * What an issued document adds to the books: its amounts by rate, exemption cause and classification, and its taxes. Stored beside
 * the document, so that reports open no contents (docs/contract.md#reports). Pure.
 */
import type { CanonicalDocument } from "./canonical-document.ts";
import type { Pair } from "./classification.ts";
import type { VatCategory } from "./document-codes.ts";
import { isCreditNote, type Market } from "./document-types.ts";
import type { TaxKind } from "./taxes.ts";
import { computeTotals } from "./totals.ts";
import type { Region } from "./vat-return.ts";

/** Amounts are cents, negative on a credit note. */
export interface Shares {
  region: Region;
  /** The VAT is due only once it is paid. Absent if false. */
  suspended?: true;
  lines: LineShare[];
  /** Besides VAT. Absent if there are none. */
  taxes?: TaxShare[];
}

/** All lines of one rate, exemption cause and classification pair. */
export type LineShare = [
  rate: VatCategory,
  exemption: number | null,
  category: string,
  type: string | null,
  net: number,
  vat: number,
];

export type TaxShare = [kind: TaxKind, category: number | null, amount: number];

const REGIONS: Readonly<Record<Market, Region>> = {
  greece: "greece",
  eu: "eu",
  thirdCountry: "third_country",
};

/** `market` is that of the sale: a credit note has that of the document it credits. */
export function sharesOf(
  { type, lines, taxes = [] }: CanonicalDocument,
  decided: { classifications: readonly Pair[]; vatPaymentSuspension?: true },
  market: Market,
): Shares {
  const sign = isCreditNote(type) ? -1 : 1;
  const shares = new Map<string, LineShare>();
  for (const [index, { net, vat }] of computeTotals(lines).lines.entries()) {
    const { vat_category: rate, vat_exemption: exemption = null } = lines[index]!;
    const { category, type: pairType } = decided.classifications[index]!;
    const key = `${rate} ${exemption} ${category} ${pairType}`;
    const share = shares.get(key) ?? [rate, exemption, category, pairType, 0, 0];
    shares.set(key, share);
    // Exact, because both are below the limits of a document's totals.
    share[4] += sign * net;
    share[5] += sign * vat;
  }
  return {
    region: REGIONS[market],
    ...(decided.vatPaymentSuspension === true ? { suspended: true } : {}),
    lines: [...shares.values()],
    ...(taxes.length === 0
      ? {}
      : {
          taxes: taxes.map(({ kind, category = null, amount }): TaxShare => [kind, category, sign * amount]),
        }),
  };
}
