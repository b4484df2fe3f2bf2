/** Arithmetic on integer cents. Products use BigInt, because 10^9 units at 10^11 cents do not fit a double. */
import type { Text } from "./text.ts";

/** `numerator / denominator` rounded half up; the numerator at least 0, the denominator above 0. */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** A quantity has up to three decimals (docs/contract.md#lines). */
const QUANTITY_SCALE = 1000n;
const QUANTITY_DECIMALS = 3;

/** A quantity such as `2.5` in thousandths. The schema has checked its form. */
export function thousandths(quantity: string): bigint {
  const [whole = "0", decimals = ""] = quantity.split(".");
  return BigInt(whole) * QUANTITY_SCALE + BigInt(decimals.padEnd(QUANTITY_DECIMALS, "0"));
}

/** Net cents of a line: quantity × unit price, rounded half up to the cent. */
export function lineNet(quantity: string, unitPriceCents: number): bigint {
  return roundHalfUp(thousandths(quantity) * BigInt(unitPriceCents), QUANTITY_SCALE);
}

/** VAT cents on a line's net cents, rounded half up to the cent. */
export function vatOf(netCents: bigint, ratePercent: number): bigint {
  return roundHalfUp(netCents * BigInt(ratePercent), 100n);
}

/** Cents as euro with two decimals: `1240` is `12.40`, or `12,40` with a decimal comma. */
export function formatEuro(cents: number | bigint, decimal: "." | "," = "."): string {
  const exact = BigInt(cents);
  const positive = exact < 0n ? -exact : exact;
  const euro = `${positive / 100n}${decimal}${String(positive % 100n).padStart(2, "0")}`;
  return exact < 0n ? `-${euro}` : euro;
}

/** Cents as euro for people: `1240.50`, in Greek `1.240,50`. */
export function euroText(cents: number | bigint): Text {
  const en = formatEuro(cents);
  return { en, el: greekDecimal(en) };
}

/** `1234.50` as `1.234,50`. */
export function greekDecimal(number: string): string {
  const [whole = "", ...decimals] = number.split(".");
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, "."), ...decimals].join(",");
}
