/** Sends and looks up documents, and checks that there is one outcome of an allowed kind and form for each. */
import assert from "node:assert/strict";
import type {
  IssueOutcome,
  OutgoingDocument,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
  VerifyOutcome,
} from "../../domain/provider-adapter.ts";
import { MARK_FORM } from "../../domain/document-codes.ts";
import { UID_FORM } from "../../domain/series.ts";
import { isWebAddress } from "../exchange.ts";
import { buildSent } from "./scenes.ts";
import type { Limits, Stage } from "./stage.ts";
import { ERROR_CODES, type ErrorObject } from "../../foundation/errors.ts";

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

/** The documents as they are known after sends without an answer. */
export function unanswered({ clock }: Stage, documents: readonly OutgoingDocument[]): SentDocument[] {
  return documents.map((document) => buildSent(document, undefined, clock));
}

export async function verify(stage: Stage, kind: VerifyOutcome["kind"]): Promise<void> {
  const outcome = await stage.ask("verify", (call) => stage.adapter.verify(call));
  assert.equal(outcome.kind, kind, `verify reports ${outcome.kind}, not ${kind}`);
  if ("error" in outcome) assertError(outcome.error, "verify.error");
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

type AnyOutcome = { kind: string } & Readonly<Record<string, unknown>>;

/** Fails unless `outcome` is one of `kinds` and has the members of its kind. */
export function assertOutcome<Kind extends string>(
  outcome: { kind: string },
  kinds: readonly Kind[],
  about: { what: string; numbering: "ours" | "provider" },
): asserts outcome is { kind: Kind } {
  const { what, numbering } = about;
  const { kind } = outcome;
  assert.ok((kinds as readonly string[]).includes(kind), `${what} is ${kind}, not ${kinds.join(" or ")}`);
  const members = outcome as AnyOutcome;
  if (kind === "issued" || kind === "accepted") assertRegistration(members, what);
  if (kind === "issued" && numbering === "provider") assertNumbered(members, what);
  if (kind === "cancelled") assertMark(members["cancellationMark"], `${what}.cancellationMark`);
  if ("error" in members) assertError(members["error"], `${what}.error`);
  const { retryAfterMs = 0 } = members;
  assert.ok(typeof retryAfterMs === "number" && retryAfterMs >= 0, `${what}.retryAfterMs is not a duration`);
}

function assertRegistration(members: AnyOutcome, what: string): void {
  if (members.kind === "issued") assertMark(members["mark"], `${what}.mark`);
  else assertText(members["providerRef"], `${what}.providerRef`);
  const { uid, qrUrl, authenticationCode: code } = members;
  assert.ok(uid === null || (typeof uid === "string" && UID_FORM.test(uid)), `${what}.uid is not a uid`);
  const isLink = typeof qrUrl === "string" && isWebAddress(qrUrl);
  assert.ok(qrUrl === null || isLink, `${what}.qrUrl is neither null nor an address`);
  if (code !== undefined) assertText(code, `${what}.authenticationCode`);
}

/** The provider's series and number become the document's (docs/contract.md#numbers). */
function assertNumbered({ series, number }: AnyOutcome, what: string): void {
  assertText(series, `${what}.series`);
  assert.ok(Number.isSafeInteger(number) && Number(number) > 0, `${what}.number is not a positive integer`);
}

function assertMark(mark: unknown, what: string): void {
  assert.ok(typeof mark === "string" && MARK_FORM.test(mark), `${what} is not a string of 1 to 19 digits`);
}

function assertText(text: unknown, what: string): void {
  assert.ok(typeof text === "string" && text !== "", `${what} is not a text`);
}

/** The error object of the API (docs/contract.md#error-object). */
function assertError(error: unknown, what: string): asserts error is ErrorObject {
  assert.ok(typeof error === "object" && error !== null, `${what} is not an error object`);
  const members = error as Readonly<Record<string, unknown>>;
  const { code, retryable } = members;
  const codes: readonly unknown[] = ERROR_CODES;
  assert.ok(codes.includes(code), `${what}.code is not one of the contract's codes`);
  assertText(members["message"], `${what}.message`);
  assert.equal(typeof retryable, "boolean", `${what}.retryable is neither true nor false`);
  for (const name of ["provider_code", "provider_message"]) {
    const words = members[name];
    assert.ok(words === null || typeof words === "string", `${what}.${name} is neither null nor a text`);
  }
}
