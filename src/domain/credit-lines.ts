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
import { LINES_MAX, VAT_CATEGORIES, type VatCategory } from "./document-codes.ts";
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

export interface CreditNote {
  lines: CanonicalLine[];
  /** One for each line of the original that is credited. */
  parts: CreditedPart[];
}

/**
 * The credit note of `requests`, or of all that remains; or what is wrong with them. `remaining` is reduced by what is credited.
 */
export function creditLines(
  document: CreditableDocument,
  remaining: Remaining,
  requests?: readonly CreditRequest[],
): CreditNote | { problems: Problem[] } {
  const note: CreditNote = { lines: [], parts: [] };
  const problems: Problem[] = [];
  for (const [index, request] of (requests ?? remaining.lines.map(({ line }) => ({ line }))).entries()) {
    const open = openLine(document, remaining, request.line);
    if (requests === undefined && open?.available.net === 0) continue;
    const taken =
      open === undefined ? refuse("line", noSuchLine(document.lines.length)) : takeFrom(open, request);
    if ("problem" in taken) {
      const { field, message } = taken.problem;
      problems.push({ path: requests === undefined ? "lines" : `lines[${index}].${field}`, message });
      continue;
    }
    const { original, pair } = open!;
    takePart(remaining, taken.part, original.vat_category);
    note.parts.push(taken.part);
    note.lines.push(...taken.prices.map((price) => lineFor(original, pair, price)));
  }
  if (note.lines.length > LINES_MAX) problems.push({ path: "lines", message: TOO_MANY_LINES });
  return problems.length > 0 ? { problems } : note;
}

interface OpenLine {
  original: CanonicalLine;
  pair: Pair | null;
  terms: { unitPrice: number; ratePercent: number };
  /** Its own amounts, if they are not what the price gives. */
  totals: Amounts | undefined;
  left: CreditedPart;
  leftOfCategory: Amounts;
  /** What a credit may take at most. */
  available: Amounts;
  /** Every credit so far named its lines. */
  isExact: boolean;
}

/** Undefined if there is no such line. */
function openLine(
  { lines, pairs, totals }: CreditableDocument,
  remaining: Remaining,
  line: number,
): OpenLine | undefined {
  const original = lines[line - 1];
  if (original === undefined) return undefined;
  const { vat_category: category, unit_price: unitPrice } = original;
  return {
    original,
    pair: pairs[line - 1] ?? null,
    terms: { unitPrice, ratePercent: VAT_CATEGORIES[category].ratePercent },
    totals: totals?.[line - 1],
    left: remaining.lines[line - 1]!,
    leftOfCategory: remaining.categories.get(category)!,
    available: availableOf(remaining, line, category),
    isExact: remaining.isExact,
  };
}

interface Refusal {
  problem: { field: "line" | "quantity" | "net"; message: Text };
}

/** The part with its VAT and prices, so that the rest of the line can be credited to the cent. */
function takeFrom(
  open: OpenLine,
  request: CreditRequest,
): { part: CreditedPart; prices: PricedPart[] } | Refusal {
  const wanted = wantedOf(open, request);
  if ("problem" in wanted) return wanted;
  const { left, terms, isExact } = open;
  for (const vat of candidateVats(open, wanted.net)) {
    const part = { line: request.line, ...wanted, vat };
    const prices = priceExactly(part, terms);
    if (prices === undefined) continue;
    const rest = { quantity: left.quantity - part.quantity, net: left.net - part.net, vat: left.vat - vat };
    if (!isExact || priceExactly(rest, terms) !== undefined) return { part, prices };
  }
  const field = request.quantity !== undefined ? "quantity" : request.net === undefined ? "line" : "net";
  return refuse(field, NOT_TO_THE_CENT);
}

/** Quantity and net of a request, which are available. */
function wantedOf(
  { original, totals, left, available: { net: available } }: OpenLine,
  request: CreditRequest,
): Omit<PartAmounts, "vat"> | Refusal {
  if (available === 0) return refuse("line", NOTHING_LEFT_OF_LINE);
  if (request.net !== undefined)
    return request.net > available
      ? refuse("net", atMostNet(available))
      : { quantity: request.net === left.net ? left.quantity : 0n, net: request.net };
  if (request.quantity === undefined)
    // Credits that do not name their lines can leave less than the line.
    return { quantity: available === left.net ? left.quantity : 0n, net: available };
  const quantity = thousandths(request.quantity);
  if (quantity > left.quantity) return refuse("quantity", atMostQuantity(left.quantity));
  // The price of a line that was registered with other amounts is not known.
  const isAll = quantity === left.quantity && totals !== undefined;
  const net = isAll ? left.net : netOf(original, left, quantity);
  if (net > available) return refuse("quantity", atMostNet(available));
  return net === 0 ? refuse("quantity", LESS_THAN_A_CENT) : { quantity, net };
}

/** What the net of the credited quantity has come to with `quantity`, less what it came to before. */
function netOf(original: CanonicalLine, left: CreditedPart, quantity: bigint): number {
  const before = thousandths(original.quantity) - left.quantity;
  const price = BigInt(original.unit_price);
  return Number(roundHalfUp((before + quantity) * price, 1000n) - roundHalfUp(before * price, 1000n));
}

/** How far the VAT of a part of some cents may be from its share. */
const DRIFT = [0, -1, 1, -2, 2];

/** The VAT that a part of `net` may have, best first. */
function candidateVats(open: OpenLine, net: number): number[] {
  const { vat: available } = open.available;
  const ideal = Math.min(available, idealVat(open, net));
  return DRIFT.map((drift) => ideal + drift).filter((vat) => vat >= 0 && vat <= available);
}

/** What the line's VAT has come to with the part, less what was credited of it; all that remains with the last part. */
function idealVat({ original, totals, terms, left, leftOfCategory }: OpenLine, net: number): number {
  if (net === left.net) return left.vat;
  if (net === leftOfCategory.net) return leftOfCategory.vat;
  const whole = totals ?? computeTotals([original]);
  const reached = Number(vatOf(BigInt(whole.net - left.net + net), terms.ratePercent));
  return Math.max(0, reached - (whole.vat - left.vat));
}

function lineFor(original: CanonicalLine, pair: Pair | null, price: PricedPart): CanonicalLine {
  const { isInUnits, ...amounts } = price;
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
  const left: CreditedPart[] = lines.map(({ quantity }, index) => {
    const { net, vat } = totals[index]!;
    return { line: index + 1, quantity: thousandths(quantity), net, vat };
  });
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
