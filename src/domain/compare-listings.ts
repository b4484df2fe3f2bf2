/**
 * Compares the documents here with what a provider lists, in both directions (docs/contract.md#reconcile). A document is found by its
 * MARK, its uid, or our id where the provider keeps it. The VAT of those that agree is compared with what the authority counts in the
 * VAT return (docs/authority.md#vat-and-e3-figures), for taxed sales only: which box an exemption belongs to is not published. Pure.
 */
import type { DocumentPhase } from "../../storage/stored-values.ts";
import { euroText } from "../foundation/money.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import {
  describeLaterMark,
  describeMissingHere,
  describeUnequal,
  DETAILS,
  type Difference,
  type Unequal,
  withName,
} from "./difference.ts";
import type { ListedDocument, VatFigures } from "./provider-documents.ts";
import { isLaterMark } from "./several-marks.ts";
import { TAXED_BOXES } from "./vat-return.ts";

export interface OwnDocument {
  id: string;
  phase: DocumentPhase;
  mark: string | null;
  uid: string | null;
  issueDate: string;
  series: string | null;
  number: string | null;
  /** Cents. */
  totals: { net: number; vat: number; gross: number };
  isCancelled: boolean;
  /** The provider chooses date, series and number. */
  isProviderNumbered: boolean;
  /** Later MARKs that a person has accepted as the ones that count (docs/contract.md#highest-mark-wins). */
  countingMarks: readonly string[];
}

export interface Adoptable {
  document: string;
  mark: string;
}

/** MARKs of one document that can be cancelled, because a higher one of the same uid is not cancelled. */
export interface Surplus {
  document: string;
  /** The highest MARK. Never cancelled. */
  highest: string;
  lower: readonly string[];
}

export interface Comparison {
  differences: Difference[];
  /** Documents here that were compared, and documents that only the provider has. */
  compared: number;
  adoptable: Adoptable[];
  surplus: Surplus[];
  /** The MARKs of issued documents on which both sides agree, and which are cancelled on neither. */
  agreed: Set<string>;
}

/**
 * `own` are the documents of the account in the period. `elsewhere` has the MARKs of all other documents here: those of the
 * same account under another merchant, or with another issue date.
 */
export function compareListings(
  own: readonly OwnDocument[],
  listed: readonly ListedDocument[],
  elsewhere: ReadonlySet<string>,
): Comparison {
  const comparison: Comparison = {
    differences: [],
    compared: 0,
    adoptable: [],
    surplus: [],
    agreed: new Set(),
  };
  const index = indexListed(listed);
  const owners = new Map(own.flatMap(({ id, mark }) => (mark === null ? [] : [[mark, id] as const])));
  const matched = new Set<ListedDocument>();
  for (const document of own) {
    const found = index(document).filter(({ mark }) => {
      const owner = owners.get(mark);
      return owner === document.id || (owner === undefined && !elsewhere.has(mark));
    });
    for (const one of found) matched.add(one);
    const before = comparison.differences.length;
    if (document.phase === "issued") compareIssued(comparison, document, found);
    else compareUnissued(comparison, document, found);
    for (const difference of comparison.differences.slice(before))
      difference.detail = withName(document, difference.detail);
  }
  const unknown = listed.filter((one) => !matched.has(one) && !elsewhere.has(one.mark) && !one.isCancelled);
  reportUnknown(comparison, unknown);
  return comparison;
}

function indexListed(listed: readonly ListedDocument[]): (document: OwnDocument) => ListedDocument[] {
  const byMark = Map.groupBy(listed, ({ mark }) => mark);
  const byUid = Map.groupBy(listed, ({ uid }) => uid);
  const byReference = Map.groupBy(listed, ({ reference }) => reference);
  return ({ id, mark, uid }) => [
    ...new Set([
      ...(mark === null ? [] : (byMark.get(mark) ?? [])),
      ...(uid === null ? [] : (byUid.get(uid) ?? [])),
      ...(byReference.get(id) ?? []),
    ]),
  ];
}

function compareIssued(comparison: Comparison, document: OwnDocument, found: ListedDocument[]): void {
  const { differences } = comparison;
  const { id, mark, uid, isCancelled } = document;
  if (mark === null) throw new Error(`The issued document ${id} has no MARK`);
  comparison.compared += 1;
  const before = differences.length;
  const about = { document: id, mark, uid };
  const registered = found.find((one) => one.mark === mark);
  const others = found.filter((one) => one.mark !== mark && !one.isCancelled);
  const isReplaced = others.some((one) => isLaterMark(one.mark, mark));
  if (registered === undefined)
    differences.push({ kind: "missing_there", ...about, detail: DETAILS.missingThere });
  else if (registered.isCancelled && !isCancelled && !isReplaced)
    differences.push({ kind: "cancelled_there", ...about, detail: DETAILS.cancelledThere });
  else if (!registered.isCancelled && isCancelled)
    differences.push({ kind: "cancelled_here", ...about, detail: DETAILS.cancelledHere });
  const unequal = registered === undefined ? [] : findUnequal(document, registered);
  if (unequal.length > 0) differences.push({ kind: "differs", ...about, detail: describeUnequal(unequal) });
  for (const other of others) {
    if (document.countingMarks.includes(other.mark)) continue;
    const detail = describeDouble(document, mark, other, registered?.isCancelled ?? true);
    differences.push({ kind: "doubled", document: id, mark: other.mark, uid: other.uid, detail });
  }
  collectSurplus(comparison, document, found);
  if (differences.length === before && !isCancelled && registered?.isCancelled === false)
    comparison.agreed.add(mark);
}

function describeDouble(
  document: OwnDocument,
  mark: string,
  other: ListedDocument,
  isOwnCancelled: boolean,
): Text {
  if (!hasTotalsOf(other, document)) return DETAILS.otherTotals;
  if (document.isCancelled) return DETAILS.leftAfterCancellation;
  return isLaterMark(other.mark, mark) ? describeLaterMark(mark, isOwnCancelled) : DETAILS.lowerMark;
}

/** Only MARKs with the document's uid and totals: others are another document's. */
function collectSurplus(comparison: Comparison, document: OwnDocument, found: ListedDocument[]): void {
  const marks = found
    .filter(
      (one) => !one.isCancelled && one.uid !== null && one.uid === document.uid && hasTotalsOf(one, document),
    )
    .sort(latestFirst)
    .map(({ mark }) => mark);
  const [highest, ...lower] = marks;
  if (highest !== undefined && lower.length > 0)
    comparison.surplus.push({ document: document.id, highest, lower });
}

/** A document that has no MARK here should not be at the provider. */
function compareUnissued(comparison: Comparison, document: OwnDocument, found: ListedDocument[]): void {
  const valid = found.filter(({ isCancelled }) => !isCancelled).sort(latestFirst);
  if (valid.length === 0) return;
  comparison.compared += 1;
  const [highest, ...lower] = valid.filter((one) => hasTotalsOf(one, document));
  const report = (kind: Difference["kind"], { mark, uid }: ListedDocument, detail: Text) =>
    void comparison.differences.push({ kind, document: document.id, mark, uid, detail });
  if (highest === undefined) return report("differs", valid[0]!, DETAILS.otherTotals);
  const isAdoptable = document.phase === "failed" || document.phase === "reconciling";
  const detail = isAdoptable
    ? DETAILS.adoptable
    : document.phase === "rejected"
      ? DETAILS.rejectedHere
      : DETAILS.underWay;
  report("missing_here", highest, detail);
  for (const one of lower) report("doubled", one, DETAILS.adoptable);
  if (isAdoptable) comparison.adoptable.push({ document: document.id, mark: highest.mark });
}

function latestFirst(left: ListedDocument, right: ListedDocument): number {
  return isLaterMark(left.mark, right.mark) ? -1 : 1;
}

/** Documents that only the provider has. Of several MARKs of one uid, the highest is the document. */
function reportUnknown(comparison: Comparison, unknown: readonly ListedDocument[]): void {
  for (const group of Map.groupBy(unknown, ({ uid, mark }) => uid ?? mark).values()) {
    comparison.compared += 1;
    for (const [index, one] of group.toSorted(latestFirst).entries()) {
      const kind = index === 0 ? "missing_here" : "doubled";
      const detail = index === 0 ? describeMissingHere(one) : DETAILS.unknownTwice;
      comparison.differences.push({ kind, document: null, mark: one.mark, uid: one.uid, detail });
    }
  }
}

const AMOUNTS = [
  ["net", { en: "net", el: "καθαρή αξία" }],
  ["vat", { en: "VAT", el: "ΦΠΑ" }],
  ["gross", { en: "total", el: "σύνολο" }],
] as const;

function hasTotalsOf({ totals }: ListedDocument, document: OwnDocument): boolean {
  return AMOUNTS.every(([amount]) => (totals[amount] ?? document.totals[amount]) === document.totals[amount]);
}

function findUnequal(document: OwnDocument, listed: ListedDocument): Unequal[] {
  const amounts = AMOUNTS.map(
    ([amount, name]) => [name, document.totals[amount], listed.totals[amount]] as const,
  );
  const others = [
    [{ en: "issue date", el: "ημερομηνία έκδοσης" }, document.issueDate, listed.issueDate],
    [{ en: "series", el: "σειρά" }, document.series, listed.series],
    [{ en: "number", el: "αριθμός" }, document.number, listed.number],
  ] as const;
  const shown = (value: string | number) => (typeof value === "number" ? euroText(value) : sameInBoth(value));
  return [...amounts, ...(document.isProviderNumbered ? [] : others)].flatMap(([name, here, there]) =>
    here === null || there === null || here === there
      ? []
      : [{ name, here: shown(here), there: shown(there) }],
  );
}

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
