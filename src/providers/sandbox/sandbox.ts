/**
 * The sandbox: a provider inside the process, for test keys (docs/contract.md#sandbox). Like the registry it builds
 * the same payload, files durably and accepts a uid twice; it returns the MARK at the first query about the document.
 */
import { buildErrorObject } from "../../foundation/errors.ts";
import type {
  CallContext,
  CallRecorder,
  IssueOutcome,
  OutgoingDocument,
  ProviderAdapter,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { checkForRegistry } from "../registry-direct/precheck.ts";
import { SANDBOX } from "./description.ts";
import { createDurableLedger } from "./durable-ledger.ts";
import type { BuiltInHost } from "../built-in-provider.ts";
import type { Filing, FilingEntry, SandboxLedger } from "./ledger.ts";
import { chooseResponse } from "./scenes.ts";

/** How many documents of the scenario `unavailable_once` are remembered. After a restart they fail once again. */
const REMEMBERED_MAX = 10_000;

export interface SandboxOptions {
  ledger: SandboxLedger;
  /** The address of the sandbox's document pages, without a slash at the end. */
  publicUrl(): string;
}

const JSON_HEADERS = { "content-type": "application/json" };

const UNAVAILABLE = buildErrorObject("provider_unavailable", {
  en: "The sandbox simulates a provider that cannot be reached",
  el: "Το sandbox προσομοιώνει πάροχο που δεν απαντά",
});
const NO_ANSWER = buildErrorObject("provider_unavailable", {
  en: "The sandbox simulates a lost response",
  el: "Το sandbox προσομοιώνει απάντηση που χάθηκε",
});
const NOT_FILED = buildErrorObject(
  "internal_error",
  {
    en: "The sandbox has no record of this document; its ledger is a different one",
    el: "Το sandbox δεν έχει καταχωρίσει αυτό το παραστατικό· έχει άλλο μητρώο",
  },
  {
    retryable: true,
  },
);

function assertTest(mode: string): void {
  if (mode !== "test") throw new Error("A live document never reaches the sandbox");
}

function uidOf(document: OutgoingDocument): string {
  if (document.uid === null) throw new Error(`The document ${document.id} has no uid to be filed under`);
  return document.uid;
}

/** The sandbox of an appliance, which keeps its ledger in the database. */
export function openSandbox({ store, publicUrl }: Pick<BuiltInHost, "store" | "publicUrl">): ProviderAdapter {
  return createSandbox({ ledger: createDurableLedger(store), publicUrl });
}

export function createSandbox(options: SandboxOptions): ProviderAdapter {
  const { ledger } = options;
  const unavailableOnce = new Set<string>();

  function url(method: string): string {
    return `${options.publicUrl()}/sandbox/${method}`;
  }

  function recordRequest(recorder: CallRecorder, method: string, body: unknown): void {
    recorder.request({ method: "POST", url: url(method), headers: JSON_HEADERS, body: JSON.stringify(body) });
  }

  function recordResponse(recorder: CallRecorder, status: number, body: unknown): void {
    recorder.response({ status, headers: JSON_HEADERS, body: JSON.stringify(body) });
  }

  /** Whether this is the first attempt, which fails. Remembered only by this process. */
  function isFirstAttempt(id: string): boolean {
    if (unavailableOnce.has(id)) return false;
    if (unavailableOnce.size >= REMEMBERED_MAX) unavailableOnce.clear();
    unavailableOnce.add(id);
    return true;
  }

  function issueOne(
    document: OutgoingDocument,
    recorder: CallRecorder,
    nowMs: number,
  ): { outcome: IssueOutcome; filing?: FilingEntry } {
    recordRequest(recorder, "SendInvoices", buildInvoicesDoc([document]));
    const response = chooseResponse(document);
    if (response.kind === "refuse") {
      recordResponse(recorder, 200, response.error.provider_raw);
      return { outcome: { kind: "rejected", error: response.error } };
    }
    if (response.kind === "unavailable" && (!response.onlyOnce || isFirstAttempt(document.id))) {
      recordResponse(recorder, 503, { message: UNAVAILABLE.message });
      return { outcome: { kind: "not_sent", error: UNAVAILABLE } };
    }
    const uid = uidOf(document);
    const markDelayMs = response.kind === "file" ? response.markDelayMs : 0;
    const filing = {
      uid,
      documentId: document.id,
      filedAt: new Date(nowMs).toISOString(),
      markAt: new Date(nowMs + markDelayMs).toISOString(),
    };
    if (response.kind === "file" && response.losesResponse) {
      recorder.failed(new Error("the response was lost"));
      return { outcome: { kind: "unknown", error: NO_ANSWER }, filing };
    }
    recordResponse(recorder, 200, { statusCode: "Accepted", invoiceUid: uid });
    return { outcome: { kind: "accepted", providerRef: uid, uid, qrUrl: null }, filing };
  }

  /** The last filing that is not cancelled is the document's; others with the same uid are surplus. */
  function findOutcome(
    filings: readonly Filing[],
    nowMs: number,
  ): Extract<ReconcileOutcome, { kind: "issued" | "accepted" }> | undefined {
    const valid = filings.filter((filing) => filing.cancellationMark === null);
    const [last, ...surplus] = (valid.length > 0 ? valid : filings.slice(-1)).toReversed();
    if (last === undefined) return undefined;
    const { uid, mark } = last;
    if (Date.parse(last.markAt) > nowMs) return { kind: "accepted", providerRef: uid, uid, qrUrl: null };
    const qrUrl = url(`documents/${mark}`);
    return { kind: "issued", mark, uid, qrUrl, surplusMarks: surplus.map((filing) => filing.mark) };
  }

  async function lookUp(documents: readonly SentDocument[], call: CallContext) {
    assertTest(call.mode);
    const filings = await ledger.findByUids([...new Set(documents.map(uidOf))]);
    return documents.map((document, index) => {
      const recorder = call.evidenceOf(index);
      recorder.request({
        method: "GET",
        url: `${url("RequestTransmittedDocs")}?uid=${document.uid}`,
        headers: {},
        body: null,
      });
      const own = filings.filter((filing) => filing.uid === document.uid);
      const found = findOutcome(own, call.nowMs());
      recordResponse(
        recorder,
        200,
        found?.kind === "issued"
          ? { invoiceUid: found.uid, invoiceMark: found.mark }
          : { invoices: own.length },
      );
      return found;
    });
  }

  return {
    ...SANDBOX,
    check: (document, { sentType }) => ({
      ...checkForRegistry(document, sentType),
      code: "validation_failed",
    }),
    // The ledger is read in order with its writes, so a missing filing is certain at once.
    settle: { askings: 1, seconds: 0 },
    buildPayload: (document) => buildInvoicesDoc([document]),

    async issue(documents, call) {
      assertTest(call.mode);
      const issued = documents.map((document, index) =>
        issueOne(document, call.evidenceOf(index), call.nowMs()),
      );
      const filings = issued.flatMap(({ filing }) => (filing === undefined ? [] : [filing]));
      if (filings.length > 0) await ledger.file(filings);
      return issued.map(({ outcome }) => outcome);
    },

    async status(documents, call) {
      const found = await lookUp(documents, call);
      return found.map((outcome): StatusOutcome => outcome ?? { kind: "unknown", error: NOT_FILED });
    },

    async reconcile(documents, call) {
      const found = await lookUp(documents, call);
      return found.map((outcome): ReconcileOutcome => outcome ?? { kind: "absent" });
    },

    async cancel(document, call) {
      assertTest(call.mode);
      const { mark } = document;
      if (mark === null) throw new Error(`The document ${document.id} has no MARK to be cancelled`);
      const recorder = call.evidenceOf(0);
      recorder.request({
        method: "POST",
        url: `${url("CancelInvoice")}?mark=${mark}`,
        headers: {},
        body: null,
      });
      const cancellationMark = await ledger.cancel(mark, new Date(call.nowMs()).toISOString());
      if (cancellationMark === undefined) {
        const raw = {
          statusCode: "ValidationError",
          errors: [{ code: "301", message: "No document has this MARK" }],
        };
        recordResponse(recorder, 200, raw);
        const details = {
          providerCode: "301",
          providerMessage: "No document has this MARK",
          providerRaw: raw,
        };
        const error = buildErrorObject(
          "provider_rejected",
          {
            en: "The sandbox has no document with this MARK (301)",
            el: "Το sandbox δεν έχει παραστατικό με αυτό το MARK (301)",
          },
          details,
        );
        return { kind: "rejected", error };
      }
      recordResponse(recorder, 200, { statusCode: "Success", cancellationMark });
      return { kind: "cancelled", cancellationMark };
    },

    async findCancellation(document, call) {
      assertTest(call.mode);
      const filing = document.mark === null ? undefined : await ledger.findByMark(document.mark);
      const cancellationMark = filing?.cancellationMark ?? null;
      return cancellationMark === null ? { kind: "not_cancelled" } : { kind: "cancelled", cancellationMark };
    },

    fetchPdf: async () => ({ kind: "none" }),
    verify: async () => ({ kind: "accepted" }),
  };
}
