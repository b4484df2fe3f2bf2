/** Files documents in the sandbox's ledger, or responds as their scenario requests. */
import { originalMarksOf } from "../../domain/canonical-document.ts";
import type { Finding } from "../../domain/authority-rules.ts";
import type {
  CallContext,
  CallRecorder,
  IssueOutcome,
  OutgoingDocument,
} from "../../domain/provider-adapter.ts";
import { buildErrorObject, type ErrorObject } from "../../foundation/errors.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { assertTest, uidOf } from "./simulated-exchange.ts";
import type { FilingEntry } from "./ledger.ts";
import { findObjections } from "./objections.ts";
import type { SandboxOptions } from "./simulated-exchange.ts";
import { refusalError } from "./refusal.ts";
import { chooseResponse, type SandboxResponse } from "./scenes.ts";
import { recordJsonRequest, recordResponse, urlOf } from "./simulated-exchange.ts";

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

/** The adapter's method `issue`. */
export function createIssue(
  options: SandboxOptions,
): (documents: readonly OutgoingDocument[], call: CallContext) => Promise<IssueOutcome[]> {
  const isFirstAttempt = createFirstAttempts();
  return async (documents, call) => {
    assertTest(call);
    const steps = documents.map((document, index): Step => {
      const recorder = call.evidenceOf(index);
      recordJsonRequest(recorder, urlOf(options, "SendInvoices"), buildInvoicesDoc([document]));
      return respond(document, recorder, call.nowMs(), isFirstAttempt);
    });
    const filings = steps.flatMap((step) => ("filing" in step ? [step] : []));
    const filed = new Map(await file(options, filings));
    return steps.map((step) => ("filing" in step ? conclude(step, filed.get(step)!) : step.outcome));
  };
}

interface FilingStep {
  document: OutgoingDocument;
  recorder: CallRecorder;
  filing: FilingEntry;
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
  const response = chooseResponse(document);
  if (response.kind === "refuse") return { outcome: refuse(recorder, response.error) };
  if (response.kind === "unavailable" && (!response.onlyOnce || isFirstAttempt(document.id))) {
    recordResponse(recorder, 503, { message: UNAVAILABLE.message });
    return { outcome: { kind: "not_sent", error: UNAVAILABLE } };
  }
  const losesResponse = response.kind === "file" && response.losesResponse;
  return { document, recorder, filing: buildFiling(document, response, nowMs), losesResponse };
}

function refuse(recorder: CallRecorder, error: ErrorObject): IssueOutcome {
  recordResponse(recorder, 200, error.provider_raw);
  return { kind: "rejected", error };
}

/** The objections to each document; empty if it was filed. */
async function file(
  { ledger, isStrict }: SandboxOptions,
  steps: readonly FilingStep[],
): Promise<[FilingStep, Finding[]][]> {
  if (steps.length === 0) return [];
  const documents = new Map(steps.map(({ filing, document }) => [filing, document]));
  const objections = await ledger.file([...documents.keys()], async (entry, register) =>
    isStrict ? findObjections(documents.get(entry)!, entry, register) : [],
  );
  return steps.map((step, index) => [step, objections[index] ?? []]);
}

function conclude({ recorder, filing: { uid }, losesResponse }: FilingStep, found: Finding[]): IssueOutcome {
  if (found.length > 0) return refuse(recorder, refusalError(found));
  if (losesResponse) {
    recorder.failed(new Error("the response was lost"));
    return { kind: "unknown", error: NO_ANSWER };
  }
  recordResponse(recorder, 200, { statusCode: "Accepted", invoiceUid: uid });
  return { kind: "accepted", providerRef: uid, uid, qrUrl: null };
}

function buildFiling(document: OutgoingDocument, response: SandboxResponse, nowMs: number): FilingEntry {
  const markDelayMs = response.kind === "file" ? response.markDelayMs : 0;
  const { supplier, customer, totals } = document.input;
  return {
    uid: uidOf(document),
    documentId: document.id,
    filedAt: new Date(nowMs).toISOString(),
    markAt: new Date(nowMs + markDelayMs).toISOString(),
    supplier: supplier.tax_id.code,
    customer: customer?.tax_id ?? null,
    sentType: document.sentType,
    net: totals.net,
    originalMarks: originalMarksOf(document.input),
  };
}
