/**
 * Taxes of a document besides VAT, with the authority's kinds and categories (docs/authority.md#withheld-taxes), and what is
 * payable because of them (docs/contract.md#taxes). Pure.
 */
import * as v from "valibot";
import { component, described } from "../foundation/described.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import { euroText, roundHalfUp, vatOf } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import { NET_MAX } from "./document-codes.ts";

interface TaxKindInfo {
  /** The authority's number. */
  code: number;
  /** Whether it adds to what is payable, or is taken off. */
  sign: 1n | -1n;
  /** How many categories the authority has; they count from 1. */
  categories: number;
  name: Text;
}

export const TAX_KINDS = {
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
} as const satisfies Record<string, TaxKindInfo>;

export type TaxKind = keyof typeof TAX_KINDS;
const KINDS = Object.keys(TAX_KINDS) as TaxKind[];

/** Percent, of the categories of withheld tax that have a rate (docs/authority.md#withheld-taxes). */
const WITHHELD_RATES: Readonly<Record<number, number>> = {
  1: 15,
  2: 20,
  3: 20,
  4: 3,
  5: 1,
  6: 4,
  7: 8,
  8: 4,
  9: 10,
  10: 15,
  12: 15,
  13: 10,
  18: 5,
};

const RANGES = KINDS.filter((kind) => TAX_KINDS[kind].categories > 0)
  .map((kind) => `\`${kind}\` 1 to ${TAX_KINDS[kind].categories}`)
  .join(", ");

const TaxSchema = component(
  "Tax",
  "A tax besides VAT. Withheld taxes and deductions are taken off what is payable; fees, other taxes and stamp duty are added.",
  v.strictObject({
    kind: described(v.picklist(KINDS as [TaxKind, ...TaxKind[]]), "The kind of tax."),
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

/** Exact cents, negative if more is taken off than there is. */
export function exactPayable(gross: number | bigint, taxes: readonly Tax[] = []): bigint {
  return taxes.reduce((sum, { kind, amount }) => sum + TAX_KINDS[kind].sign * BigInt(amount), BigInt(gross));
}

/** What the customer pays of a valid document, in cents. */
export function payableOf(document: {
  totals: { gross: number };
  taxes?: readonly Tax[] | undefined;
}): number {
  return Number(exactPayable(document.totals.gross, document.taxes));
}

/** What is wrong with the category of a tax; undefined where it is right or missing. */
export function problemWithCategory({ kind, category }: Tax): Text | undefined {
  const { categories } = TAX_KINDS[kind];
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

function rateOf({ kind, category }: Pick<Tax, "kind" | "category">): number | undefined {
  return kind === "withheld" && category !== undefined ? WITHHELD_RATES[category] : undefined;
}

/** `Withheld tax 20%`, or `Fees (category 3)` where the category has no rate. */
export function taxName(tax: Pick<Tax, "kind" | "category">): Text {
  const { en, el } = TAX_KINDS[tax.kind].name;
  const rate = rateOf(tax);
  if (rate !== undefined) return { en: `${en} ${rate}%`, el: `${el} ${rate}%` };
  if (tax.category === undefined) return { en, el };
  return { en: `${en} (category ${tax.category})`, el: `${el} (κατηγορία ${tax.category})` };
}

/** The tax of a category with a rate, withheld on `net` cents; undefined for a category without one. */
export function withholdOn(category: number, net: number): Tax | undefined {
  const rate = WITHHELD_RATES[category];
  if (rate === undefined) return undefined;
  return { kind: "withheld", category, base: net, amount: Number(vatOf(BigInt(net), rate)) };
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
  taxes: readonly Tax[],
  earlier: readonly Tax[],
  { reached, whole }: CreditedShare,
): Tax[] {
  const taken = sumByCategory(earlier);
  const share = (cents: number, before = 0) =>
    Math.max(0, Number(roundHalfUp(BigInt(cents) * BigInt(reached), BigInt(whole))) - before);
  return [...sumByCategory(taxes)].flatMap(([name, { base, amount, ...tax }]) => {
    const before = taken.get(name);
    const part = share(amount, before?.amount);
    const ofBase = base === undefined ? {} : { base: share(base, before?.base) };
    return part === 0 ? [] : [{ ...tax, ...ofBase, amount: part }];
  });
}

/** One tax for each kind and category, in the order of first use. */
function sumByCategory(taxes: readonly Tax[]): Map<string, Tax> {
  const sums = new Map<string, Tax>();
  for (const { kind, category, base, amount } of taxes) {
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
