/** Decimal numbers as written in Greece. */

/** `1234.50` as `1.234,50`. */
export function greekDecimal(number: string): string {
  const [whole = "", ...decimals] = number.split(".");
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, "."), ...decimals].join(",");
}
