/** Cancels MARKs in the sandbox's ledger, and looks up whether one is already cancelled. */
import type {
  CallContext,
  CancellationLookup,
  CancelOutcome,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import { assertTest, markOf } from "./simulated-exchange.ts";
import type { Register } from "./ledger.ts";
import type { SandboxOptions } from "./simulated-exchange.ts";
import { cancellationError, type RefusalReason } from "./refusal.ts";
import { recordBodilessRequest, recordResponse, urlOf } from "./simulated-exchange.ts";

const UNKNOWN_MARK: RefusalReason = {
  code: "301",
  authorityMessage: "No document has this MARK",
  message: { en: "no document has this MARK", el: "κανένα παραστατικό δεν έχει αυτό το ΜΑΡΚ" },
};

const STILL_CREDITED: RefusalReason = {
  code: "255",
  authorityMessage: "The document is connected with an active document",
  message: {
    en: "a credit note refers to it; cancel that one first",
    el: "σε αυτό αναφέρεται πιστωτικό· ακυρώστε πρώτα εκείνο",
  },
};

export async function cancelMark(
  options: SandboxOptions,
  call: CallContext,
  document: SentDocument,
): Promise<CancelOutcome> {
  assertTest(call);
  const mark = markOf(document);
  const recorder = call.evidenceOf(0);
  recordBodilessRequest(recorder, "POST", `${urlOf(options, "CancelInvoice")}?mark=${mark}`);
  const at = new Date(call.nowMs()).toISOString();
  const outcome = await options.ledger.cancel(mark, at, options.isStrict ? isCredited : async () => false);
  if (outcome.kind === "cancelled") {
    recordResponse(recorder, 200, { statusCode: "Success", cancellationMark: outcome.cancellationMark });
    return outcome;
  }
  const error = cancellationError(outcome.kind === "refused" ? STILL_CREDITED : UNKNOWN_MARK);
  recordResponse(recorder, 200, error.provider_raw);
  return { kind: "rejected", error };
}

/** The authority cancels no document that an active one refers to (docs/authority.md#cancelling-refusals). */
async function isCredited(mark: string, register: Register): Promise<boolean> {
  return (await register.findCreditsOf(mark)).length > 0;
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
