/** Asks about documents: one outcome for each, in order, of a kind allowed for the question. */
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
  return holdAll(stage, "issue", documents.length, outcomes, kinds);
}

export async function reconcile<Kind extends ReconcileOutcome["kind"]>(
  stage: Stage,
  documents: readonly SentDocument[],
  kinds: readonly Kind[],
): Promise<Extract<ReconcileOutcome, { kind: Kind }>[]> {
  const outcomes = await stage.ask("reconcile", (call) => stage.adapter.reconcile(documents, call));
  return holdAll(stage, "reconcile", documents.length, outcomes, kinds);
}

export async function status<Kind extends StatusOutcome["kind"]>(
  stage: Stage,
  documents: readonly SentDocument[],
  kinds: readonly Kind[],
): Promise<Extract<StatusOutcome, { kind: Kind }>[]> {
  const outcomes = await stage.ask("status", (call) => stage.adapter.status(documents, call));
  return holdAll(stage, "status", documents.length, outcomes, kinds);
}

function holdAll<Outcome extends { kind: string }, Kind extends Outcome["kind"]>(
  { adapter: { numbering } }: Stage,
  what: string,
  count: number,
  outcomes: readonly Outcome[],
  kinds: readonly Kind[],
): Extract<Outcome, { kind: Kind }>[] {
  assert.ok(Array.isArray(outcomes), `${what} answers an array`);
  assert.equal(outcomes.length, count, `${what} answers one outcome for each document`);
  for (const [index, outcome] of outcomes.entries()) {
    assertOutcome(outcome, kinds, { what: `${what}[${index}]`, numbering });
  }
  return outcomes as Extract<Outcome, { kind: Kind }>[];
}

/** A scene must return the MARK within this many requests. */
const ASKINGS_MAX = 10;

/** Asks until the MARK is there. */
export async function markOf(
  stage: Stage,
  document: OutgoingDocument,
  outcome: Extract<IssueOutcome, { kind: "issued" | "accepted" }>,
): Promise<string> {
  if (outcome.kind === "issued") return outcome.mark;
  const sent = buildSent(document, outcome, stage.clock);
  for (let polls = 0; polls < ASKINGS_MAX; polls += 1) {
    const [answer] = await status(stage, [{ ...sent, polls }], ["issued", "accepted"]);
    if (answer?.kind === "issued") return answer.mark;
  }
  throw new assert.AssertionError({ message: `status gives no MARK within ${ASKINGS_MAX} askings` });
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
