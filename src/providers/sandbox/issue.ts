/** Files documents in the sandbox's ledger, or responds as their scenario requests. */
import type { KeyedSession } from "../../../storage/database/session.ts";
import { insertSandboxFiling } from "../../../storage/documents/sandbox.ts";
import { type Finding, findBrokenRules } from "../../domain/authority-rules.ts";
import { originalMarksOf } from "../../domain/canonical-document.ts";
import { checkCredit } from "../../domain/credit-checks.ts";
import type {
  CallContext,
  CallRecorder,
  IssueOutcome,
  OutgoingDocument,
} from "../../domain/provider-adapter.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { splitIntoMessages } from "../registry-direct/split-messages.ts";
import {
  assertTest,
  readCredit,
  recordRequest,
  recordResponse,
  type SandboxOptions,
  uidOf,
  urlOf,
} from "./ledger.ts";
import { chooseScene, DOCUMENT, PENDING_MS, refusalError, type Scene } from "./scenes.ts";

/** How many documents of the scenario `unavailable_once` are remembered. After a restart they fail once again. */
const REMEMBERED_MAX = 10_000;

const UNAVAILABLE = buildErrorObject("provider_unavailable", {
  en: "The sandbox simulates a provider that cannot be reached",
  el: "Το sandbox προσομοιώνει πάροχο που δεν απαντά",
});
const NO_ANSWER = buildErrorObject("provider_unavailable", {
  en: "The sandbox simulates a lost response",
  el: "Το sandbox προσομοιώνει απάντηση που χάθηκε",
});

/** Returns whether this is the first attempt to send a document. Only this process remembers the attempts. */
function createFirstAttempts(): (id: string) => boolean {
  const attempted = new Set<string>();
  return (id) => {
    if (attempted.has(id)) return false;
    if (attempted.size >= REMEMBERED_MAX) attempted.clear();
    attempted.add(id);
    return true;
  };
}

/** Scenes that are about a whole message, so that the document is sent in one of its own. */
const SENT_ALONE: readonly (string | undefined)[] = [
  "unavailable",
  "unavailable_once",
  "timeout",
] satisfies Scene[];
/** The log keeps the whole message then: 64 KB, of which a line takes about 200 bytes (docs/contract.md#logged-bodies). */
const MESSAGE_MAX = { documents: 16, lines: 200 };

export function createIssue(
  options: SandboxOptions,
): (documents: readonly OutgoingDocument[], call: CallContext) => Promise<IssueOutcome[]> {
  const isFirstAttempt = createFirstAttempts();
  return async (documents, call) => {
    assertTest(call);
    const messages = groupForMessages(documents).map((places) => {
      const [first, ...others] = places as [number, ...number[]];
      return { places, recorder: call.evidenceOf(first, ...others) };
    });
    for (const { places, recorder } of messages) {
      const message = buildInvoicesDoc(places.map((place) => documents[place]!));
      recordRequest(recorder, "POST", urlOf(options, "SendInvoices"), message);
    }
    const steps = documents.map((document) => respond(document, call.nowMs(), isFirstAttempt));
    const filings = steps.filter((step) => "filing" in step);
    const objections = new Map(await file(options, filings));
    const outcomes = steps.map((step) => ("filing" in step ? conclude(step, objections.get(step)!) : step));
    for (const { places, recorder } of messages) recordOutcomes(recorder, places, outcomes);
    return outcomes;
  };
}

/** The positions of the documents in each message: those of one supplier, as an account sends nobody else's. */
function groupForMessages(documents: readonly OutgoingDocument[]): number[][] {
  const groups = Map.groupBy(documents.keys(), (place) => {
    const { metadata, input } = documents[place]!;
    return SENT_ALONE.includes(metadata["sandbox"]) ? place : input.supplier.tax_id.code;
  });
  return [...groups.values()].flatMap((places) => splitIntoMessages(documents, places, MESSAGE_MAX));
}

type NewFiling = Parameters<typeof insertSandboxFiling>[1];

interface FilingStep {
  document: OutgoingDocument;
  filing: NewFiling;
  originalMarks: readonly string[];
  losesResponse: boolean;
}

/** A document is either answered at once or handed to the ledger. */
type Step = IssueOutcome | FilingStep;

function respond(document: OutgoingDocument, nowMs: number, isFirstAttempt: (id: string) => boolean): Step {
  const scene = chooseScene(document);
  if (typeof scene === "object") return { kind: "rejected", error: scene };
  if (scene === "unavailable" || (scene === "unavailable_once" && isFirstAttempt(document.id)))
    return { kind: "not_sent", error: UNAVAILABLE };
  const filing = buildFiling(document, nowMs, scene === "pending" ? PENDING_MS : 0);
  const originalMarks = originalMarksOf(document.input);
  return { document, filing, originalMarks, losesResponse: scene === "timeout" };
}

/** Files each document, in order, unless a strict sandbox objects to it, and returns the objections to each. */
async function file(
  { store, isStrict }: SandboxOptions,
  steps: readonly FilingStep[],
): Promise<[FilingStep, Finding[]][]> {
  if (steps.length === 0) return [];
  return store.write(async (trx) => {
    const filed: [FilingStep, Finding[]][] = [];
    for (const step of steps) {
      const found = isStrict ? await findObjections(trx, step) : [];
      if (found.length === 0) await insertSandboxFiling(trx, step.filing, step.originalMarks);
      filed.push([step, found]);
    }
    return filed;
  });
}

/** What a strict sandbox objects to in a document, judged by its own ledger (docs/contract.md#strict-sandbox). */
async function findObjections(
  session: KeyedSession,
  { document, filing, originalMarks }: FilingStep,
): Promise<Finding[]> {
  const { input, sentType, classifications: pairs } = document;
  const credit =
    originalMarks.length === 0
      ? undefined
      : await readCredit(session, document, { uid: filing.uid, originalMarks });
  const areAllKnown = credit?.unknownMarks.length === 0;
  const creditedTypes = areAllKnown ? credit.originals.map((original) => original.sentType) : [];
  const broken = findBrokenRules({ document: input, sentType, pairs, creditedTypes });
  return credit === undefined ? broken : [...broken, ...checkCredit(credit)];
}

function conclude({ filing: { uid }, losesResponse }: FilingStep, found: Finding[]): IssueOutcome {
  if (found.length > 0) return { kind: "rejected", error: refusalError(DOCUMENT, found) };
  if (losesResponse) return { kind: "unknown", error: NO_ANSWER };
  return { kind: "accepted", providerRef: uid, uid, qrUrl: null };
}

/** Records the response to the message with the documents at `places`. One without an answer is alone in its message. */
function recordOutcomes(
  recorder: CallRecorder,
  places: readonly number[],
  outcomes: readonly IssueOutcome[],
): void {
  const response: unknown[] = [];
  for (const place of places) {
    const outcome = outcomes[place]!;
    if (outcome.kind === "not_sent") return recordResponse(recorder, 503, { message: UNAVAILABLE.message });
    if (outcome.kind === "unknown") return recorder.failed(new Error("the response was lost"));
    if (outcome.kind === "accepted") response.push({ statusCode: "Accepted", invoiceUid: outcome.uid });
    if (outcome.kind === "rejected") response.push(outcome.error.provider_raw);
  }
  recordResponse(recorder, 200, { response });
}

function buildFiling(document: OutgoingDocument, nowMs: number, markDelayMs: number): NewFiling {
  const { supplier, totals } = document.input;
  return {
    uid: uidOf(document),
    document_id: document.id,
    filed_at: new Date(nowMs).toISOString(),
    mark_at: new Date(nowMs + markDelayMs).toISOString(),
    supplier: supplier.tax_id.code,
    sent_type: document.sentType,
    net: totals.net,
  };
}
