/** Processes one group of claimed documents: calls the provider, decides from each outcome, and stores the decision. */
import {
  adapterFailed,
  type Contact,
  contactFrom,
  credentialsMissing,
  isDecidableAlone,
  isSupplierRefusal,
  limitSupplierRefusals,
} from "../domain/adjust-outcomes.ts";
import type { CallContext, Filing, IssueOutcome, ReconcileOutcome } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { storeFiling } from "../journal/substance.ts";
import { buildCallContext, openCredentials, withoutCredentials } from "./call-context.ts";
import { subjectOf } from "./call-evidence.ts";
import { type Group, operationOf } from "./claimed-group.ts";
import { decideOutcome } from "./decide-outcome.ts";
import { buildAsked } from "./outgoing.ts";
import { SETTLEMENTS, type Settled } from "./settle-document.ts";
import { cancelSurplusMarks } from "./surplus-marks.ts";
import { findMerchantRow } from "../../storage/merchants/merchants.ts";
import { findIssuedSuppliers } from "../../storage/merchants/connections.ts";

export interface Processed {
  contact: Contact;
  /** The documents that are asked about next, by the same claim; undefined if there are none. */
  next: Group | undefined;
}

export async function processGroup(context: Context, group: Group): Promise<Processed> {
  const startedMs = context.clock.nowMs();
  const subjects = group.claimed.map(({ row }) => subjectOf(row, group.connection?.id));
  const credentials = openCredentials(context, group.connection);
  const settling = new Map<number, Promise<Settled>>();
  const filed = new Set<number>();
  const reports = { known: settleKnown, filing: storeFilings };
  const call = buildCallContext(context, subjects[0]!, credentials, reports);
  const { callContext, redactor } = call;

  /** Settles a document whose outcome is known before the rest of its batch. */
  function settleKnown(index: number, outcome: IssueOutcome): void {
    if (group.phase !== "submitting" || !isDecidableAlone(outcome)) return;
    if (!(index in group.claimed) || settling.has(index)) return;
    const settled = settle(index, withoutCredentials(outcome, redactor));
    // A rejection is handled below, together with those of the others.
    settled.catch(() => undefined);
    settling.set(index, settled);
  }

  async function storeFilings(filings: readonly Filing[]): Promise<void> {
    const known = filings.filter(({ index }) => index in group.claimed);
    await context.store.write(async (trx) => {
      for (const { index, text } of known)
        await storeFiling(trx, context, group.claimed[index]!.row.id, text);
    });
    for (const { index } of known) filed.add(index);
  }

  async function settle(index: number, reported: ReconcileOutcome): Promise<Settled> {
    const { row } = group.claimed[index]!;
    const evidence = call.evidenceOf(index);
    const settled = await context.store.add(SETTLEMENTS, {
      context,
      claimed: row,
      reportedMark: reported.kind === "issued" && row.provider !== "sandbox" ? reported.mark : undefined,
      decide: (trx, mayBeTaken) => decideOutcome(trx, context, group, row, reported, mayBeTaken),
      call: {
        ...subjects[index]!,
        operation: operationOf(group),
        purpose: "operation",
        error: null,
        started_at: group.claimedAt,
        duration_ms: Math.max(0, context.clock.nowMs() - startedMs),
        evidence,
        redactor,
      },
      isFiled: filed.has(index),
      // Over a connection a query has its own slots and pauses, and needs the credentials as they are then.
      isAskedNext: group.connectionId === null,
    });
    evidence.keeper ??= settled.callId;
    return settled;
  }

  const returned = await callAdapter(context, group, callContext);
  const outcomes = await reinterpretSends(
    context,
    group,
    returned.map((outcome) => withoutCredentials(outcome, redactor)),
  );
  const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
  const settled = await Promise.allSettled(
    outcomes.map((outcome, index) => settling.get(index) ?? settle(index, outcome)),
  );
  reportSettled(context, group, settled, durationMs);
  if (settled.some((one) => one.status === "fulfilled" && one.value.decision.surplusMarks.length > 0))
    await cancelSurplusMarks(context);
  return { contact: contactFrom(outcomes, call.wasAnswered()), next: nextOf(group, settled) };
}

/** The documents of a send that have stayed claimed. */
function nextOf(group: Group, settled: readonly PromiseSettledResult<Settled>[]): Group | undefined {
  const claimed = settled.flatMap((result, index) => {
    const row = result.status === "fulfilled" ? result.value.row : undefined;
    if (row === undefined || row.lease_owner !== group.owner) return [];
    return [{ row, document: buildAsked(group.claimed[index]!.document, row) }];
  });
  const [first] = claimed;
  return first && { ...group, phase: "awaiting_mark", claimedAt: first.row.updated_at, claimed };
}

function reportSettled(
  context: Context,
  group: Group,
  settled: readonly PromiseSettledResult<Settled>[],
  durationMs: number,
): void {
  const { mode } = group;
  const { provider } = group.adapter;
  for (const [index, result] of settled.entries()) {
    if (result.status === "rejected") {
      const fields = { document: group.claimed[index]!.row.id, error: String(result.reason) };
      context.log.error(fields, "document left to the rescuer");
      continue;
    }
    const { decision, row, callId } = result.value;
    if (index === 0 && callId !== undefined)
      context.finishedWork.call({
        callId,
        mode,
        provider,
        operation: operationOf(group),
        outcome: decision.call,
        durationMs,
      });
    if (row !== undefined && row.status !== "pending")
      context.finishedWork.document({ mode: row.mode, provider, status: row.status });
  }
}

const QUESTIONS = { submitting: "issue", awaiting_mark: "status", reconciling: "reconcile" } as const;

/** Returns one outcome per document, whatever the adapter does. */
async function callAdapter(
  context: Context,
  { adapter, phase, claimed, connectionId }: Group,
  call: CallContext,
): Promise<readonly ReconcileOutcome[]> {
  const documents = claimed.map(({ document }) => document);
  if (connectionId !== null && call.credentials === null) return documents.map(() => credentialsMissing());
  try {
    const outcomes = await adapter[QUESTIONS[phase]](documents, call);
    const { length } = outcomes;
    if (length === documents.length) return outcomes;
    throw new Error(`The adapter of ${adapter.provider} returned ${length} outcomes for ${documents.length}`);
  } catch (cause) {
    const fields = { provider: adapter.provider, error: String(cause) };
    context.log.error(fields, "the adapter failed; outcome unknown");
    call.evidence.failed(cause);
    return documents.map(() => adapterFailed());
  }
}

/** How many of the merchant's newest documents are searched for other suppliers. */
const SEARCHED_MAX = 1000;

/** Applies `limitSupplierRefusals` to the outcomes of a send. Reads nothing unless a tax number was refused. */
async function reinterpretSends(
  { store }: Context,
  { phase, mode, connectionId, claimed }: Group,
  outcomes: readonly ReconcileOutcome[],
): Promise<readonly ReconcileOutcome[]> {
  if (phase !== "submitting" || connectionId === null || !outcomes.some(isSupplierRefusal)) return outcomes;
  const { merchant_id: merchantId } = claimed[0]!.row;
  const merchantTaxId = (await findMerchantRow(store.read, { id: merchantId }))?.tax_id;
  const search = { merchantId, mode, connectionId, limit: SEARCHED_MAX };
  const issuedSuppliers = await findIssuedSuppliers(store.read, search);
  const sent = outcomes.map((outcome, index) => ({ supplier: claimed[index]!.row.supplier, outcome }));
  return limitSupplierRefusals(sent, { merchantTaxId, issuedSuppliers });
}
