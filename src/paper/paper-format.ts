/** Formats numbers and days as written in Greece: `1.234,56 €`, `2,5`, `28/02/2026`. */
import { greekDecimal } from "../foundation/money.ts";
import { formatEuro } from "../foundation/money.ts";

/** Cents as euro: `123456` is `1.234,56`. */
export function formatGreekNumber(cents: number): string {
  return greekDecimal(formatEuro(cents));
}

/** Cents as euro with the sign, after a no-break space: `1.234,56 €`. */
export function formatGreekEuro(cents: number): string {
  return `${formatGreekNumber(cents)}\u00a0€`;
}

/** A quantity without leading or trailing zeros: `1234.50` is `1.234,5`. */
export function formatGreekQuantity(quantity: string): string {
  const [whole = "0", decimals = ""] = quantity.split(".");
  const significant = decimals.replace(/0+$/, "");
  const natural = whole.replace(/^0+(?=\d)/, "");
  return greekDecimal(significant === "" ? natural : `${natural}.${significant}`);
}

/** `2026-02-28` is `28/02/2026`. */
export function formatGreekDay(day: string): string {
  return day.split("-").toReversed().join("/");
}
