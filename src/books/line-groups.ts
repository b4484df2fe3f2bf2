/** Groups the lines of a document for bookkeeping: by VAT category, exemption cause and income classification. */
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import type { Pair } from "../domain/classification.ts";
import type { VatCategory } from "../domain/document-codes.ts";
import { computeTotals } from "../domain/totals.ts";

/** Amounts are cents as on the document. */
export interface LineGroup {
  vat_category: VatCategory;
  /** Null unless the lines are exempt. */
  exemption: number | null;
  income_category: string;
  /** Null where the category is sent without one. */
  income_type: string | null;
  net: number;
  vat: number;
}

/** In the order of first use; the groups add up to the document's totals. `pairs` has one for each line. */
export function groupLines(lines: CanonicalDocument["lines"], pairs: readonly Pair[]): LineGroup[] {
  const groups = new Map<string, LineGroup>();
  const amounts = computeTotals(lines).lines;
  for (const [index, { vat_category, vat_exemption }] of lines.entries()) {
    const { category, type } = pairs[index]!;
    const key = [vat_category, vat_exemption, category, type].join(" ");
    const group = groups.get(key) ?? {
      vat_category,
      exemption: vat_exemption ?? null,
      income_category: category,
      income_type: type,
      net: 0,
      vat: 0,
    };
    groups.set(key, group);
    group.net += amounts[index]!.net;
    group.vat += amounts[index]!.vat;
  }
  return [...groups.values()];
}
