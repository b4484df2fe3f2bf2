/** Files documents in the sandbox's ledger, or responds as their scenario requests. */
import type {
  CallContext,
  CallRecorder,
  IssueOutcome,
  OutgoingDocument,
} from "../../domain/provider-adapter.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { assertTest, uidOf } from "./guards.ts";
import type { FilingEntry } from "./ledger.ts";
import type { SandboxOptions } from "./options.ts";
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

interface Issued {
  outcome: IssueOutcome;
  /** What to write to the ledger, if the document was registered. */
  filing?: FilingEntry;
}

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
    const issued = documents.map((document, index) => {
      const recorder = call.evidenceOf(index);
      recordJsonRequest(recorder, urlOf(options, "SendInvoices"), buildInvoicesDoc([document]));
      return respond(document, recorder, call.nowMs(), isFirstAttempt);
    });
    const filings = issued.flatMap(({ filing }) => (filing === undefined ? [] : [filing]));
    if (filings.length > 0) await options.ledger.file(filings);
    return issued.map(({ outcome }) => outcome);
  };
}

function respond(
  document: OutgoingDocument,
  recorder: CallRecorder,
  nowMs: number,
  isFirstAttempt: (id: string) => boolean,
): Issued {
  const response = chooseResponse(document);
  if (response.kind === "refuse") {
    recordResponse(recorder, 200, response.error.provider_raw);
    return { outcome: { kind: "rejected", error: response.error } };
  }
  if (response.kind === "unavailable" && (!response.onlyOnce || isFirstAttempt(document.id))) {
    recordResponse(recorder, 503, { message: UNAVAILABLE.message });
    return { outcome: { kind: "not_sent", error: UNAVAILABLE } };
  }
  const filing = buildFiling(document, response, nowMs);
  if (response.kind === "file" && response.losesResponse) {
    recorder.failed(new Error("the response was lost"));
    return { outcome: { kind: "unknown", error: NO_ANSWER }, filing };
  }
  const { uid } = filing;
  recordResponse(recorder, 200, { statusCode: "Accepted", invoiceUid: uid });
  return { outcome: { kind: "accepted", providerRef: uid, uid, qrUrl: null }, filing };
}

function buildFiling(document: OutgoingDocument, response: SandboxResponse, nowMs: number): FilingEntry {
  const markDelayMs = response.kind === "file" ? response.markDelayMs : 0;
  return {
    uid: uidOf(document),
    documentId: document.id,
    filedAt: new Date(nowMs).toISOString(),
    markAt: new Date(nowMs + markDelayMs).toISOString(),
  };
}
