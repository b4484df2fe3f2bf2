/** Sends and looks up documents, and checks that there is one outcome of an allowed kind for each. */
import assert from "node:assert/strict";
import type {
  IssueOutcome,
  OutgoingDocument,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import { assertOutcome } from "./outcomes.ts";
import { buildSent } from "./samples.ts";
import type { Limits, Stage } from "./stage.ts";

/** Sends the documents. Every outcome must be one of `kinds`. */
export async function issue<Kind extends IssueOutcome["kind"]>(
  stage: Stage,
  documents: readonly OutgoingDocument[],
  kinds: readonly Kind[],
  limits?: Limits,
): Promise<Extract<IssueOutcome, { kind: Kind }>[]> {
  const outcomes = await stage.ask("issue", (call) => stage.adapter.issue(documents, call), limits);
  return checkAll(stage, "issue", documents.length, outcomes, kinds);
}

export async function reconcile<Kind extends ReconcileOutcome["kind"]>(
  stage: Stage,
  documents: readonly SentDocument[],
  kinds: readonly Kind[],
): Promise<Extract<ReconcileOutcome, { kind: Kind }>[]> {
  const outcomes = await stage.ask("reconcile", (call) => stage.adapter.reconcile(documents, call));
  return checkAll(stage, "reconcile", documents.length, outcomes, kinds);
}

export async function status<Kind extends StatusOutcome["kind"]>(
  stage: Stage,
  documents: readonly SentDocument[],
  kinds: readonly Kind[],
): Promise<Extract<StatusOutcome, { kind: Kind }>[]> {
  const outcomes = await stage.ask("status", (call) => stage.adapter.status(documents, call));
  return checkAll(stage, "status", documents.length, outcomes, kinds);
}

function checkAll<Outcome extends { kind: string }, Kind extends Outcome["kind"]>(
  { adapter: { numbering } }: Stage,
  what: string,
  count: number,
  outcomes: readonly Outcome[],
  kinds: readonly Kind[],
): Extract<Outcome, { kind: Kind }>[] {
  assert.ok(Array.isArray(outcomes), `${what} returns an array`);
  assert.equal(outcomes.length, count, `${what} returns one outcome for each document`);
  for (const [index, outcome] of outcomes.entries()) {
    assertOutcome(outcome, kinds, { what: `${what}[${index}]`, numbering });
  }
  return outcomes as Extract<Outcome, { kind: Kind }>[];
}

/** A scene must return the MARK within this many requests. */
const POLLS_MAX = 10;

/** Polls until the MARK is available. */
export async function markOf(
  stage: Stage,
  document: OutgoingDocument,
  outcome: Extract<IssueOutcome, { kind: "issued" | "accepted" }>,
): Promise<string> {
  if (outcome.kind === "issued") return outcome.mark;
  const sent = buildSent(document, outcome, stage.clock);
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const [polled] = await status(stage, [{ ...sent, polls }], ["issued", "accepted"]);
    if (polled?.kind === "issued") return polled.mark;
  }
  throw new assert.AssertionError({ message: `status returns no MARK within ${POLLS_MAX} polls` });
}

/** Fails unless the fake has `count` documents, whatever the adapter says. */
export async function assertRegistered(stage: Stage, count: number, when: string): Promise<void> {
  const registered = await stage.scene.registrations();
  assert.equal(
    registered,
    count,
    `${when} the provider has registered ${registered} documents, not ${count}`,
  );
}
