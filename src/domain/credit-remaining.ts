/** What remains of a document after credits, by line and by VAT category (docs/contract.md#crediting-a-document). */
import { thousandths } from "../foundation/money.ts";
import type { CanonicalLine } from "./canonical-schema.ts";
import type { PartAmounts } from "./credit-cents.ts";
import type { VatCategory } from "./document-codes.ts";
import { computeTotals, type VatShare } from "./totals.ts";

/** The part of a line that a credit took. `line` counts from 1. */
export interface CreditedPart extends PartAmounts {
  line: number;
}

/** The credits of a document so far. */
export interface Credits {
  /** Of credits that name the lines. */
  parts: readonly CreditedPart[];
  /** Of credits that do not, by VAT category. */
  unnamed: readonly VatShare[];
}

/** In cents. */
export interface Amounts {
  net: number;
  vat: number;
}

export interface Remaining {
  /** One for each line of the document. */
  lines: CreditedPart[];
  /** Limits of all credits together; they matter only after credits that do not name their lines. */
  categories: Map<VatCategory, Amounts>;
  total: Amounts;
  /** Every credit so far named its lines. */
  isExact: boolean;
}

/**
 * `totals` are the amounts of the lines, if they are not what the prices give. Nothing becomes negative: credits that do not
 * name their lines can exceed the document.
 */
export function findRemaining(
  lines: readonly CanonicalLine[],
  { parts, unnamed }: Credits,
  totals: readonly Amounts[] = computeTotals(lines).lines,
): Remaining {
  const left: CreditedPart[] = lines.map((line, index) => ({
    line: index + 1,
    quantity: thousandths(line.quantity),
    ...totals[index]!,
  }));
  for (const part of parts) subtractPart(left[part.line - 1]!, part);
  const categories = new Map<VatCategory, Amounts>();
  const total = { net: 0, vat: 0 };
  for (const [index, { net, vat }] of left.entries()) {
    const category = lines[index]!.vat_category;
    const sum = categories.get(category) ?? { net: 0, vat: 0 };
    categories.set(category, { net: sum.net + net, vat: sum.vat + vat });
    subtract(total, { net: -net, vat: -vat });
  }
  for (const share of unnamed) {
    const sum = categories.get(share.category);
    if (sum !== undefined) subtract(sum, share);
    subtract(total, share);
  }
  return { lines: left, categories, total, isExact: unnamed.length === 0 };
}

function subtract(from: Amounts, { net, vat }: Amounts): void {
  from.net = Math.max(0, from.net - net);
  from.vat = Math.max(0, from.vat - vat);
}

function subtractPart(from: CreditedPart, part: PartAmounts): void {
  from.quantity = from.quantity > part.quantity ? from.quantity - part.quantity : 0n;
  subtract(from, part);
}

/** Takes `part` from what remains. */
export function takePart(remaining: Remaining, part: CreditedPart, category: VatCategory): void {
  subtractPart(remaining.lines[part.line - 1]!, part);
  subtract(remaining.categories.get(category)!, part);
  subtract(remaining.total, part);
}

/** What a credit may take of the line at most, in cents. */
export function availableOf(remaining: Remaining, line: number, category: VatCategory): Amounts {
  const limits = [remaining.lines[line - 1]!, remaining.categories.get(category)!, remaining.total];
  return {
    net: Math.min(...limits.map(({ net }) => net)),
    vat: Math.min(...limits.map(({ vat }) => vat)),
  };
}

export function isNothingLeft(remaining: Remaining, lines: readonly CanonicalLine[]): boolean {
  return lines.every(
    ({ vat_category: category }, index) => availableOf(remaining, index + 1, category).net === 0,
  );
}
