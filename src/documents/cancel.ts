/**
 * Cancelling an issued document (decisions 5.9 and 16). The answer of a cancellation can be lost like any other: before a
 * second try the provider is asked whether the first got through.
 */
import { randomUUID } from "node:crypto";
import { listCallsOfDocument } from "../../storage/calls.ts";
import {
  type DocumentRow,
  findDocumentInput,
  findDocumentRow,
  leaseIssued,
  releaseLease,
} from "../../storage/documents.ts";
import type { Cause, Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import { credentialsRefused, errorFrom } from "../issuing/connection-refusal.ts";
import { callProvider } from "../issuing/single-call.ts";
import type { CancelOutcome, ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import { recordCancellation } from "../issuing/record-cancellation.ts";
import { requireDocumentRow } from "./list-documents.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { buildSent } from "../issuing/outgoing.ts";

/** Throws `not_found`, `invalid_state`, `not_supported`, `provider_rejected`, or `provider_unavailable` without an answer. */
export async function cancelDocument(context: Context, id: string, cause: Cause): Promise<DocumentObject> {
  const row = await requireDocumentRow(context, cause.mode, id);
  const adapter = context.providers.get(row.provider);
  if (!adapter.canCancel) {
    throw new AppError(
      "not_supported",
      `The provider ${row.provider} cannot cancel; issue a credit note instead`,
    );
  }
  await refuseWhileHeld(context.store.read, {
    en: "The document was not cancelled",
    el: "Το παραστατικό δεν ακυρώθηκε",
  });
  const owner = await takeInHand(context, row);
  try {
    const cancellationMark = await cancelAtProvider(context, adapter, row);
    return await record(context, id, cancellationMark, cause);
  } finally {
    await context.store.write((trx) => releaseLease(trx, { id, owner }));
  }
}

const CANCELLATION_MS_MAX = 180_000;

/** One cancellation of a document at a time, in whatever process. */
async function takeInHand(context: Context, row: DocumentRow): Promise<string> {
  const owner = randomUUID();
  // Two or three exchanges with the longest usual timeouts; nobody renews it.
  const leaseMs = Math.max(context.config.issuing.leaseSeconds * 1000, CANCELLATION_MS_MAX);
  const problem = await context.store.write(async (trx) => {
    const current = await findDocumentRow(trx, row.id);
    if (current?.phase !== "issued")
      return `Only an issued document can be cancelled; this one is ${current?.status}`;
    if (current.cancellation_mark !== null) return "This document is cancelled already";
    const until = new Date(trx.clockMs + leaseMs).toISOString();
    return (await leaseIssued(trx, { id: row.id, owner, until }))
      ? undefined
      : "This document is being cancelled already";
  });
  if (problem !== undefined) throw new AppError("invalid_state", problem);
  return owner;
}

/** `ok` too: the process may have ended between the answer and its record on the document. */
const MAY_HAVE_CANCELLED: ReadonlySet<string> = new Set(["unknown", "ok"]);

async function cancelAtProvider(
  context: Context,
  adapter: ProviderAdapter,
  row: DocumentRow,
): Promise<string> {
  const input = await findDocumentInput(context.store.read, row.id);
  if (input === undefined) throw new Error(`The input of the document ${row.id} is gone`);
  const document: SentDocument = buildSent(row, input, row.created_at);
  const earlier = await listCallsOfDocument(context.store.read, row.id);
  const mayBeCancelled = earlier.some(
    (call) => call.operation === "cancel" && MAY_HAVE_CANCELLED.has(call.outcome),
  );
  if (mayBeCancelled) {
    const found = await callProvider(context, row, "cancel", (call) =>
      adapter.findCancellation(document, call),
    );
    if (found.kind === "cancelled") return found.cancellationMark;
    if (found.kind !== "not_cancelled") throw await failureOf(context, row, found);
  }
  const outcome = await callProvider(context, row, "cancel", (call) => adapter.cancel(document, call));
  if (outcome.kind === "cancelled") return outcome.cancellationMark;
  throw await failureOf(context, row, outcome);
}

type Failure = Exclude<CancelOutcome, { kind: "cancelled" }>;

async function failureOf(context: Context, row: DocumentRow, outcome: Failure): Promise<AppError> {
  switch (outcome.kind) {
    case "rejected":
      return errorFrom(outcome.error);
    case "credentials_refused":
      return credentialsRefused(context, row, outcome.error);
    case "not_sent":
      return new AppError(
        "provider_unavailable",
        "The provider could not be reached; the document is not cancelled, try again later",
      );
    case "unknown":
      return new AppError(
        "provider_unavailable",
        "The provider did not answer; ask again: it is looked up first whether the cancellation got through",
      );
  }
}

async function record(
  context: Context,
  id: string,
  cancellationMark: string,
  cause: Cause,
): Promise<DocumentObject> {
  return context.store.write(async (trx) => {
    const cancelled = await recordCancellation(trx, id, cancellationMark, cause);
    if (cancelled === undefined) throw new AppError("invalid_state", "This document was cancelled meanwhile");
    return cancelled;
  });
}
