/**
 * Prices an amount of a line so that its VAT comes out as wanted. A document has no VAT of its own for a line: it is the
 * line's net times the rate, rounded to the cent. Parts of a line are rounded one by one, so together they can be some cents
 * off, and the last part must take the difference (docs/contract.md#crediting-a-document). Two lines can have a cent of VAT
 * more or less than one line with their sum: at 24%, 0.06 has 0.01, but 0.03 and 0.03 have 0.01 each.
 */
import { roundHalfUp, vatOf } from "../foundation/money.ts";
import type { CanonicalLine } from "./canonical-schema.ts";
import { UNIT_PRICE_MAX, VAT_CATEGORIES } from "./document-codes.ts";

/** Amounts in cents, the quantity in thousandths; 0 for an amount without a quantity. */
export interface PartAmounts {
  quantity: bigint;
  net: number;
  vat: number;
}

export interface PricedPart {
  quantity: string;
  /** Cents. */
  unit_price: number;
  /** It has the line's price per unit; otherwise it is one piece at its amount. */
  isInUnits: boolean;
}

/** Enough to correct four cents; each piece is at most a cent. */
const PIECES_MAX = 9;

/** Every remainder of a hundredth occurs among so many cents. */
const PERIOD = 100;

function vatCents(net: number, ratePercent: number): number {
  return Number(vatOf(BigInt(net), ratePercent));
}

/** By how much rounding raised the VAT of `net`, in hundredths of a cent: -49 to 50. */
function rounding(net: number, ratePercent: number): number {
  return vatCents(net, ratePercent) * 100 - net * ratePercent;
}

/** The piece of `net` to price apart so that the VAT moves by a cent in `direction`, or comes closer to it. */
function pieceOf(net: number, ratePercent: number, direction: number): number | undefined {
  const pieces = Array.from({ length: Math.max(0, Math.min(PERIOD, net - 1)) }, (_, index) => index + 1);
  const whole = vatCents(net, ratePercent);
  const exact = pieces.find(
    (piece) => vatCents(piece, ratePercent) + vatCents(net - piece, ratePercent) - whole === direction,
  );
  if (exact !== undefined) return exact;
  const gain = (piece: number) => direction * rounding(piece, ratePercent);
  const best = pieces.reduce((first, piece) => (gain(piece) > gain(first) ? piece : first), 1);
  return pieces.length > 0 && gain(best) > 0 ? best : undefined;
}

/** Amounts that add up to `net` and whose VAT adds up to `vat`; undefined if none were found. */
function splitNet(net: number, vat: number, ratePercent: number): number[] | undefined {
  const pieces: number[] = [];
  let rest = net;
  let due = vat;
  while (vatCents(rest, ratePercent) !== due) {
    const direction = Math.sign(due - vatCents(rest, ratePercent));
    const piece = pieces.length < PIECES_MAX ? pieceOf(rest, ratePercent, direction) : undefined;
    if (piece === undefined) return undefined;
    pieces.push(piece);
    rest -= piece;
    due -= vatCents(piece, ratePercent);
  }
  return [...pieces, rest];
}

/** `2500` thousandths → `2.5` */
export function formatThousandths(quantity: bigint): string {
  const decimals = String(quantity % 1000n)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${quantity / 1000n}${decimals === "" ? "" : `.${decimals}`}`;
}

/**
 * Quantities and prices whose lines have exactly these amounts: the quantity at the line's price where that is so, otherwise one
 * unit of each amount. Undefined if no lines have them.
 */
export function priceExactly(
  { quantity, net, vat }: PartAmounts,
  { unit_price, vat_category: category }: Pick<CanonicalLine, "unit_price" | "vat_category">,
): PricedPart[] | undefined {
  const pieces = splitNet(net, vat, VAT_CATEGORIES[category].ratePercent);
  const priced = roundHalfUp(quantity * BigInt(unit_price), 1000n);
  if (pieces?.length === 1 && quantity > 0n && priced === BigInt(net))
    return [{ quantity: formatThousandths(quantity), unit_price, isInUnits: true }];
  if (pieces === undefined || pieces.some((piece) => piece > UNIT_PRICE_MAX)) return undefined;
  return pieces.map((piece) => ({ quantity: "1", unit_price: piece, isInUnits: false }));
}
