/**
 * Settles the documents of a group whose outcomes are known together. Those that only move share one write: what it needs of
 * them is read in one statement each. All others are settled alone, and so is every document
 * if that write fails, so that one that cannot be settled affects no other.
 */
import { type DocumentRow, findDocumentRows, findMarksInUse } from "../../storage/documents/documents.ts";
import { findTimelines } from "../../storage/journal/events.ts";
import { findEndpointInterests } from "../../storage/webhooks/webhooks.ts";
import { inTurn, type Transaction } from "../../storage/database/write.ts";
import type { Decision } from "../domain/decision.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import type { CallEnd } from "./call-evidence.ts";
import type { Claimed, Group } from "./claimed-group.ts";
import { decideAlone, decideOutcome, deliveryPolicy, type Outcome, stateOf } from "./decide-outcome.ts";
import { isStillClaimed, settle } from "./settle-document.ts";

/** A claimed document, what was reported about it, and the end of its call. */
export interface Reported {
  claimed: Claimed;
  outcome: Outcome;
  end(): Omit<CallEnd, "outcome" | "error">;
  /** This process stored what filed the document. */
  isFiled: boolean;
}

export interface Settled {
  decision: Decision;
  /** Undefined if the document was rescued meanwhile. */
  row: DocumentRow | undefined;
}

/** Settles a document whose outcome is known before those of the others. */
export async function settleEarly(context: Context, group: Group, reported: Reported): Promise<Settled> {
  const settled = await settleTogether(context, group, [reported]);
  return settled.get(reported) ?? settleAlone(context, group, reported);
}

/** Settles a document in a write of its own. */
export function settleAlone(context: Context, group: Group, reported: Reported): Promise<Settled> {
  return context.store.write(async (trx) => {
    const { claimed, outcome, isFiled } = reported;
    const decision = await decideOutcome(trx, context, group, claimed.row, outcome);
    const options = { usedConnectionId: group.connectionId, isFiled };
    const row = await settle(trx, context, claimed.row, decision, reported.end(), options);
    return { decision, row };
  });
}

/** The most documents in one write, so that requests are served between these writes, which share a commit. */
const TOGETHER_MAX = 16;

/** Settles the documents that only move, several in one write. Returns those that it has settled: none of a write that fails. */
export async function settleTogether(
  context: Context,
  group: Group,
  reports: readonly Reported[],
): Promise<ReadonlyMap<Reported, Settled>> {
  if (group.phase === "reconciling") return new Map();
  const writes: Promise<ReadonlyMap<Reported, Settled>>[] = [];
  for (let start = 0; start < reports.length; start += TOGETHER_MAX)
    writes.push(settleSome(context, group, reports.slice(start, start + TOGETHER_MAX)));
  return new Map((await Promise.all(writes)).flatMap((settled) => [...settled]));
}

/** Written together with what is accepted and claimed in the same turn of the event loop. */
const REPORTS = inTurn(
  async (
    trx,
    { context, group, reports }: { context: Context; group: Group; reports: readonly Reported[] },
  ) => settlePlain(trx, context, group, await findPlain(trx, context, group, reports)),
);

async function settleSome(
  context: Context,
  group: Group,
  reports: readonly Reported[],
): Promise<ReadonlyMap<Reported, Settled>> {
  try {
    return await context.store.add(REPORTS, { context, group, reports });
  } catch (error) {
    if (!isReportedAlready(error))
      context.log.warn(
        { provider: group.adapter.provider, error: String(error) },
        "the outcomes of a group could not be stored together; storing each alone",
      );
    return new Map();
  }
}

/** A report whose document only moves. */
interface Plain {
  reported: Reported;
  row: DocumentRow;
  decision: Decision;
}

/** The reports that can be settled without reading anything else about their documents. */
async function findPlain(
  trx: Transaction,
  context: Context,
  { adapter, mode }: Group,
  reports: readonly Reported[],
): Promise<Plain[]> {
  const policy = deliveryPolicy(context, adapter.settle);
  const rows = await findDocumentRows(
    trx,
    reports.map(({ claimed }) => claimed.row.id),
  );
  const isMarkFree = await createMarkCheck(trx, { adapter, mode }, reports);
  return reports.flatMap((reported) => {
    const { claimed, outcome } = reported;
    const row = rows.get(claimed.row.id);
    if (outcome.phase === "reconciling" || !isStillClaimed(row, claimed.row) || row.asking === "first")
      return [];
    if (outcome.outcome.kind === "issued" && !isMarkFree(outcome.outcome.mark)) return [];
    const decision = decideAlone(outcome, stateOf(claimed.row), policy, trx.clockMs);
    return onlyMoves(decision) ? [{ reported, row, decision }] : [];
  });
}

/** Returns whether a reported MARK is certainly no other document's: neither stored nor reported twice in the group. */
async function createMarkCheck(
  trx: Transaction,
  { adapter, mode }: Pick<Group, "adapter" | "mode">,
  reports: readonly Reported[],
): Promise<(mark: string) => boolean> {
  // The sandbox assigns its MARKs itself.
  if (adapter.provider === "sandbox") return () => true;
  const marks = reports.flatMap(({ outcome: { outcome } }) =>
    outcome.kind === "issued" ? outcome.mark : [],
  );
  const inUse = await findMarksInUse(trx, marks, mode);
  return (mark) => !inUse.has(mark) && marks.indexOf(mark) === marks.lastIndexOf(mark);
}

/** Whether a decision concerns only the document: not its number, another MARK or the connection. */
function onlyMoves(decision: Decision): boolean {
  return (
    decision.phase !== "rejected" &&
    decision.number === "keep" &&
    decision.cancellationMark === null &&
    decision.markOfAnother === null &&
    decision.surplusMarks.length === 0 &&
    !decision.invalidatesConnection
  );
}

/** Settles at the same time: a database server runs their statements without waiting for the answer to each. */
async function settlePlain(
  trx: Transaction,
  context: Context,
  { connectionId, mode }: Group,
  plain: readonly Plain[],
): Promise<Map<Reported, Settled>> {
  const withEvent = plain.filter(({ decision }) => decision.event !== null).map(({ row }) => row.id);
  const timelines = await findTimelines(trx, withEvent);
  // Read once for all of their events.
  if (withEvent.length > 0) await findEndpointInterests(trx, mode);
  const settled = await allOf(
    plain.map(async ({ reported, row, decision }) => {
      const { claimed, isFiled } = reported;
      const read = { row, timeline: timelines.get(row.id) };
      const options = { usedConnectionId: connectionId, isFiled, read };
      const after = await settle(trx, context, claimed.row, decision, reported.end(), options);
      return [reported, { decision, row: after }] as const;
    }),
  );
  return new Map(settled);
}

/** Waits for all even if one fails, because nothing may use the transaction after its unit has ended. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
