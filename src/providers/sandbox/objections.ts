/** What a strict sandbox objects to in a document, judged by its own ledger (docs/contract.md#strict-sandbox). */
import { type Finding, findBrokenRules } from "../../domain/authority-rules.ts";
import { checkCredit, type Credit, type OtherCredit } from "../../domain/credit-checks.ts";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import type { FilingEntry, Register } from "./ledger.ts";

export async function findObjections(
  document: OutgoingDocument,
  entry: FilingEntry,
  register: Register,
): Promise<Finding[]> {
  const { input, sentType, classifications } = document;
  const credit = entry.originalMarks.length === 0 ? undefined : await readCredit(document, entry, register);
  const areAllKnown = credit?.unknownMarks.length === 0;
  const broken = findBrokenRules({
    document: input,
    sentType,
    pairs: classifications,
    creditedTypes: areAllKnown ? credit.originals.map((original) => original.sentType) : [],
  });
  return credit === undefined ? broken : [...broken, ...checkCredit(credit)];
}

async function readCredit(
  { input }: OutgoingDocument,
  entry: FilingEntry,
  register: Register,
): Promise<Credit> {
  const originals: Credit["originals"][number][] = [];
  const unknownMarks: string[] = [];
  const others = new Map<string, OtherCredit>();
  for (const mark of entry.originalMarks) {
    const original = await register.findCredited(mark);
    if (original === undefined) unknownMarks.push(mark);
    else originals.push(original);
    // A document that is sent again replaces its earlier filing.
    const credits = (await register.findCreditsOf(mark)).filter(({ uid }) => uid !== entry.uid);
    for (const credit of credits) others.set(credit.id, credit);
  }
  const nets = new Map<string, number>();
  for (const mark of new Set([...others.values()].flatMap(({ originalMarks }) => originalMarks))) {
    const original = await register.findCredited(mark);
    if (original !== undefined) nets.set(mark, original.net);
  }
  return {
    document: input,
    originals,
    unknownMarks,
    knowsEveryMark: true,
    otherCredits: [...others.values()],
    netOf: (mark) => nets.get(mark),
  };
}
