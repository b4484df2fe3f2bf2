/** Describes to people what few documents have: other taxes, days, notes, and the registry's answer about the customer's number. */
import type { CanonicalDocument } from "../domain/canonical-schema.ts";
import { payableOf } from "../domain/taxes.ts";
import { taxName } from "../domain/withheld-taxes.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import type { Vies } from "../tax-ids/check-vies.ts";
import { dayText, instantText, moneyText } from "./values.ts";
import type { Row } from "./view.ts";

/** A fact with its label: an amount, a day or a text. */
export type Fact = { label: Text } & ({ cents: number } | { day: string } | { text: string });

/** What few documents have: other taxes and what is payable with them, days, and notes. */
export function furtherFacts(document: CanonicalDocument): Fact[] {
  const { taxes, due_date: due, delivery_date: delivery, notes } = document;
  return [
    ...(taxes ?? []).map((tax) => ({ label: taxName(tax), cents: tax.amount })),
    ...(taxes === undefined ? [] : [{ label: PAYABLE, cents: payableOf(document) }]),
    ...(due === undefined ? [] : [{ label: { en: "Pay by", el: "Πληρωμή έως" }, day: due }]),
    ...(delivery === undefined ? [] : [{ label: DELIVERY_DATE, day: delivery }]),
    ...(notes === undefined ? [] : [{ label: { en: "Notes", el: "Παρατηρήσεις" }, text: notes }]),
  ];
}

const PAYABLE: Text = { en: "Payable", el: "Πληρωτέο" };
const DELIVERY_DATE: Text = { en: "Delivery date", el: "Ημερομηνία παράδοσης" };

/** The same as rows, whose labels are in lower case. */
export function furtherRows(document: CanonicalDocument): Row[] {
  return furtherFacts(document).map((fact): Row => {
    const { en, el } = fact.label;
    const label = { en: en.toLowerCase(), el: el.toLowerCase() };
    if ("cents" in fact) return [label, moneyText(fact.cents)];
    return [label, "day" in fact ? dayText(fact.day) : fact.text];
  });
}

/** What the EU's registry says about the number of the customer. */
export function viesText({ valid, checked_at: at }: Vies): Text {
  if (valid === null || at === null) return { en: "not answered yet", el: "δεν έχει απαντήσει ακόμη" };
  const checked = instantText(at);
  return valid
    ? { en: `valid, looked up ${checked.en}`, el: `έγκυρος, αναζήτηση ${checked.el}` }
    : { en: `not valid, looked up ${checked.en}`, el: `μη έγκυρος, αναζήτηση ${checked.el}` };
}

/** The deadline of the recapitulative statement, with the number of documents of the month whose customers have invalid numbers. */
export function viesCell(due: Text, { invalidNumbers }: { invalidNumbers: number }): Text {
  if (invalidNumbers === 0) return due;
  return {
    en: `${due.en} (${invalidNumbers} with invalid numbers)`,
    el: `${due.el} (${invalidNumbers} με άκυρο αριθμό)`,
  };
}

/** Whether VIES calls the number of a customer in the recapitulative statement invalid. */
export function viesMark({ vies_invalid: isInvalid }: { vies_invalid: boolean }): Text {
  return isInvalid ? { en: "invalid", el: "άκυρος" } : sameInBoth("");
}

export const VIES: Text = { en: "customer's number in VIES", el: "ο αριθμός του πελάτη στο VIES" };
