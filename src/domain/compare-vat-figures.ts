/**
 * Compares the VAT of documents here with what the authority counts for them in the VAT return
 * (docs/authority.md#vat-and-e3-figures). Only taxed sales are compared: which box an exemption belongs to is not published.
 * Pure.
 */
import { euroText } from "../foundation/money.ts";
import { sameInBoth } from "../foundation/text.ts";
import { describeUnequal, type Difference } from "./difference.ts";
import type { VatFigures } from "./listed-document.ts";
import { TAXED_BOXES } from "./vat-return.ts";

const BOXES: readonly string[] = Object.values(TAXED_BOXES).flatMap(({ net, vat }) => [net, vat]);

/** Cents by box. */
export type BoxSums = Record<string, number>;

/**
 * `here` are the sums of the documents in `agreed`, which both sides list alike. `listed` are all MARKs that the provider lists
 * or that documents here have.
 */
export function compareVatFigures(
  here: BoxSums,
  figures: readonly VatFigures[],
  agreed: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): Difference[] {
  const valid = figures.filter(({ isCancelled }) => !isCancelled);
  const there = sumBoxes(valid.filter(({ mark }) => agreed.has(mark)));
  const unequal = BOXES.filter((box) => (here[box] ?? 0) !== (there[box] ?? 0)).map((box) => ({
    name: sameInBoth(box),
    here: euroText(here[box] ?? 0),
    there: euroText(there[box] ?? 0),
  }));
  const differences: Difference[] = [];
  if (unequal.length > 0) {
    const { en, el } = describeUnequal(unequal);
    differences.push(aboutTotals({ en: `boxes of the VAT return: ${en}`, el: `κωδικοί του Φ2: ${el}` }));
  }
  const others = valid.filter(
    ({ mark, boxes }) => !listed.has(mark) && BOXES.some((box) => (boxes[box] ?? 0) !== 0),
  );
  if (others.length > 0) differences.push(describeOthers(others));
  return differences;
}

function sumBoxes(figures: readonly VatFigures[]): BoxSums {
  const sums: BoxSums = {};
  for (const { boxes } of figures)
    for (const [box, cents] of Object.entries(boxes)) sums[box] = (sums[box] ?? 0) + cents;
  return sums;
}

/** Sales that another channel sent, such as a cash register: the account does not list them. */
function describeOthers(others: readonly VatFigures[]): Difference {
  const sums = sumBoxes(others);
  const total = (kind: "net" | "vat") =>
    Object.values(TAXED_BOXES).reduce((sum, boxes) => sum + (sums[boxes[kind]] ?? 0), 0);
  const [net, vat] = [euroText(total("net")), euroText(total("vat"))];
  const count = others.length;
  return aboutTotals({
    en: `the VAT return also counts ${count === 1 ? "1 document" : `${count} documents`} that this account did not send: net ${net.en}, VAT ${vat.en}`,
    el: `στο Φ2 μετρούν και ${count === 1 ? "1 παραστατικό" : `${count} παραστατικά`} που δεν έστειλε αυτός ο λογαριασμός: καθαρή αξία ${net.el}, ΦΠΑ ${vat.el}`,
  });
}

function aboutTotals(detail: Difference["detail"]): Difference {
  return { kind: "differs", document: null, mark: null, uid: null, detail };
}
