/** Cancels MARKs in the sandbox's ledger, and looks up whether one is already cancelled. */
import type {
  CallContext,
  CancellationLookup,
  CancelOutcome,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { assertTest, markOf } from "./guards.ts";
import type { SandboxOptions } from "./options.ts";
import { recordBodilessRequest, recordResponse, urlOf } from "./simulated-exchange.ts";

const UNKNOWN_MARK = { code: "301", message: "No document has this MARK" };
const UNKNOWN_MARK_RESPONSE = { statusCode: "ValidationError", errors: [UNKNOWN_MARK] };
const UNKNOWN_MARK_ERROR = buildErrorObject(
  "provider_rejected",
  {
    en: "The sandbox has no document with this MARK (301)",
    el: "Το sandbox δεν έχει παραστατικό με αυτό το MARK (301)",
  },
  {
    providerCode: UNKNOWN_MARK.code,
    providerMessage: UNKNOWN_MARK.message,
    providerRaw: UNKNOWN_MARK_RESPONSE,
  },
);

export async function cancelMark(
  options: SandboxOptions,
  call: CallContext,
  document: SentDocument,
): Promise<CancelOutcome> {
  assertTest(call);
  const mark = markOf(document);
  const recorder = call.evidenceOf(0);
  recordBodilessRequest(recorder, "POST", `${urlOf(options, "CancelInvoice")}?mark=${mark}`);
  const cancellationMark = await options.ledger.cancel(mark, new Date(call.nowMs()).toISOString());
  if (cancellationMark === undefined) {
    recordResponse(recorder, 200, UNKNOWN_MARK_RESPONSE);
    return { kind: "rejected", error: UNKNOWN_MARK_ERROR };
  }
  recordResponse(recorder, 200, { statusCode: "Success", cancellationMark });
  return { kind: "cancelled", cancellationMark };
}

export async function findCancellation(
  { ledger }: SandboxOptions,
  call: CallContext,
  { mark }: SentDocument,
): Promise<CancellationLookup> {
  assertTest(call);
  const filing = mark === null ? undefined : await ledger.findByMark(mark);
  const cancellationMark = filing?.cancellationMark ?? null;
  return cancellationMark === null ? { kind: "not_cancelled" } : { kind: "cancelled", cancellationMark };
}
