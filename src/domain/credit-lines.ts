/**
 * Builds the lines of a credit note from what remains of its original after earlier credits. Each part takes the share of VAT that the
 * line has had up to it, so that the parts of a line add up to it, and a part is refused if the rest could not be credited to the cent
 * (docs/contract.md#crediting-a-document).
 */
import type { Problem } from "../foundation/errors.ts";
import { euroText, roundHalfUp, thousandths, vatOf } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import type { CanonicalLine } from "./canonical-schema.ts";
import type { Pair } from "./classification.ts";
import { formatThousandths, type PartAmounts, type PricedPart, priceExactly } from "./credit-cents.ts";
import { LINES_MAX, VAT_CATEGORIES } from "./document-codes.ts";
import { computeTotals, type VatShare } from "./totals.ts";

/** Which part of a line to credit: a quantity, an amount in cents, or, without either, all that remains. */
export interface CreditRequest {
  /** From 1. */
  line: number;
  quantity?: string | undefined;
  net?: number | undefined;
}

/** The lines of the original, each with the pair it was sent with. */
export interface CreditableDocument {
  lines: readonly CanonicalLine[];
  /** Null for a line whose income is not classified: the credit note's line gets a default. */
  pairs: readonly (Pair | null)[];
  /** The amounts of the lines, if they are not what the prices give. */
  totals?: readonly Amounts[];
}

/** Why a cancelled document cannot be credited. */
export const CREDITED_IS_CANCELLED: Text = {
  en: "This document is cancelled, so there is nothing to credit",
  el: "Το παραστατικό έχει ακυρωθεί, οπότε δεν υπάρχει τίποτα για πίστωση",
};

export interface CreditNote {
  lines: CanonicalLine[];
  /** One for each line of the original that is credited. */
  parts: CreditedPart[];
}

/**
 * The credit note of `requests`, or of all that remains; or what is wrong with them. `remaining` is reduced by what is credited.
 */
export function creditLines(
  remaining: Remaining,
  requests?: readonly CreditRequest[],
): CreditNote | { problems: Problem[] } {
  const note: CreditNote = { lines: [], parts: [] };
  const problems: Problem[] = [];
  for (const [index, request] of (requests ?? remaining.lines.map(({ line }) => ({ line }))).entries()) {
    const open = remaining.lines[request.line - 1];
    if (requests === undefined && availableOf(remaining, open!).net === 0) continue;
    const taken =
      open === undefined
        ? refuse("line", noSuchLine(remaining.lines.length))
        : takeFrom(open, availableOf(remaining, open), remaining.isExact, request);
    if ("problem" in taken) {
      const { field, message } = taken.problem;
      problems.push({ path: requests === undefined ? "lines" : `lines[${index}].${field}`, message });
      continue;
    }
    takePart(remaining, taken.part);
    note.parts.push(taken.part);
    note.lines.push(...taken.prices.map((price) => lineFor(open!, price)));
  }
  if (note.lines.length > LINES_MAX) problems.push({ path: "lines", message: TOO_MANY_LINES });
  return problems.length > 0 ? { problems } : note;
}

interface Refusal {
  problem: { field: "line" | "quantity" | "net"; message: Text };
}

/** The part with its VAT and prices, so that the rest of the line can be credited to the cent. */
function takeFrom(
  open: OpenLine,
  available: Amounts,
  isExact: boolean,
  request: CreditRequest,
): { part: CreditedPart; prices: PricedPart[] } | Refusal {
  const wanted = wantedOf(open, available.net, request);
  if ("problem" in wanted) return wanted;
  for (const vat of candidateVats(open, available.vat, wanted.net)) {
    const part = { line: request.line, ...wanted, vat };
    const prices = priceExactly(part, open.original);
    if (prices === undefined) continue;
    const rest = { quantity: open.quantity - part.quantity, net: open.net - part.net, vat: open.vat - vat };
    if (!isExact || priceExactly(rest, open.original) !== undefined) return { part, prices };
  }
  const field = request.quantity !== undefined ? "quantity" : request.net === undefined ? "line" : "net";
  return refuse(field, NOT_TO_THE_CENT);
}

/** Quantity and net of a request, which are available. */
function wantedOf(
  open: OpenLine,
  available: number,
  request: CreditRequest,
): Omit<PartAmounts, "vat"> | Refusal {
  if (available === 0) return refuse("line", NOTHING_LEFT_OF_LINE);
  if (request.net !== undefined)
    return request.net > available
      ? refuse("net", atMostNet(available))
      : { quantity: request.net === open.net ? open.quantity : 0n, net: request.net };
  if (request.quantity === undefined)
    // Credits that do not name their lines can leave less than the line.
    return { quantity: available === open.net ? open.quantity : 0n, net: available };
  const quantity = thousandths(request.quantity);
  if (quantity > open.quantity) return refuse("quantity", atMostQuantity(open.quantity));
  // The price of a line that was registered with other amounts is not known.
  const isAll = quantity === open.quantity && open.isPricedOtherwise;
  const net = isAll ? open.net : netOf(open, quantity);
  if (net > available) return refuse("quantity", atMostNet(available));
  return net === 0 ? refuse("quantity", LESS_THAN_A_CENT) : { quantity, net };
}

/** What the net of the credited quantity has come to with `quantity`, less what it came to before. */
function netOf({ original, quantity: left }: OpenLine, quantity: bigint): number {
  const before = thousandths(original.quantity) - left;
  const price = BigInt(original.unit_price);
  return Number(roundHalfUp((before + quantity) * price, 1000n) - roundHalfUp(before * price, 1000n));
}

/** How far the VAT of a part of some cents may be from its share. */
const DRIFT = [0, -1, 1, -2, 2];

/** The VAT that a part of `net` may have, best first. */
function candidateVats(open: OpenLine, available: number, net: number): number[] {
  const ideal = Math.min(available, idealVat(open, net));
  return DRIFT.map((drift) => ideal + drift).filter((vat) => vat >= 0 && vat <= available);
}

/** What the line's VAT has come to with the part, less what was credited of it; all that remains with the last part. */
function idealVat({ original, whole, ofCategory, ...left }: OpenLine, net: number): number {
  if (net === left.net) return left.vat;
  if (net === ofCategory.net) return ofCategory.vat;
  const { ratePercent } = VAT_CATEGORIES[original.vat_category];
  const reached = Number(vatOf(BigInt(whole.net - left.net + net), ratePercent));
  return Math.max(0, reached - (whole.vat - left.vat));
}

function lineFor({ original, pair }: OpenLine, { isInUnits, ...amounts }: PricedPart): CanonicalLine {
  const line: CanonicalLine = { ...original, ...amounts, unit: isInUnits ? original.unit : "piece" };
  if (pair === null) return line;
  const { category, type } = pair;
  // A stored pair was valid when it was accepted.
  return {
    ...line,
    income_classification: { category, ...(type === null ? {} : { type }) } as Income,
  };
}

type Income = NonNullable<CanonicalLine["income_classification"]>;

function refuse(field: Refusal["problem"]["field"], message: Text): Refusal {
  return { problem: { field, message } };
}

const noSuchLine = (count: number): Text => ({
  en: `must be the number of a line of the document, from 1 to ${count}`,
  el: `πρέπει να είναι ο αριθμός μιας γραμμής του παραστατικού, από 1 έως ${count}`,
});

const NOTHING_LEFT_OF_LINE: Text = {
  en: "nothing of this line is left to credit",
  el: "δεν απομένει τίποτα από αυτή τη γραμμή για πίστωση",
};

const atMostNet = (cents: number): Text => ({
  en: `must come to at most ${euroText(cents).en} euros net, which is what is left to credit`,
  el: `πρέπει να αντιστοιχεί το πολύ σε ${euroText(cents).el} ευρώ καθαρής αξίας, όση απομένει για πίστωση`,
});

const atMostQuantity = (quantity: bigint): Text => {
  const left = formatThousandths(quantity);
  return {
    en: `must be at most ${left}, which is what is left of the line`,
    el: `πρέπει να είναι το πολύ ${left.replace(".", ",")}, όση απομένει από τη γραμμή`,
  };
};

const LESS_THAN_A_CENT: Text = {
  en: "comes to less than a cent",
  el: "αντιστοιχεί σε λιγότερο από ένα λεπτό",
};

const NOT_TO_THE_CENT: Text = {
  en: "cannot be credited to the cent together with the rest of the line; credit all of the line, or some cents more or less",
  el: "δεν πιστώνεται με ακρίβεια λεπτού μαζί με το υπόλοιπο της γραμμής· πιστώστε όλη τη γραμμή ή λίγα λεπτά περισσότερα ή λιγότερα",
};

const TOO_MANY_LINES: Text = {
  en: `would need more than ${LINES_MAX} lines; credit fewer lines at a time`,
  el: `θα χρειαζόταν πάνω από ${LINES_MAX} γραμμές· πιστώστε λιγότερες γραμμές κάθε φορά`,
};

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
interface Amounts {
  net: number;
  vat: number;
}

/** A line of the original, with the amounts that are left of it. */
interface OpenLine extends CreditedPart {
  original: CanonicalLine;
  pair: Pair | null;
  /** All of it. */
  whole: Amounts;
  /** The whole is not what the price gives. */
  isPricedOtherwise: boolean;
  /** What is left of all lines of its VAT category. */
  ofCategory: Amounts;
}

/** The sums are limits of all credits together; they matter only after credits that do not name their lines. */
export interface Remaining {
  /** One for each line of the document. */
  lines: OpenLine[];
  total: Amounts;
  /** Every credit so far named its lines. */
  isExact: boolean;
}

/** Nothing becomes negative: credits that do not name their lines can exceed the document. */
export function findRemaining(
  { lines, pairs, totals }: CreditableDocument,
  { parts, unnamed }: Credits,
): Remaining {
  const wholes = totals ?? computeTotals(lines).lines;
  const categories = new Map(lines.map((line) => [line.vat_category, { net: 0, vat: 0 }]));
  const left = lines.map((original, index): OpenLine => {
    const { net, vat } = wholes[index]!;
    const amounts = { line: index + 1, quantity: thousandths(original.quantity), net, vat };
    const ofCategory = categories.get(original.vat_category)!;
    const about = {
      original,
      pair: pairs[index] ?? null,
      ofCategory,
      isPricedOtherwise: totals !== undefined,
    };
    return { ...amounts, ...about, whole: { net, vat } };
  });
  for (const part of parts) subtractPart(left[part.line - 1]!, part);
  const total = { net: 0, vat: 0 };
  for (const { net, vat, ofCategory } of left)
    for (const sum of [ofCategory, total]) subtract(sum, { net: -net, vat: -vat });
  for (const share of unnamed) {
    const sum = categories.get(share.category);
    if (sum !== undefined) subtract(sum, share);
    subtract(total, share);
  }
  return { lines: left, total, isExact: unnamed.length === 0 };
}

function subtract(from: Amounts, { net, vat }: Amounts): void {
  from.net = Math.max(0, from.net - net);
  from.vat = Math.max(0, from.vat - vat);
}

function subtractPart(from: CreditedPart, part: PartAmounts): void {
  from.quantity = from.quantity > part.quantity ? from.quantity - part.quantity : 0n;
  subtract(from, part);
}

export function takePart(remaining: Remaining, part: CreditedPart): void {
  const open = remaining.lines[part.line - 1]!;
  subtractPart(open, part);
  for (const sum of [open.ofCategory, remaining.total]) subtract(sum, part);
}

/** What a credit may take of the line at most, in cents. */
export function availableOf({ total }: Remaining, open: OpenLine): Amounts {
  const limits = [open, open.ofCategory, total];
  return {
    net: Math.min(...limits.map(({ net }) => net)),
    vat: Math.min(...limits.map(({ vat }) => vat)),
  };
}

export function isNothingLeft(remaining: Remaining): boolean {
  return remaining.lines.every((open) => availableOf(remaining, open).net === 0);
}
