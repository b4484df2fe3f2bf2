/** Adds up the totals of an export exactly: BigInt sums do not lose a cent however many documents there are. */
import type { DocumentStatus } from "../../storage/stored-values.ts";
import type { VatShare } from "../domain/totals.ts";
import { VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, isCreditNote } from "../domain/document-types.ts";

/** The parts of a document that totals need. Amounts are cents as on the document, never negative. */
export interface CountedDocument {
  type: string;
  status: DocumentStatus;
  cancelled_at: string | null;
  net: number;
  vat: number;
  gross: number;
  vat_by_category: readonly VatShare[];
}

/** Cents; those of credit notes are negative. */
export interface TypeTotal {
  type: string;
  /** Number of documents included in the amounts. */
  documents: number;
  /** Number of cancelled documents, which no amount includes. */
  cancelled: number;
  net: bigint;
  vat: bigint;
  gross: bigint;
}

export interface VatTotal {
  category: VatCategory;
  rate_percent: number;
  net: bigint;
  vat: bigint;
}

/** Only types and categories that occur, in the order of the contract. */
export interface ExportTotals {
  by_type: TypeTotal[];
  by_vat: VatTotal[];
}

/** The factor of a document in totals: 1, -1 for a credit note, 0 if cancelled or not issued. */
export function signOf(document: Pick<CountedDocument, "type" | "status" | "cancelled_at">): 1 | 0 | -1 {
  if (document.status !== "issued" || document.cancelled_at !== null) return 0;
  return isCreditNote(document.type) ? -1 : 1;
}

export interface TotalsCounter {
  add(document: CountedDocument): void;
  /** Totals of the documents added so far. */
  totals(): ExportTotals;
}

export function createTotalsCounter(): TotalsCounter {
  const byType = new Map<string, TypeTotal>();
  const byVat = new Map<VatCategory, { net: bigint; vat: bigint }>();
  return {
    add(document) {
      const count = signOf(document);
      const sign = BigInt(count);
      const { type } = document;
      const total = byType.get(type) ?? { type, documents: 0, cancelled: 0, net: 0n, vat: 0n, gross: 0n };
      byType.set(type, total);
      if (document.cancelled_at !== null) total.cancelled += 1;
      if (count === 0) return;
      total.documents += 1;
      total.net += sign * BigInt(document.net);
      total.vat += sign * BigInt(document.vat);
      total.gross += sign * BigInt(document.gross);
      for (const share of document.vat_by_category) {
        const sum = byVat.get(share.category) ?? { net: 0n, vat: 0n };
        byVat.set(share.category, sum);
        sum.net += sign * BigInt(share.net);
        sum.vat += sign * BigInt(share.vat);
      }
    },
    totals: () => ({
      by_type: DOCUMENT_TYPES.flatMap((type) => byType.get(type) ?? []),
      by_vat: categories().flatMap((category) => {
        const sum = byVat.get(category);
        const rate = VAT_CATEGORIES[category].ratePercent;
        return sum === undefined ? [] : [{ category, rate_percent: rate, ...sum }];
      }),
    }),
  };
}

function categories(): VatCategory[] {
  return Object.keys(VAT_CATEGORIES) as VatCategory[];
}
