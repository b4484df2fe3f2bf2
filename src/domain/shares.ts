/**
 * Computes what an issued document adds to the books: its amounts by rate, exemption cause and classification, and its taxes. They are
 * stored beside the document, so that reports open no contents (docs/contract.md#reports). Pure.
 */
import type { CanonicalDocument } from "./canonical-document.ts";
import type { Pair } from "./classification.ts";
import type { VatCategory } from "./document-codes.ts";
import { isCreditNote, type Region } from "./document-types.ts";
import type { TaxKind } from "./taxes.ts";
import { computeTotals } from "./totals.ts";

/** Amounts are cents, negative on a credit note. */
export interface Shares {
  region: Region;
  /** The VAT is due only once it is paid. Absent if false. */
  suspended?: true;
  lines: LineShare[];
  /** Besides VAT. Absent if there are none. */
  taxes?: TaxShare[];
}

/** All lines of one kind. The kind is one text, because reports look it up a million times. */
export type LineShare = [kind: string, net: number, vat: number];

export interface LineKind {
  vatCategory: VatCategory;
  exemption: number | null;
  income: Pair;
}

const nameOfKind = ({ vatCategory, exemption, income: { category, type } }: LineKind) =>
  `${vatCategory} ${exemption ?? ""} ${category} ${type ?? ""}`;

export function readKind(name: string): LineKind {
  const [vatCategory, exemption, category, type] = name.split(" ") as [VatCategory, string, string, string];
  return {
    vatCategory,
    exemption: exemption === "" ? null : Number(exemption),
    income: { category, type: type === "" ? null : type },
  };
}

export type TaxShare = [kind: TaxKind, category: number | null, amount: number];

/** The lines by kind, in the order of first use. `pairs` has one for each line. */
export function shareLines(lines: CanonicalDocument["lines"], pairs: readonly Pair[], sign = 1): LineShare[] {
  const shares = new Map<string, LineShare>();
  for (const [index, { net, vat, ...line }] of computeTotals(lines).lines.entries()) {
    const { vat_category: vatCategory, vat_exemption: exemption = null } = line;
    const kind = nameOfKind({ vatCategory, exemption, income: pairs[index]! });
    const share = shares.get(kind) ?? [kind, 0, 0];
    shares.set(kind, share);
    // Exact, because both are below the limits of a document's totals.
    share[1] += sign * net;
    share[2] += sign * vat;
  }
  return [...shares.values()];
}

/** `region` is that of the sale: a credit note has that of the document it credits. */
export function sharesOf(
  { type, lines, taxes = [] }: CanonicalDocument,
  decided: { classifications: readonly Pair[]; vatPaymentSuspension?: true },
  region: Region,
): Shares {
  const sign = isCreditNote(type) ? -1 : 1;
  return {
    region,
    ...(decided.vatPaymentSuspension === true ? { suspended: true } : {}),
    lines: shareLines(lines, decided.classifications, sign),
    ...(taxes.length === 0
      ? {}
      : {
          taxes: taxes.map(({ kind, category = null, amount }): TaxShare => [kind, category, sign * amount]),
        }),
  };
}

/** All lines of one kind. Cents, negative where credit notes outweigh. */
export interface CountedLine extends LineKind {
  net: bigint;
  vat: bigint;
}

export interface CountedTax {
  kind: TaxKind;
  /** The authority's category; null where the tax has none. */
  category: number | null;
  /** Cents. */
  amount: bigint;
}

export interface CountedShares {
  lines: CountedLine[];
  /** Besides VAT. */
  taxes: CountedTax[];
}

export function createSharesCounter(): { add(shares: Shares): void; counted(): CountedShares } {
  const lines = new Map<string, CountedLine>();
  const taxes = new Map<string, CountedTax>();
  return {
    add(shares) {
      for (const [kind, net, vat] of shares.lines) {
        let line = lines.get(kind);
        if (line === undefined) lines.set(kind, (line = { ...readKind(kind), net: 0n, vat: 0n }));
        line.net += BigInt(net);
        line.vat += BigInt(vat);
      }
      for (const [kind, category, amount] of shares.taxes ?? []) {
        const key = `${kind} ${category}`;
        const tax = taxes.get(key) ?? { kind, category, amount: 0n };
        taxes.set(key, tax);
        tax.amount += BigInt(amount);
      }
    },
    counted: () => ({ lines: [...lines.values()], taxes: [...taxes.values()] }),
  };
}
