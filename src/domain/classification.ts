/**
 * Income classification: which pair of category and type each line is sent with. A line's own pair comes first, then the merchant's
 * setting, then, for a credit note, the pairs of the credited documents, then the default of the document type
 * (docs/contract.md#default-classification). It warns about what was assumed, and about exemption causes that clearly contradict the type
 * or the customer's country (docs/contract.md#exemption-causes-that-do-not-fit).
 */
import type { Warning } from "../foundation/stored-texts.ts";
import type { Text } from "../foundation/text.ts";
import type { CanonicalDocument, Payment } from "./canonical-schema.ts";
import { type DocumentType, isCreditNote, isInvoice, type Region, typeInfo } from "./document-types.ts";
import { isEuCountry, NORTHERN_IRELAND } from "./tax-number.ts";
import { warnAboutGrossPrices } from "./gross-price.ts";
import { payableOf, warnAboutTaxes } from "./taxes.ts";
import { euSaleKind } from "./vat-return.ts";

/** `type` is null when the category is sent without one. */
export interface Pair {
  category: string;
  type: string | null;
}

/** A credited document that was issued by this appliance. */
export interface OriginalDocument {
  mark: string;
  /** One per line. */
  pairs: readonly Pair[];
}

export interface ClassificationOptions {
  overrides: Partial<
    Record<DocumentType, { category: string; type?: string | null | undefined } | undefined>
  >;
  /** Empty when no credited document was issued here. */
  originals: readonly OriginalDocument[];
}

/** Where a line's pair comes from. `region` is null when the type has one default for all regions. */
export type PairReason =
  | { from: "line" | "override" | "original" }
  | { from: "default"; region: Region | null };

export interface ClassifiedDocument {
  source: "line" | "override" | "default";
  warnings: Warning[];
  lines: Pair[];
  /** One per line. */
  reasons: PairReason[];
  payments: Payment[];
}

/** Northern Ireland is in the EU for goods and outside it for services. */
export function regionOf(document: Pick<CanonicalDocument, "type" | "customer">): Region {
  const country = document.customer?.tax_id.country ?? "GR";
  if (country === "GR") return "greece";
  if (country === NORTHERN_IRELAND) return typeInfo(document.type).sells === "goods" ? "eu" : "third_country";
  return isEuCountry(country) ? "eu" : "third_country";
}

/** Whether VAT is left out because of the number of a customer in another EU country: it must then be valid there. */
export function needsEuNumber(document: CanonicalDocument): boolean {
  return (
    !isCreditNote(document.type) &&
    regionOf(document) === "eu" &&
    document.lines.some(({ vat_exemption: cause }) => euSaleKind(cause, "eu") !== undefined)
  );
}

/** The authority's type that the document is sent as (docs/contract.md#foreign-customers). */
export function sentType(document: CanonicalDocument): string {
  const region = regionOf(document);
  return region === "greece"
    ? document.type
    : (typeInfo(document.type).sentAbroad?.[region].type ?? document.type);
}

type ReasonedPair = Pair & { reason: PairReason };

function defaultPair(document: CanonicalDocument): ReasonedPair {
  const { defaultIncome, isRetail } = typeInfo(document.type);
  const region = regionOf(document);
  return {
    category: defaultIncome.category,
    type: defaultIncome.types[region],
    reason: { from: "default", region: isRetail ? null : region },
  };
}

const REGION_TEXTS: Readonly<Record<Region, Text>> = {
  greece: { en: "to a customer in Greece", el: "σε πελάτη στην Ελλάδα" },
  eu: { en: "to another EU country", el: "σε άλλη χώρα της ΕΕ" },
  third_country: { en: "outside the EU", el: "εκτός ΕΕ" },
};

const REASON_TEXTS: Readonly<Record<"line" | "override" | "original", Text>> = {
  line: { en: "given", el: "δόθηκε" },
  override: { en: "merchant's settings", el: "ρυθμίσεις του εκδότη" },
  original: { en: "from the original", el: "από το αρχικό παραστατικό" },
};

/** For a person: `given`, `merchant's settings`, `default for 1.1 to another EU country`. */
export function describeReason(reason: PairReason, type: DocumentType): Text {
  if (reason.from !== "default") return REASON_TEXTS[reason.from];
  const region = reason.region === null ? undefined : REGION_TEXTS[reason.region];
  return {
    en: `default for ${type}${region === undefined ? "" : ` ${region.en}`}`,
    el: `προεπιλογή για τον τύπο ${type}${region === undefined ? "" : ` ${region.el}`}`,
  };
}

function samePair(left: Pair, right: Pair): boolean {
  return left.category === right.category && left.type === right.type;
}

/**
 * The pair of a credit note's line: the one that all credited lines share, or that of the same line when one document is
 * credited. Undefined otherwise: guessing would file income under the wrong heading.
 */
function pairOfOriginals(originals: readonly OriginalDocument[], line: number): Pair | undefined {
  const [first, ...rest] = originals.flatMap(({ pairs }) => pairs);
  if (first === undefined) return undefined;
  if (rest.every((pair) => samePair(pair, first))) return first;
  return originals.length === 1 ? originals[0]!.pairs[line] : undefined;
}

/** The pair of line `index`, in the order of precedence above. */
function pairOf(document: CanonicalDocument, index: number, options: ClassificationOptions): ReasonedPair {
  const own = document.lines[index]?.income_classification;
  if (own !== undefined) return { category: own.category, type: own.type ?? null, reason: { from: "line" } };
  const override = options.overrides[document.type];
  if (override !== undefined)
    return { category: override.category, type: override.type ?? null, reason: { from: "override" } };
  const original =
    typeInfo(document.type).originalMarks === "forbidden"
      ? undefined
      : pairOfOriginals(options.originals, index);
  return original === undefined ? defaultPair(document) : { ...original, reason: { from: "original" } };
}

/** `default` if any line has a default or an original's pair, otherwise `override` if any line has one. */
function sourceOf(reasons: readonly PairReason[]): ClassifiedDocument["source"] {
  if (reasons.some(({ from }) => from === "default" || from === "original")) return "default";
  return reasons.some(({ from }) => from === "override") ? "override" : "line";
}

function describePair({ category, type }: Pair): Text {
  return type === null
    ? { en: category, el: category }
    : { en: `${category} with ${type}`, el: `${category} με ${type}` };
}

/** Undefined when the line or the merchant's settings gave the pair. */
function assumedPairWarning(line: number, pair: Pair, { from }: PairReason): Warning | undefined {
  const described = describePair(pair);
  switch (from) {
    case "default":
      return {
        line,
        en: `took the default classification ${described.en}`,
        el: `προεπιλεγμένος χαρακτηρισμός ${described.el}`,
      };
    case "original":
      return {
        line,
        en: `took the original's classification, ${described.en}`,
        el: `χαρακτηρισμός του αρχικού παραστατικού, ${described.el}`,
      };
    default:
      return undefined;
  }
}

export function classify(document: CanonicalDocument, options: ClassificationOptions): ClassifiedDocument {
  const warnings: Warning[] = [];
  const { type } = document;
  const region = regionOf(document);
  const reasons: PairReason[] = [];
  const lines = document.lines.map((line, index): Pair => {
    const { reason, ...pair } = pairOf(document, index, options);
    reasons.push(reason);
    const assumed = assumedPairWarning(index + 1, pair, reason);
    if (assumed !== undefined) warnings.push(assumed);
    const { category } = pair;
    const cause = line.vat_exemption;
    const misfit =
      cause === undefined ? undefined : exemptionWarning(index + 1, { cause, type, region, category });
    if (misfit !== undefined) warnings.push(misfit);
    return pair;
  });
  const { originalMarks, customer } = typeInfo(type);
  // Credit notes take parts, which may be some cents off.
  if (originalMarks === "forbidden") warnings.push(...warnAboutTaxes(document));
  if (originalMarks === "forbidden" && customer === "forbidden")
    warnings.push(...warnAboutGrossPrices(document.lines));
  const payments = document.payments ?? assumedPayments(document);
  return { source: sourceOf(reasons), warnings, lines, reasons, payments };
}

function assumedPayments(document: CanonicalDocument): [Payment] {
  const { defaultPaymentMethod: method } = typeInfo(document.type);
  return [{ method, amount: payableOf(document) }];
}

export interface ExemptLine {
  cause: number;
  type: DocumentType;
  /** Retail documents have no customer and count as Greece. */
  region: Region;
  /** The income category that the line is sent with. */
  category: string;
}

const GOODS_ABROAD = 3;
const SERVICES_ABROAD = 4;
const EXPORT = 8;
const EU_GOODS = 14;
const DOMESTIC_REVERSE_CHARGE = 16;
const TAX_FREE = 28;

const FOR_GOODS: ReadonlySet<number> = new Set([GOODS_ABROAD, EU_GOODS, TAX_FREE]);
const EXPORTS: ReadonlySet<number> = new Set([EXPORT, TAX_FREE]);

/** Merchandise, products and fixed assets. An invoice of goods may also have lines of services. */
const GOODS_CATEGORIES: ReadonlySet<string> = new Set(["category1_1", "category1_2", "category1_4"]);

function findContradiction({ cause, type, region, category }: ExemptLine): Text | undefined {
  const { sells, isRetail } = typeInfo(type);
  if (FOR_GOODS.has(cause) && sells === "services")
    return {
      en: `is for goods, but a ${type} is for services`,
      el: `αφορά αγαθά, αλλά το ${type} είναι για υπηρεσίες`,
    };
  if (cause === SERVICES_ABROAD && GOODS_CATEGORIES.has(category))
    return {
      en: `is for services, but the line is classified as goods (${category})`,
      el: `αφορά υπηρεσίες, αλλά η γραμμή χαρακτηρίζεται ως αγαθά (${category})`,
    };
  if (cause === EU_GOODS && region !== "eu")
    return {
      en: "is for supplies within the EU, but the customer is not in another EU country",
      el: "αφορά ενδοκοινοτικές παραδόσεις, αλλά ο πελάτης δεν είναι σε άλλη χώρα της ΕΕ",
    };
  // Services for exports may have a Greek customer, and so may credit notes about them. Retail has no customer.
  const isExportToGreece = region === "greece" && isInvoice(type) && sells === "goods" && cause === EXPORT;
  if (isExportToGreece || (EXPORTS.has(cause) && region === "eu" && !isRetail))
    return {
      en: "is for exports, but the customer is within the EU",
      el: "αφορά εξαγωγές, αλλά ο πελάτης είναι εντός ΕΕ",
    };
  if (cause === DOMESTIC_REVERSE_CHARGE && region !== "greece")
    return {
      en: "is for reverse charge within Greece, but the customer is abroad",
      el: "αφορά αντίστροφη επιβάρυνση εντός Ελλάδας, αλλά ο πελάτης είναι στο εξωτερικό",
    };
  return undefined;
}

function exemptionWarning(line: number, exempt: ExemptLine): Text | undefined {
  const contradiction = findContradiction(exempt);
  return contradiction === undefined
    ? undefined
    : {
        en: `line ${line}: exemption cause ${exempt.cause} ${contradiction.en}`,
        el: `γραμμή ${line}: η αιτία εξαίρεσης ${exempt.cause} ${contradiction.el}`,
      };
}
