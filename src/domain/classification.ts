/**
 * Classification: which income pair each line carries, and what the caller should look at (decisions 5.5, 5.6, 16). A line's
 * own pair comes first, then the merchant's, then, for a 5.1, the pairs of what it credits, then the service's default.
 */
import { isEuCountry, NORTHERN_IRELAND } from "./tax-number.ts";
import { isAllowedPair } from "./classification-matrix.ts";
import type { CanonicalDocument, Payment } from "./canonical-schema.ts";
import { type DocumentType, isInvoice, type Market, typeInfo } from "./document-types.ts";

/** `type` is null where the category goes without one. */
export interface Pair {
  category: string;
  type: string | null;
}

/** A document credited by a 5.1 that was issued here. */
export interface OriginalDocument {
  mark: string;
  /** Cents. */
  gross: number;
  /** One for each of its lines. */
  pairs: readonly Pair[];
}

export interface ClassificationOptions {
  /** The merchant's own pairs, by document type. */
  overrides: Partial<
    Record<DocumentType, { category: string; type?: string | null | undefined } | undefined>
  >;
  /** Empty where nothing credited was issued here. */
  originals: readonly OriginalDocument[];
}

/** Where the pair of a line comes from; `market` tells which default it is, null where there is one for all. */
export type PairReason =
  | { from: "line" | "override" | "original" }
  | { from: "default"; market: Market | null };

export interface ClassifiedDocument {
  source: "line" | "override" | "default";
  warnings: string[];
  lines: Pair[];
  /** One for each line. */
  reasons: PairReason[];
  payments: Payment[];
}

/** Northern Ireland is in the EU for goods and outside it for services (decisions 16, and the protocol behind it). */
function marketOf(document: CanonicalDocument): Market {
  const country = document.customer?.tax_id.country ?? "GR";
  if (country === "GR") return "greece";
  if (country === NORTHERN_IRELAND) return typeInfo(document.type).sells === "goods" ? "eu" : "thirdCountry";
  return isEuCountry(country) ? "eu" : "thirdCountry";
}

/** The authority's type that the document is sent as: it refuses 1.1 and 2.1 for customers abroad (242 to 244). */
export function sentType(document: CanonicalDocument): string {
  const market = marketOf(document);
  return market === "greece"
    ? document.type
    : (typeInfo(document.type).sentAbroad?.[market].type ?? document.type);
}

type Reasoned = Pair & { reason: PairReason };

function defaultPair(document: CanonicalDocument): Reasoned {
  const { defaultIncome, isRetail } = typeInfo(document.type);
  const market = marketOf(document);
  return {
    category: defaultIncome.category,
    type: defaultIncome.types[market],
    reason: { from: "default", market: isRetail ? null : market },
  };
}

const MARKET_WORDS: Record<Market, string> = {
  greece: "to a customer in Greece",
  eu: "to another EU country",
  thirdCountry: "outside the EU",
};

/** The reason as a person reads it: `given`, `merchant's settings`, `default for 1.1 to another EU country`. */
export function describeReason(reason: PairReason, type: DocumentType): string {
  switch (reason.from) {
    case "line":
      return "given";
    case "override":
      return "merchant's settings";
    case "original":
      return "from the original";
    case "default":
      return `default for ${type}${reason.market === null ? "" : ` ${MARKET_WORDS[reason.market]}`}`;
  }
}

function samePair(left: Pair, right: Pair): boolean {
  return left.category === right.category && left.type === right.type;
}

/**
 * The pair that a line of a 5.1 takes from what it credits: the one that all originals share, or that of the same line of
 * the only original. Undefined where neither tells: guessing between several would file income under the wrong heading.
 */
function pairOfOriginals(originals: readonly OriginalDocument[], line: number): Pair | undefined {
  const [first, ...rest] = originals.flatMap(({ pairs }) => pairs);
  if (first === undefined) return undefined;
  if (rest.every((pair) => samePair(pair, first))) return first;
  return originals.length === 1 ? originals[0]!.pairs[line] : undefined;
}

function describe({ category, type }: Pair): string {
  return type === null ? category : `${category} with ${type}`;
}

/** The pair of line `index`, by the order of precedence above. */
function pairOf(document: CanonicalDocument, index: number, options: ClassificationOptions): Reasoned {
  const own = document.lines[index]?.income_classification;
  if (own !== undefined) return { category: own.category, type: own.type ?? null, reason: { from: "line" } };
  const override = options.overrides[document.type];
  if (override !== undefined)
    return { category: override.category, type: override.type ?? null, reason: { from: "override" } };
  const original =
    typeInfo(document.type).originalMarks === "required"
      ? pairOfOriginals(options.originals, index)
      : undefined;
  return original === undefined ? defaultPair(document) : { ...original, reason: { from: "original" } };
}

/** spec, Classification object: a default on any line tells, then an override; what comes from an original counts as one. */
function sourceOf(reasons: readonly PairReason[]): ClassifiedDocument["source"] {
  if (reasons.some(({ from }) => from === "default" || from === "original")) return "default";
  return reasons.some(({ from }) => from === "override") ? "override" : "line";
}

const TAKEN: Partial<Record<PairReason["from"], string>> = {
  default: "took the default classification",
  original: "took the classification of the original",
};

export function classify(document: CanonicalDocument, options: ClassificationOptions): ClassifiedDocument {
  const warnings: string[] = [];
  const sent = sentType(document);
  const reasons: PairReason[] = [];
  const lines = document.lines.map((_line, index): Pair => {
    const { reason, ...pair } = pairOf(document, index, options);
    reasons.push(reason);
    const taken = TAKEN[reason.from];
    if (taken !== undefined) warnings.push(`line ${index + 1}: ${taken} ${describe(pair)}`);
    if (!isAllowedPair(sent, pair.category, pair.type)) {
      warnings.push(
        `line ${index + 1}: the authority does not list ${describe(pair)} for type ${sent} and may refuse it`,
      );
    }
    return pair;
  });
  warnings.push(...otherWarnings(document, options.originals));
  const payments = document.payments ?? assumedPayments(document);
  return { source: sourceOf(reasons), warnings, lines, reasons, payments };
}

function assumedPayments(document: CanonicalDocument): Payment[] {
  return [{ method: typeInfo(document.type).defaultPaymentMethod, amount: document.totals.gross }];
}

function otherWarnings(document: CanonicalDocument, originals: readonly OriginalDocument[]): string[] {
  const warnings: string[] = [];
  if (document.payments === undefined) {
    const [{ method }] = assumedPayments(document) as [Payment];
    warnings.push(`payments: none given, the whole gross is sent as ${method}`);
  }
  const hasVat = document.lines.some((line) => line.vat_category !== "exempt");
  if (isInvoice(document.type) && hasVat && marketOf(document) !== "greece") {
    warnings.push(
      "customer: abroad, and lines carry VAT; the authority expects exempt lines with their cause",
    );
  }
  if (originals.length > 0 && originals.length === (document.original_marks?.length ?? 0)) {
    const credited = originals.reduce((sum, original) => sum + original.gross, 0);
    if (document.totals.gross > credited) {
      warnings.push(
        `totals: credits ${document.totals.gross} cents, more than the ${credited} of what it refers to`,
      );
    }
  }
  return warnings;
}
