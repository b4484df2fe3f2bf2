/** Taxes besides VAT: the authority's kinds, what is payable with them, and what credits take of them (docs/contract.md#taxes). Pure. */
import * as v from "valibot";
import { component, described } from "../foundation/described.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import { roundHalfUp } from "../foundation/money.ts";
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
export const TAX_KINDS_IN_ORDER = Object.keys(TAX_KINDS) as TaxKind[];

const RANGES = TAX_KINDS_IN_ORDER.filter((kind) => TAX_KINDS[kind].categories > 0)
  .map((kind) => `\`${kind}\` 1 to ${TAX_KINDS[kind].categories}`)
  .join(", ");

const TaxSchema = component(
  "Tax",
  "A tax besides VAT. Withheld taxes and deductions are taken off what is payable; fees, other taxes and stamp duty are added.",
  v.strictObject({
    kind: described(v.picklist(TAX_KINDS_IN_ORDER as [TaxKind, ...TaxKind[]]), "The kind of tax."),
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

/** In cents; negative for what is taken off. */
export function signedAmount({ kind, amount }: Tax): number {
  return Number(TAX_KINDS[kind].sign) * amount;
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
export function sumByCategory(taxes: readonly Tax[]): Map<string, Tax> {
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
