/** Sends and looks up documents, and checks that there is one outcome of an allowed kind and form for each. */
import assert from "node:assert/strict";
import * as v from "valibot";
import type {
  CallContext,
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
import { ERROR_CODES } from "../../foundation/errors.ts";

/** The questions about a batch, with the outcomes that they may have. */
interface Outcomes {
  issue: IssueOutcome;
  reconcile: ReconcileOutcome;
  status: StatusOutcome;
}

/** Asks about the documents. There must be one outcome for each, and every one of `kinds`. */
export async function ask<What extends keyof Outcomes, Kind extends Outcomes[What]["kind"]>(
  stage: Stage,
  what: What,
  documents: readonly (What extends "issue" ? OutgoingDocument : SentDocument)[],
  kinds: readonly Kind[],
  limits?: Limits,
): Promise<Extract<Outcomes[What], { kind: Kind }>[]> {
  const { adapter } = stage;
  const question = async (call: CallContext): Promise<readonly { kind: string }[]> =>
    adapter[what](documents as readonly SentDocument[], call);
  const outcomes = await stage.ask(what, question, limits);
  assert.ok(Array.isArray(outcomes), `${what} returns an array`);
  assert.equal(outcomes.length, documents.length, `${what} returns one outcome for each document`);
  for (const [index, outcome] of outcomes.entries())
    assertOutcome(outcome, kinds, { what: `${what}[${index}]`, numbering: adapter.numbering });
  return outcomes as Extract<Outcomes[What], { kind: Kind }>[];
}

/** The documents as they are known after sends without an answer. */
export function unanswered({ clock }: Stage, documents: readonly OutgoingDocument[]): SentDocument[] {
  return documents.map((document) => buildSent(document, undefined, clock));
}

export async function verify(stage: Stage, kind: VerifyOutcome["kind"]): Promise<void> {
  const outcome = await stage.ask("verify", (call) => stage.adapter.verify(call));
  assert.equal(outcome.kind, kind, `verify reports ${outcome.kind}, not ${kind}`);
  if ("error" in outcome) assertShape(ErrorSchema, outcome.error, "verify.error");
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
    const [polled] = await ask(stage, "status", [{ ...sent, polls }], ["issued", "accepted"]);
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

const text = v.pipe(v.string(), v.nonEmpty());
const mark = v.pipe(v.string(), v.regex(MARK_FORM));

const REGISTRATION = {
  uid: v.nullable(v.pipe(v.string(), v.regex(UID_FORM))),
  qrUrl: v.nullable(v.pipe(v.string(), v.check(isWebAddress, "must be a web address"))),
  authenticationCode: v.optional(text),
};
/** The provider's series and number become the document's (docs/contract.md#numbers). */
const NUMBERED = { series: text, number: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) };

/** The error object of the API (docs/contract.md#error-object). */
const ErrorSchema = v.looseObject({
  code: v.picklist(ERROR_CODES),
  message: text,
  retryable: v.boolean(),
  provider_code: v.nullable(v.string()),
  provider_message: v.nullable(v.string()),
});

/** Fails unless `outcome` is one of `kinds` and has the members of its kind. */
export function assertOutcome<Kind extends string>(
  outcome: { kind: string },
  kinds: readonly Kind[],
  { what, numbering }: { what: string; numbering: "ours" | "provider" },
): asserts outcome is { kind: Kind } {
  const { kind } = outcome;
  assert.ok((kinds as readonly string[]).includes(kind), `${what} is ${kind}, not ${kinds.join(" or ")}`);
  const members: v.ObjectEntries = {
    ...(kind === "issued" ? { mark, ...REGISTRATION } : {}),
    ...(kind === "issued" && numbering === "provider" ? NUMBERED : {}),
    ...(kind === "accepted" ? { providerRef: text, ...REGISTRATION } : {}),
    ...(kind === "cancelled" ? { cancellationMark: mark } : {}),
    error: v.optional(ErrorSchema),
    retryAfterMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  };
  assertShape(v.looseObject(members), outcome, what);
}

function assertShape(schema: v.GenericSchema, value: unknown, what: string): void {
  const { issues = [] } = v.safeParse(schema, value);
  const problems = issues.map((found) => `${what}.${v.getDotPath(found)}: ${found.message}`);
  assert.ok(problems.length === 0, problems.join("; "));
}
