/** Amounts, counts, days and instants for tables: English shows them as the API does, Greek as Greeks write them. */
import { instantText as athensText } from "../foundation/clock.ts";
import { dayText } from "../foundation/days.ts";
import { euroText, greekDecimal } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import type { ValueText } from "./view.ts";

export { dayText };

/** `1234.50 EUR`, in Greek `1.234,50 EUR`. */
export function moneyText(cents: number | bigint): Text {
  const { en, el } = amountText(cents);
  return { en: `${en} EUR`, el: `${el} EUR` };
}

/** The same without the currency. */
export const amountText = euroText;

/** A number of things: `1234`, in Greek `1.234`. Not for numbers that are names, such as those of documents. */
export function countText(count: number): Text {
  return decimalText(String(count));
}

/** A number with its decimals: `1234.5`, in Greek `1.234,5`. */
export function decimalText(number: string): Text {
  return { en: number, el: greekDecimal(number) };
}

/** A time of Athens for people. */
export function instantText(instant: string): ValueText {
  return { ...athensText(instant), of: { kind: "instant", value: instant } };
}

/** The same, and `-` for null. */
export function optionalInstantText(instant: string | null): Text | string {
  return instant === null ? "-" : instantText(instant);
}
