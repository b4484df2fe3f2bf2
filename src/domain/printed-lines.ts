/**
 * The lines as the customer reads them. Retail papers show prices with VAT as they were given, and one line for each item, although
 * the authority may get two (docs/contract.md#prices-with-vat). Pure.
 */
import type { CanonicalLine } from "./canonical-schema.ts";
import { formatThousandths } from "./credit-cents.ts";
import { VAT_CATEGORIES } from "./document-codes.ts";
import { computeTotals } from "./totals.ts";
import { euroText, lineNet, roundHalfUp, thousandths } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";

export interface PaperLine
  extends Pick<CanonicalLine, "description" | "quantity" | "unit" | "vat_category" | "vat_exemption"> {
  /** Cents; on retail papers with VAT. */
  unitPrice: number;
  /** Cents. */
  net: number;
  vat: number;
}

/** One for each line of the document, with its net price. */
export function pricedLines(lines: readonly CanonicalLine[]): (CanonicalLine & PaperLine)[] {
  const totals = computeTotals(lines).lines;
  return lines.map((line, index) => ({ ...line, ...totals[index]!, unitPrice: line.unit_price }));
}

type PricedLine = ReturnType<typeof pricedLines>[number];

/** One for each item, with its price with VAT. */
export function retailLines(lines: readonly PricedLine[]): PaperLine[] {
  return [...itemsOf(lines)].map(({ parts }) => joinLines(parts));
}

/** For each price with VAT that its lines do not come to: the paper shows another. `line` counts from 1. */
export function warnAboutGrossPrices(lines: readonly CanonicalLine[]): (Text & { line: number })[] {
  return [...itemsOf(pricedLines(lines))].flatMap(({ at, parts }) => {
    const [{ unit_price_gross: price }] = parts as [PricedLine];
    if (price === undefined || isOneItem(parts)) return [];
    const [given, comesTo] = [lineNet(quantityOf(parts), price), sumOf(parts)].map(euroText) as [Text, Text];
    return [
      {
        line: at + 1,
        en: `unit_price_gross comes to ${given.en} euros for the quantity, but the line to ${comesTo.en} with VAT, which the paper shows`,
        el: `το unit_price_gross δίνει ${given.el} ευρώ για την ποσότητα, αλλά η γραμμή ${comesTo.el} με ΦΠΑ, που δείχνει το έντυπο`,
      },
    ];
  });
}

function* itemsOf(lines: readonly PricedLine[]): Generator<{ at: number; parts: PricedLine[] }> {
  for (let at = 0; at < lines.length; ) {
    const end = at + countSame(lines, at);
    const isWhole = isOneItem(lines.slice(at, end));
    // The whole run if it is one item, otherwise each two lines that a price became, and the other lines alone.
    while (at < end) {
      const parts = lines.slice(at, isWhole ? end : Math.min(at + 2, end));
      const isItem = isWhole || (countSame(parts, 0) === parts.length && isOneItem(parts));
      const item = isItem ? parts : parts.slice(0, 1);
      yield { at, parts: item };
      at += item.length;
    }
  }
}

/** How many lines from `at` on can be parts of one item. */
function countSame(lines: readonly PricedLine[], at: number): number {
  const first = lines[at]!;
  let end = at + 1;
  while (end < lines.length && isPartOf(first, lines[end]!)) end += 1;
  return first.unit_price_gross === undefined ? 1 : end - at;
}

function isPartOf(first: PricedLine, line: PricedLine): boolean {
  const isOfKind = (["unit", "vat_category", "vat_exemption"] as const).every(
    (key) => line[key] === first[key],
  );
  const isRepeated =
    line.description === first.description && line.unit_price_gross === first.unit_price_gross;
  return isOfKind && (isRepeated || holdsLastCents(line));
}

/** A line of its own for the last cents of the price above it. */
function holdsLastCents({ unit_price: net, unit_price_gross: gross }: PricedLine): boolean {
  return gross === 0 && net > 0;
}

/** Whether the lines come to the price with VAT of the quantity. */
function isOneItem(lines: readonly PricedLine[]): boolean {
  return lineNet(quantityOf(lines), lines[0]!.unit_price_gross ?? 0) === BigInt(sumOf(lines));
}

function sumOf(lines: readonly PricedLine[]): number {
  return lines.reduce((total, { net, vat }) => total + net + vat, 0);
}

function quantityOf(lines: readonly PricedLine[]): string {
  const counted = lines.filter((line) => !holdsLastCents(line));
  return formatThousandths(counted.reduce((sum, { quantity }) => sum + thousandths(quantity), 0n));
}

function joinLines(lines: readonly PricedLine[]): PaperLine {
  const [line] = lines as [PricedLine];
  const total = (amount: "net" | "vat") => lines.reduce((sum, part) => sum + part[amount], 0);
  const isAsGiven = line.unit_price_gross !== undefined && isOneItem(lines);
  return {
    ...line,
    ...(isAsGiven ? { quantity: quantityOf(lines) } : {}),
    unitPrice: isAsGiven ? line.unit_price_gross! : withVat(line),
    net: total("net"),
    vat: total("vat"),
  };
}

/** The net price × (1 + rate), rounded half up. */
function withVat({ unit_price: price, vat_category: category }: PricedLine): number {
  return Number(roundHalfUp(BigInt(price) * BigInt(100 + VAT_CATEGORIES[category].ratePercent), 100n));
}
