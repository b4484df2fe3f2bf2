/** Withheld taxes: the categories with a rate, how people write them, and the names of all taxes besides VAT (docs/contract.md#taxes). Pure. */
import { fold } from "../foundation/characters.ts";
import { euroText, vatOf } from "../foundation/money.ts";
import { SEMICOLON, type Text } from "../foundation/text.ts";
import { payableOf, sumByCategory, TAX_KINDS, type Tax, type TaxKind } from "./taxes.ts";

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

/** The percents that people write for one category. The others name several, or one that few know by its percent. */
const CATEGORY_OF_PERCENT: Readonly<Record<number, number>> = { 20: 3, 3: 4, 1: 5, 8: 7 };

/** A tax without its amounts. */
interface NamedTax {
  kind: TaxKind;
  category?: number | null | undefined;
}

function rateOf({ kind, category }: NamedTax): number | undefined {
  return kind === "withheld" ? WITHHELD[category ?? 0]?.rate : undefined;
}

/** `Withheld tax 20%`, or `Fees (category 3)` where the category has no rate. */
export function taxName(tax: NamedTax): Text {
  const { en, el } = TAX_KINDS[tax.kind].name;
  const rate = rateOf(tax);
  if (rate !== undefined) return { en: `${en} ${rate}%`, el: `${el} ${rate}%` };
  const { category } = tax;
  return typeof category === "number"
    ? { en: `${en} (category ${category})`, el: `${el} (κατηγορία ${category})` }
    : { en, el };
}

/** The tax of a category with a rate, withheld on `net` cents; undefined for a category without one. */
function withholdOn(category: number, net: number): Tax | undefined {
  const rate = rateOf({ kind: "withheld", category });
  if (rate === undefined) return undefined;
  return { kind: "withheld", category, base: net, amount: Number(vatOf(BigInt(net), rate)) };
}

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

/** A document before it is checked. */
interface TaxableDraft {
  taxes?: Tax[] | undefined;
  payments?: { amount: number }[];
  totals: { net: number; gross: number };
}

/** Withholds a tax on the whole of a document. The first payment changes by what is then payable. */
export function withhold(document: TaxableDraft, category: string): void {
  const before = payableOf(document);
  document.taxes = [withholdOn(Number(category), document.totals.net)!];
  const [first] = document.payments ?? [];
  if (first !== undefined) first.amount += payableOf(document) - before;
}

/** The category of the tax that `withhold` would add; undefined for other taxes. */
export function withheldCategoryOf({ taxes = [], totals }: TaxableDraft): number | undefined {
  const [tax, ...others] = taxes;
  if (tax?.category === undefined || others.length > 0) return undefined;
  const whole = withholdOn(tax.category, totals.net);
  const isWhole = tax.kind === "withheld" && tax.base === whole?.base && tax.amount === whole?.amount;
  return isWhole ? tax.category : undefined;
}

/** A document's only tax besides VAT, if it is withheld from the whole net amount at the rate of its category. */
export function onlyWithheld({
  taxes = [],
  totals,
}: Pick<TaxableDraft, "taxes" | "totals">): { category: number; rate: number; amount: number } | undefined {
  const [tax, ...others] = taxes;
  const rate = tax && rateOf(tax);
  if (tax?.category === undefined || rate === undefined || others.length > 0 || totals.net === 0)
    return undefined;
  const { category, amount, base = totals.net } = tax;
  return base === totals.net ? { category, rate, amount } : undefined;
}

/** One for each withheld tax that is not its rate of its base. Parts of a tax, as in credits, may be some cents off. */
export function warnAboutTaxes(taxes: readonly Tax[] = []): Text[] {
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

/** One for each tax of a credit note that comes to more, with `earlier` ones, than the `whole` of the credited documents. */
export function warnAboutCreditedTaxes(
  credited: readonly Tax[],
  earlier: readonly Tax[],
  whole: readonly Tax[],
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
