/**
 * Taxes besides VAT: the authority's kinds and categories, their names, what is payable with them, what credits take of them, and
 * how people write a withheld tax (docs/contract.md#taxes, docs/authority.md#withheld-taxes). Pure.
 */
import * as v from "valibot";
import { component, described } from "../foundation/described.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import { fold } from "../foundation/characters.ts";
import { euroText, roundHalfUp, vatOf } from "../foundation/money.ts";
import { SEMICOLON, type Text } from "../foundation/text.ts";
import { NET_MAX } from "./document-codes.ts";

interface KindInfo {
  /** The authority's number. */
  code: number;
  /** Whether it adds to what is payable, or is taken off. */
  sign: 1n | -1n;
  /** How many categories the authority has; they count from 1. */
  categories: number;
  name: Text;
}

const KINDS = {
  withheld: {
    code: 1,
    sign: -1n,
    categories: 18,
    name: { en: "Withheld tax", el: "Παρακρατούμενος φόρος" },
  },
  fees: { code: 2, sign: 1n, categories: 22, name: { en: "Fees", el: "Τέλη" } },
  other: { code: 3, sign: 1n, categories: 30, name: { en: "Other taxes", el: "Λοιποί φόροι" } },
  stamp: {
    code: 4,
    sign: 1n,
    categories: 4,
    name: { en: "Stamp duty", el: "Χαρτόσημο / ψηφιακό τέλος συναλλαγής" },
  },
  deductions: { code: 5, sign: -1n, categories: 0, name: { en: "Deductions", el: "Κρατήσεις" } },
} as const satisfies Record<string, KindInfo>;

export type TaxKind = keyof typeof KINDS;
/** In the order of the authority's numbers. */
export const TAX_KINDS = Object.keys(KINDS) as [TaxKind, ...TaxKind[]];

export const TAX_NAMES: Readonly<Record<string, Text>> = Object.fromEntries(
  TAX_KINDS.map((kind) => [kind, KINDS[kind].name]),
);

/** The authority's number. */
export function taxCode(kind: TaxKind): number {
  return KINDS[kind].code;
}

const RANGES = TAX_KINDS.filter((kind) => KINDS[kind].categories > 0)
  .map((kind) => `\`${kind}\` 1 to ${KINDS[kind].categories}`)
  .join(", ");

const TaxSchema = component(
  "Tax",
  "A tax besides VAT. Withheld taxes and deductions are taken off what is payable; fees, other taxes and stamp duty are added.",
  v.strictObject({
    kind: described(v.picklist(TAX_KINDS), "The kind of tax."),
    category: v.optional(
      described(
        integerBetween(1, 30),
        `The authority's category of the kind: ${RANGES}; \`deductions\` have none.`,
      ),
    ),
    base: v.optional(
      described(integerBetween(0, NET_MAX), "The amount that the tax is computed on, in cents."),
    ),
    amount: described(integerBetween(0, NET_MAX), "The tax in cents."),
  }),
);

const TAXES_MAX = 30;
export const TaxesSchema = v.pipe(v.array(TaxSchema), v.minLength(1), v.maxLength(TAXES_MAX));
export type Tax = v.InferOutput<typeof TaxSchema>;

/** A document, as far as taxes concern it; it may not be checked yet. */
interface Taxed extends Taxing {
  totals: { net: number; gross: number };
}

interface Taxing {
  taxes?: readonly Tax[] | undefined;
}

/** Exact cents, negative if more is taken off than there is. */
export function exactPayable(gross: number | bigint, taxes: readonly Tax[] = []): bigint {
  return taxes.reduce((sum, { kind, amount }) => sum + KINDS[kind].sign * BigInt(amount), BigInt(gross));
}

/** The gross total in exact cents of a document of which `payable` is left to pay. */
export function exactGross(payable: bigint, taxes: readonly { kind: TaxKind; amount: bigint }[]): bigint {
  return taxes.reduce((sum, { kind, amount }) => sum - KINDS[kind].sign * amount, payable);
}

/** What the customer pays of a valid document, in cents. */
export function payableOf({ totals, taxes }: Taxing & { totals: { gross: number } }): number {
  return Number(exactPayable(totals.gross, taxes));
}

/** The taxes of one kind together, in exact cents. */
export function sumOfKind({ taxes = [] }: Taxing, wanted: TaxKind): bigint {
  return taxes.reduce((sum, { kind, amount }) => sum + (kind === wanted ? BigInt(amount) : 0n), 0n);
}

/** `withheld 3`; deductions have no category. */
export function taxCategories({ taxes = [] }: Taxing): string[] {
  return taxes.flatMap(({ kind, category }) => (category === undefined ? [] : [`${kind} ${category}`]));
}

/** What is wrong with the category of a tax; undefined where it is right or missing. */
export function problemWithCategory({ kind, category }: Tax): Text | undefined {
  const { categories } = KINDS[kind];
  if (category === undefined || category <= categories) return undefined;
  return categories === 0
    ? {
        en: `must be absent: ${kind} have no categories`,
        el: `πρέπει να λείπει: το ${kind} δεν έχει κατηγορίες`,
      }
    : {
        en: `must be at most ${categories} for ${kind}`,
        el: `πρέπει να είναι το πολύ ${categories} για ${kind}`,
      };
}

/** The categories of withheld tax that have a rate, in percent (docs/authority.md#withheld-taxes). */
const WITHHELD: Readonly<Record<number, { rate: number; on?: Text }>> = {
  1: { rate: 15, on: { en: "interest", el: "τόκοι" } },
  2: { rate: 20, on: { en: "royalties", el: "δικαιώματα" } },
  3: { rate: 20, on: { en: "management fees", el: "αμοιβές συμβουλών διοίκησης" } },
  4: { rate: 3, on: { en: "technical works", el: "τεχνικά έργα" } },
  5: { rate: 1, on: { en: "fuel, tobacco", el: "καύσιμα, καπνός" } },
  6: { rate: 4, on: { en: "other goods", el: "λοιπά αγαθά" } },
  7: { rate: 8, on: { en: "services", el: "παροχή υπηρεσιών" } },
  8: { rate: 4, on: { en: "architects, engineers", el: "αρχιτέκτονες, μηχανικοί" } },
  9: { rate: 10, on: { en: "architects, engineers", el: "αρχιτέκτονες, μηχανικοί" } },
  10: { rate: 15, on: { en: "lawyers", el: "δικηγόροι" } },
  12: { rate: 15 },
  13: { rate: 10 },
  18: { rate: 5, on: { en: "dividends", el: "μερίσματα" } },
};

interface NamedTax {
  kind: TaxKind;
  category?: number | null | undefined;
}

function rateOf({ kind, category }: NamedTax): number | undefined {
  return kind === "withheld" ? WITHHELD[category ?? 0]?.rate : undefined;
}

/** `Withheld tax 20%`, or `Fees (category 3)` where the category has no rate. */
export function taxName(tax: NamedTax): Text {
  const { en, el } = KINDS[tax.kind].name;
  const rate = rateOf(tax);
  if (rate !== undefined) return { en: `${en} ${rate}%`, el: `${el} ${rate}%` };
  const { category } = tax;
  return typeof category === "number"
    ? { en: `${en} (category ${category})`, el: `${el} (κατηγορία ${category})` }
    : { en, el };
}

/** Each of a document's taxes with its amount in cents, negative for what is taken off. */
export function describeTaxes({ taxes = [] }: Taxing): { label: Text; cents: number }[] {
  return taxes.map((tax) => ({ label: taxName(tax), cents: Number(KINDS[tax.kind].sign) * tax.amount }));
}

/** The tax of a category with a rate, withheld on `net` cents; undefined for a category without one. */
function withholdOn(category: number, net: number): Tax | undefined {
  const rate = rateOf({ kind: "withheld", category });
  if (rate === undefined) return undefined;
  return { kind: "withheld", category, base: net, amount: Number(vatOf(BigInt(net), rate)) };
}

/** The percents that people write for one category. The others name several, or one that few know by its percent. */
const CATEGORY_OF_PERCENT: Readonly<Record<number, number>> = { 20: 3, 3: 4, 1: 5, 8: 7 };

const PERCENT = /^([0-9]{1,2})(?:[.,]0+)?\s*%$/;
/** A workbook stores 20% as 0.2. */
const FRACTION = /^0[.,]([0-9]{1,2})$/;
const CATEGORY = /^(?:category|κατηγορια)\s+([0-9]{1,2})$/;

/** The category of a withheld tax with a rate that `text` names: `20%`, or `category 8`. */
export function readWithheld(text: string): { value: string } | { problem: Text } {
  const percent = PERCENT.exec(text)?.[1] ?? FRACTION.exec(text)?.[1]?.padEnd(2, "0");
  const named = CATEGORY.exec(fold(text))?.[1];
  const category = percent === undefined ? Number(named) : CATEGORY_OF_PERCENT[Number(percent)];
  return category !== undefined && category in WITHHELD
    ? { value: String(category) }
    : { problem: NO_WITHHELD_TAX };
}

const NO_WITHHELD_TAX: Text = (() => {
  const percents = Object.entries(CATEGORY_OF_PERCENT).reverse();
  const list = (language: "en" | "el", word: string) => {
    const rates = percents.map(([percent, category]) => `${percent}% (${word} ${category})`).join(", ");
    const categories = Object.entries(WITHHELD).map(([category, { rate, on }]) =>
      [`${category}:`, `${rate}%`, ...(on === undefined ? [] : [on[language]])].join(" "),
    );
    return { rates, categories: categories.join(SEMICOLON[language]) };
  };
  const [en, el] = [list("en", "category"), list("el", "κατηγορία")];
  return {
    en: `must be ${en.rates}, or a category such as "category 8" (${en.categories})`,
    el: `πρέπει να είναι ${el.rates}, ή κατηγορία όπως «κατηγορία 8» (${el.categories})`,
  };
})();

/** Withholds a tax on the whole of a document. The first payment changes by what is then payable. */
export function withhold(
  document: Taxed & { taxes?: Tax[] | undefined; payments?: { amount: number }[] },
  category: string,
): void {
  const before = payableOf(document);
  document.taxes = [withholdOn(Number(category), document.totals.net)!];
  const [first] = document.payments ?? [];
  if (first !== undefined) first.amount += payableOf(document) - before;
}

/** A document's only tax besides VAT, if it is withheld from the whole net amount, of a category with a rate. */
export function onlyWithheld({
  taxes = [],
  totals: { net },
}: Taxed): { category: number; rate: number; amount: number } | undefined {
  const [tax, ...others] = taxes;
  const rate = tax && rateOf(tax);
  if (tax?.category === undefined || rate === undefined || others.length > 0) return undefined;
  const { category, amount, base = net } = tax;
  return base === net ? { category, rate, amount } : undefined;
}

/** The category of the tax that `withhold` would add; undefined for other taxes. */
export function withheldCategoryOf(document: Taxed): number | undefined {
  const only = onlyWithheld(document);
  const whole = only && withholdOn(only.category, document.totals.net);
  return only?.amount === whole?.amount ? only?.category : undefined;
}

/** One for each withheld tax that is not its rate of its base. Parts of a tax, as in credits, may be some cents off. */
export function warnAboutTaxes({ taxes = [] }: Taxed): Text[] {
  return taxes.flatMap((tax, index) => {
    const rate = rateOf(tax);
    if (rate === undefined || tax.base === undefined) return [];
    const due = vatOf(BigInt(tax.base), rate);
    if (due === BigInt(tax.amount)) return [];
    const [base, expected, given] = [tax.base, due, tax.amount].map(euroText) as [Text, Text, Text];
    return [
      {
        en: `taxes[${index}]: ${rate}% of ${base.en} is ${expected.en}, not ${given.en}`,
        el: `taxes[${index}]: ${rate}% επί ${base.el} είναι ${expected.el}, όχι ${given.el}`,
      },
    ];
  });
}

/** How much of a document its credits have come to, of its `whole` net amount in cents. */
export interface CreditedShare {
  reached: number;
  whole: number;
}

/**
 * The taxes of a credit note: of each of the document's taxes the share that is reached with it, less what earlier credits took, so
 * that all credits together add up to the document (docs/contract.md#crediting-a-document).
 */
export function creditTaxes(
  document: Taxing,
  earlier: readonly Taxing[],
  { reached, whole }: CreditedShare,
): { taxes?: Tax[] } {
  const taken = sumByCategory(earlier);
  const share = (cents: number, before = 0) =>
    Math.max(0, Number(roundHalfUp(BigInt(cents) * BigInt(reached), BigInt(whole))) - before);
  const taxes = [...sumByCategory([document])].flatMap(([name, { base, amount, ...tax }]) => {
    const before = taken.get(name);
    const part = share(amount, before?.amount);
    const ofBase = base === undefined ? {} : { base: share(base, before?.base) };
    return part === 0 ? [] : [{ ...tax, ...ofBase, amount: part }];
  });
  return taxes.length === 0 ? {} : { taxes };
}

/** One for each tax of credit notes that comes to more, with `earlier` ones, than the `whole` of the credited documents. */
export function warnAboutCreditedTaxes(
  credited: readonly Taxing[],
  earlier: readonly Taxing[],
  whole: readonly Taxing[],
): Text[] {
  const [available, before] = [sumByCategory(whole), sumByCategory(earlier)];
  return [...sumByCategory(credited)].flatMap(([key, tax]) => {
    const [reached, limit] = [tax.amount + (before.get(key)?.amount ?? 0), available.get(key)?.amount ?? 0];
    if (reached <= limit) return [];
    const [name, sum, most] = [taxName(tax), euroText(reached), euroText(limit)];
    return [
      {
        en: `taxes: ${name.en}: this and earlier credit notes come to ${sum.en} euros, more than the ${most.en} of the originals`,
        el: `taxes: ${name.el}: αυτό και τα προηγούμενα πιστωτικά φτάνουν τα ${sum.el} ευρώ, περισσότερα από τα ${most.el} των αρχικών`,
      },
    ];
  });
}

/** One tax for each kind and category of the documents, in the order of first use. */
function sumByCategory(documents: readonly Taxing[]): Map<string, Tax> {
  const sums = new Map<string, Tax>();
  for (const { kind, category, base, amount } of documents.flatMap(({ taxes = [] }) => taxes)) {
    const name = `${kind} ${category ?? ""}`;
    const sum = sums.get(name);
    const total = sumOf(sum?.base, base);
    sums.set(name, {
      kind,
      ...(category === undefined ? {} : { category }),
      ...(total === undefined ? {} : { base: total }),
      amount: (sum?.amount ?? 0) + amount,
    });
  }
  return sums;
}

function sumOf(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}
