/** Reads a line item as a person types it: `description; quantity; price; vat`. See docs/contract.md#new-documents. */
import { UNIT_PRICE_MAX, VAT_CATEGORIES } from "../../../src/domain/document-codes.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type Reading, readUnit, readVatCategory } from "../../../src/intake/cell-values.ts";
import type { LineParts } from "../../../src/intake/read-row.ts";
import { moneyText } from "../../../src/operations/view.ts";
import { readTypedNumber, readTypedPrice } from "../../../src/intake/typed-line.ts";

const PARTS_MIN = 4;

/** A description may contain semicolons: the last three parts are the others. */
export function readTypedLine(text: string): Reading<LineParts> {
  const parts = text.split(";").map((part) => part.trim());
  const [vat = "", price = "", quantity = ""] = parts.slice(-3).reverse();
  const description = parts.slice(0, -3).join("; ");
  if (parts.length < PARTS_MIN || description === "") return { problem: FORM };
  const amount = readTypedQuantity(quantity);
  if ("problem" in amount) return amount;
  const cents = readNamedPrice(price);
  if ("problem" in cents) return cents;
  const rate = readTypedVat(vat);
  if ("problem" in rate) return rate;
  return { value: { description, ...amount.value, price: cents.value, ...rate.value } };
}

const FORM: Text = {
  en: 'has the form "description; quantity; price; vat"',
  el: 'έχει τη μορφή "περιγραφή; ποσότητα; τιμή; ΦΠΑ"',
};

/** `2`, `2,5 kg` or `2.5 κιλά`. */
export function readTypedQuantity(text: string): Reading<Pick<LineParts, "quantity" | "unit">> {
  const [, number = "", word = ""] = /^([0-9.,\s]*)(.*)$/u.exec(text.trim()) ?? [];
  const quantity = readTypedNumber(number);
  if ("problem" in quantity) return { problem: about(QUANTITY, quantity.problem) };
  if (word === "") return { value: { quantity: quantity.value, unit: undefined } };
  const unit = readUnit(word);
  if ("problem" in unit) return { problem: about(UNIT, unit.problem) };
  return { value: { quantity: quantity.value, unit: unit.value } };
}

export function readNamedPrice(text: string): Reading<number> {
  const price = readTypedPrice(text);
  if ("problem" in price) return { problem: aboutPrice(price.problem) };
  return price.value > UNIT_PRICE_MAX ? { problem: aboutPrice(TOO_HIGH) } : price;
}

/** A rate or category, and for one without VAT the cause: `24%`, `0% (14)`, `exempt 14`. */
export function readTypedVat(text: string): Reading<Pick<LineParts, "category" | "exemption">> {
  const [, before, cause] = /^(.*[^0-9\s(])[\s(]+([0-9]{1,2})\)?$/u.exec(text.trim()) ?? [];
  const rate = before ?? text.trim();
  const category = readVatCategory(rate);
  if ("problem" in category) return { problem: about(VAT, category.problem) };
  if (category.value === "exempt" && cause === undefined) return { problem: about(VAT, NO_CAUSE) };
  return {
    value: { category: category.value, exemption: cause === undefined ? undefined : Number(cause) },
  };
}

const { en, el } = moneyText(UNIT_PRICE_MAX);
const TOO_HIGH: Text = { en: `must be at most ${en}`, el: `πρέπει να είναι το πολύ ${el}` };
const QUANTITY: Text = { en: "the quantity", el: "η ποσότητα" };
const UNIT: Text = { en: "the unit", el: "η μονάδα" };
const PRICE: Text = { en: "the price", el: "η τιμή" };
const VAT: Text = { en: "the VAT", el: "ο ΦΠΑ" };
const NO_CAUSE: Text = {
  en: "needs the exemption cause, 1 to 31: 0% (14)",
  el: "χρειάζεται την αιτία εξαίρεσης, 1 έως 31: 0% (14)",
};
export function aboutPrice(problem: Text): Text {
  return about(PRICE, problem);
}

function about(what: Text, problem: Text): Text {
  return { en: `${what.en} ${problem.en}`, el: `${what.el} ${problem.el}` };
}

/** The line as `--line` takes it. */
export function formatTypedLine({
  description,
  quantity,
  unit,
  price,
  category,
  exemption,
}: LineParts): string {
  const amount = unit === undefined ? decimal(quantity) : `${decimal(quantity)} ${unit}`;
  const rate = `${VAT_CATEGORIES[category].ratePercent}%`;
  const vat = exemption === undefined ? rate : `${rate} (${exemption})`;
  return [description, amount, formatEuro(price), vat].join("; ");
}

/** A quantity of three decimals needs a fourth digit, or it would be ambiguous. */
function decimal(quantity: string): string {
  return /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(quantity) ? `0${quantity}` : quantity;
}
