/** What a strict sandbox objects to in a document, judged by its own ledger (docs/contract.md#strict-sandbox). */
import { type Finding, findBrokenRules } from "../../domain/authority-rules.ts";
import { checkCredit, type Credit, type OtherCredit } from "../../domain/credit-checks.ts";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import type { FiledCredit, FilingEntry, Register } from "./ledger.ts";

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
  { uid, originalMarks }: FilingEntry,
  register: Register,
): Promise<Credit> {
  const originals: Credit["originals"][number][] = [];
  const unknownMarks: string[] = [];
  // A document that is sent again replaces its earlier filing.
  const byUid = new Map<string, FiledCredit>();
  for (const mark of originalMarks) {
    const original = await register.findCredited(mark);
    if (original === undefined) unknownMarks.push(mark);
    else originals.push(original);
    for (const credit of await register.findCreditsOf(mark)) byUid.set(credit.uid, credit);
  }
  byUid.delete(uid);
  const otherCredits: OtherCredit[] = [];
  for (const credit of byUid.values())
    otherCredits.push({ ...credit, originalMarks: await register.findOriginalMarks(credit) });
  const netOf = await readNets(otherCredits, register);
  return { document: input, originals, unknownMarks, knowsEveryMark: true, otherCredits, netOf };
}

async function readNets(credits: readonly OtherCredit[], register: Register): Promise<Credit["netOf"]> {
  const nets = new Map<string, number>();
  for (const mark of new Set(credits.flatMap(({ originalMarks }) => originalMarks))) {
    const original = await register.findCredited(mark);
    if (original !== undefined) nets.set(mark, original.net);
  }
  return (mark) => nets.get(mark);
}
