/** Taxes besides VAT in the authority's documents: how they are written, and what they make of its sums (docs/authority.md#sums). */
import type { CanonicalDocument } from "../../domain/canonical-document.ts";
import { exactGross, payableOf, sumOfKind, taxCode, type TaxKind } from "../../domain/taxes.ts";
import { formatEuro } from "../../foundation/money.ts";

type Taxed = Pick<CanonicalDocument, "taxes" | "totals">;

/** The sums of each kind, in the order of the schema. */
const SUMS: readonly (readonly [TaxKind, string])[] = [
  ["withheld", "totalWithheldAmount"],
  ["fees", "totalFeesAmount"],
  ["stamp", "totalStampDutyAmount"],
  ["other", "totalOtherTaxesAmount"],
  ["deductions", "totalDeductionsAmount"],
];

export const TAX_SUMS = SUMS.map(([, name]) => name);

/** What is payable, in spite of its name. */
const PAYABLE = "totalGrossValue";

export function buildTaxSums(document: Taxed): Record<string, string> {
  return {
    ...Object.fromEntries(SUMS.map(([kind, name]) => [name, formatEuro(sumOfKind(document, kind))])),
    [PAYABLE]: formatEuro(payableOf(document)),
  };
}

/** The element with each tax, if there is any. */
export function buildTaxesTotals({ taxes }: Taxed) {
  if (taxes === undefined) return {};
  const each = taxes.map(({ kind, category, base, amount }) => ({
    taxType: String(taxCode(kind)),
    ...(category === undefined ? {} : { taxCategory: String(category) }),
    ...(base === undefined ? {} : { underlyingValue: formatEuro(base) }),
    taxAmount: formatEuro(amount),
  }));
  return { taxesTotals: { taxes: each } };
}

/** The gross total by the sums of a summary, which `amount` reads in cents; null if what is payable is missing or unreadable. */
export function readGross(amount: (name: string) => bigint | null): bigint | null {
  const payable = amount(PAYABLE);
  const taxes = SUMS.map(([kind, name]) => ({ kind, amount: amount(name) ?? 0n }));
  return payable === null ? null : exactGross(payable, taxes);
}
