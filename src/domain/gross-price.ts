/**
 * Prices with VAT (docs/contract.md#prices-with-vat): the net prices to send for one, and the lines as retail papers print them. Net and
 * VAT of a line are rounded to the cent, so many totals cannot be reached with one line: at 24 %, nearly one in five. Two lines reach all
 * of them, and paper shows them as one. Pure.
 */
import { euroText, lineNet, roundHalfUp, thousandths, vatOf } from "../foundation/money.ts";
import { formatThousandths } from "./credit-cents.ts";
import { VAT_CATEGORIES, type VatCategory } from "./document-codes.ts";
import type { CanonicalLine } from "./canonical-schema.ts";
import { computeTotals } from "./totals.ts";
import type { Text } from "../foundation/text.ts";

/** A line, or a part of one. */
export interface NetPart {
  /** A decimal string. */
  quantity: string;
  /** Cents, without VAT. */
  unitPrice: number;
  /** A line of its own for the last cents, beside the whole quantity. */
  isRounding: boolean;
}

/** How far around its ideal place a split of the quantity is looked for, in steps. */
const SPLITS_MAX = 40n;
/** How many splits of a quantity that is not whole are tried at one price. */
const EQUAL_SPLITS_MAX = 2000;
/** VAT of whole units repeats after this many of them, so that further splits bring nothing new. */
const WHOLE_SPLITS_MAX = 100;
/** Cents by which rounding moves two lines of one price at most: net and VAT of each. */
const ROUNDING_MAX = 3n;
/** How many prices below the ideal one are tried for all but the last unit. */
const LOWER_MAX = 20;
const ONE = 1000n;

/**
 * One or two parts whose net and VAT add up to `quantity` × `grossUnitPrice` (cents, with VAT), rounded half up to the cent. Two parts
 * share the quantity at one price if there is one that fits, otherwise at prices that differ by a cent; failing that one unit has a
 * price of its own, or, where there is only one, a second line has the last cents.
 */
export function netParts(
  quantity: string,
  grossUnitPrice: number,
  category: VatCategory,
): NetPart[] | undefined {
  const price = { quantity: thousandths(quantity), rate: VAT_CATEGORIES[category].ratePercent };
  const wanted = lineNet(quantity, grossUnitPrice);
  for (const shares of candidates(price, wanted)) {
    if (shares.reduce((sum, share) => sum + grossOf(share, price.rate), 0n) !== wanted) continue;
    const isRounding = (index: number) => index > 0 && shares[0]![0] === price.quantity;
    return shares.map(([part, unitPrice], index) => ({
      quantity: formatThousandths(part),
      unitPrice: Number(unitPrice),
      isRounding: isRounding(index),
    }));
  }
  return undefined;
}

interface Priced {
  /** Thousandths. */
  quantity: bigint;
  /** Percent. */
  rate: number;
}

/** Thousandths, and cents without VAT. */
type Share = readonly [quantity: bigint, unitPrice: bigint];

/** Cents with VAT of a line. */
function grossOf([quantity, unitPrice]: Share, rate: number): bigint {
  const net = roundHalfUp(quantity * unitPrice, ONE);
  return net + vatOf(net, rate);
}

/** The unit price, rounded down, at which the net amount is the one that `wanted` contains. */
function idealPrice({ quantity, rate }: Priced, wanted: bigint): bigint {
  return (wanted * 100n * ONE) / (BigInt(100 + rate) * quantity);
}

function two(quantity: bigint, unitPrice: bigint, other: bigint, otherPrice: bigint): Share[] {
  return [
    [quantity, unitPrice],
    [other, otherPrice],
  ];
}

/** The shares that may come to `wanted`, best first. */
function* candidates(price: Priced, wanted: bigint): Generator<Share[]> {
  const { quantity, rate } = price;
  const ideal = idealPrice(price, wanted);
  for (const unitPrice of [ideal, ideal + 1n]) yield [[quantity, unitPrice]];
  // Shares in whole units where the quantity is whole, otherwise in thousandths.
  const step = quantity % ONE === 0n ? ONE : 1n;
  const most = step * BigInt(step === ONE ? WHOLE_SPLITS_MAX : EQUAL_SPLITS_MAX);
  // At one price, which rounding twice can bring to the cent.
  for (const unitPrice of nearbyPrices(price, wanted))
    for (let share = step; share <= most && 2n * share <= quantity; share += step)
      yield two(quantity - share, unitPrice, share, unitPrice);
  // At the higher price: as many units as the lower price leaves cents.
  const net = (wanted * 100n) / BigInt(100 + rate);
  const even = ((net * ONE - quantity * ideal) / step) * step;
  for (let distance = 0n; distance <= SPLITS_MAX * step; distance += step)
    for (const high of [even + distance, even - distance])
      if (high > 0n && high < quantity) yield two(high, ideal + 1n, quantity - high, ideal);
  // One unit at a price of its own, which is a unit of the quantity or a rounding line.
  for (const whole of [quantity - ONE, quantity].filter((part) => part > 0n)) {
    for (const unitPrice of lowerPrices(price, wanted)) {
      const rest = wanted - grossOf([whole, unitPrice], rate);
      const last = idealPrice({ quantity: ONE, rate }, rest);
      if (rest > 0n) for (const lastPrice of [last, last + 1n]) yield two(whole, unitPrice, ONE, lastPrice);
    }
  }
}

/** The unit prices that rounding can bring to `wanted`, upwards. */
function* nearbyPrices({ quantity, rate }: Priced, wanted: bigint): Generator<bigint> {
  const exact = (unitPrice: bigint) => quantity * unitPrice * BigInt(100 + rate);
  const [least, most] = [wanted - ROUNDING_MAX, wanted + ROUNDING_MAX].map((cents) => cents * 100n * ONE);
  const low = idealPrice({ quantity, rate }, wanted - ROUNDING_MAX);
  for (let unitPrice = low < 0n ? 0n : low; exact(unitPrice) <= most!; unitPrice += 1n)
    if (exact(unitPrice) >= least!) yield unitPrice;
}

/** Unit prices just below the ideal one: each a cent lower, and each with a net amount a cent lower. */
function* lowerPrices({ quantity, rate }: Priced, wanted: bigint): Generator<bigint> {
  const ideal = idealPrice({ quantity, rate }, wanted);
  const net = (wanted * 100n) / BigInt(100 + rate);
  for (let below = 0n; below <= LOWER_MAX && below <= ideal; below += 1n) yield ideal - below;
  for (let below = 0n; below <= LOWER_MAX && below <= net; below += 1n)
    yield ((net - below) * ONE) / quantity;
}

export interface PaperLine
  extends Pick<CanonicalLine, "description" | "quantity" | "unit" | "vat_category" | "vat_exemption"> {
  /** Cents; on retail papers with VAT. */
  unitPrice: number;
  /** Cents. */
  net: number;
  vat: number;
}

export function pricedLines(lines: readonly CanonicalLine[]): (CanonicalLine & PaperLine)[] {
  return computeTotals(lines).lines.map((line) => ({ ...line, unitPrice: line.unit_price }));
}

type PricedLine = ReturnType<typeof pricedLines>[number];

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
  const total = (amount: "net" | "vat") => lines.reduce((sum, priced) => sum + priced[amount], 0);
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
