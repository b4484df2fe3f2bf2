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
import { buildErrorObject, type ErrorObject } from "../../foundation/errors.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import {
  assertTest,
  readCredit,
  recordRequest,
  recordResponse,
  type SandboxOptions,
  uidOf,
  urlOf,
} from "./ledger.ts";
import { chooseScene, DOCUMENT, PENDING_MS, refusalError } from "./scenes.ts";

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

export function createIssue(
  options: SandboxOptions,
): (documents: readonly OutgoingDocument[], call: CallContext) => Promise<IssueOutcome[]> {
  const isFirstAttempt = createFirstAttempts();
  return async (documents, call) => {
    assertTest(call);
    const steps = documents.map((document, index): Step => {
      const recorder = call.evidenceOf(index);
      recordRequest(recorder, "POST", urlOf(options, "SendInvoices"), buildInvoicesDoc([document]));
      return respond(document, recorder, call.nowMs(), isFirstAttempt);
    });
    const filings = steps.filter((step) => "filing" in step);
    const objections = new Map(await file(options, filings));
    return steps.map((step) => ("filing" in step ? conclude(step, objections.get(step)!) : step.outcome));
  };
}

type NewFiling = Parameters<typeof insertSandboxFiling>[1];

interface FilingStep {
  document: OutgoingDocument;
  recorder: CallRecorder;
  filing: NewFiling;
  originalMarks: readonly string[];
  losesResponse: boolean;
}

/** A document is either answered at once or handed to the ledger. */
type Step = { outcome: IssueOutcome } | FilingStep;

function respond(
  document: OutgoingDocument,
  recorder: CallRecorder,
  nowMs: number,
  isFirstAttempt: (id: string) => boolean,
): Step {
  const scene = chooseScene(document);
  if (typeof scene === "object") return { outcome: refuse(recorder, scene) };
  if (scene === "unavailable" || (scene === "unavailable_once" && isFirstAttempt(document.id))) {
    recordResponse(recorder, 503, { message: UNAVAILABLE.message });
    return { outcome: { kind: "not_sent", error: UNAVAILABLE } };
  }
  const filing = buildFiling(document, nowMs, scene === "pending" ? PENDING_MS : 0);
  const originalMarks = originalMarksOf(document.input);
  return { document, recorder, filing, originalMarks, losesResponse: scene === "timeout" };
}

function refuse(recorder: CallRecorder, error: ErrorObject): IssueOutcome {
  recordResponse(recorder, 200, error.provider_raw);
  return { kind: "rejected", error };
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

function conclude({ recorder, filing: { uid }, losesResponse }: FilingStep, found: Finding[]): IssueOutcome {
  if (found.length > 0) return refuse(recorder, refusalError(DOCUMENT, found));
  if (losesResponse) {
    recorder.failed(new Error("the response was lost"));
    return { kind: "unknown", error: NO_ANSWER };
  }
  recordResponse(recorder, 200, { statusCode: "Accepted", invoiceUid: uid });
  return { kind: "accepted", providerRef: uid, uid, qrUrl: null };
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
