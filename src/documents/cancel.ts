/** Cancels an issued document (docs/contract.md#cancellation). A second attempt first asks whether the first one succeeded. */
import { providerName } from "../domain/document-codes.ts";
import { randomUUID } from "node:crypto";
import { listCallsOfDocument } from "../../storage/logs/logs.ts";
import { type DocumentRow, findDocumentRow } from "../../storage/documents/documents.ts";
import { leaseIssued, releaseLease } from "../../storage/documents/document-queue.ts";
import type { Cause, Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import { credentialsRefused, errorFrom } from "../issuing/connection-status.ts";
import { callProvider } from "../issuing/provider-call.ts";
import type { CancelOutcome, ProviderAdapter } from "../domain/provider-adapter.ts";
import { recordCancellation } from "../issuing/registrations.ts";
import { requireDocumentRow } from "./list-documents.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { buildSent, readAccepted } from "../issuing/outgoing.ts";

/** Throws `not_found`, `invalid_state`, `not_supported`, `provider_rejected`, or `provider_unavailable` without a response. */
export async function cancelDocument(context: Context, id: string, cause: Cause): Promise<DocumentObject> {
  const row = await requireDocumentRow(context.store.read, cause.mode, id);
  const adapter = context.providers.get(row.provider);
  if (!adapter.canCancel) {
    throw new AppError("not_supported", {
      en: `The provider ${providerName(row.provider)} cannot cancel; issue a credit note instead`,
      el: `Ο πάροχος ${providerName(row.provider)} δεν υποστηρίζει ακύρωση· εκδώστε πιστωτικό`,
    });
  }
  await refuseWhileHeld(context.store.read, {
    en: "The document was not cancelled",
    el: "Το παραστατικό δεν ακυρώθηκε",
  });
  const owner = await leaseDocument(context, row);
  const release = () => context.store.write((trx) => releaseLease(trx, { id, owner }));
  try {
    const cancellationMark = await cancelAtProvider(context, adapter, row);
    const cancelled = await context.store.write((trx) =>
      recordCancellation(trx, id, cancellationMark, cause),
    );
    if (cancelled === undefined) throw new AppError("invalid_state", ALREADY_CANCELLED);
    await release();
    return cancelled;
  } catch (error) {
    // Otherwise what was called may not be on record: the lease runs out, and the rescuer records it.
    if (error instanceof AppError) await release();
    throw error;
  }
}

const CANCELLATION_MS_MAX = 180_000;

/** Leases the document, so that only one process cancels it at a time. Returns the owner of the lease. */
async function leaseDocument(context: Context, row: DocumentRow): Promise<string> {
  const owner = randomUUID();
  // Long enough for three requests with the usual timeouts, because the lease is not renewed.
  const leaseMs = Math.max(context.config.issuing.leaseSeconds * 1000, CANCELLATION_MS_MAX);
  const problem = await context.store.write(async (trx) => {
    const current = await findDocumentRow(trx, { id: row.id });
    if (current?.phase !== "issued") return notIssued(current?.status);
    if (current.cancellation_mark !== null) return ALREADY_CANCELLED;
    const until = new Date(trx.clockMs + leaseMs).toISOString();
    return (await leaseIssued(trx, { id: row.id, owner, until })) ? undefined : BEING_CANCELLED;
  });
  if (problem !== undefined) throw new AppError("invalid_state", problem);
  return owner;
}

function notIssued(status: string | undefined): Text {
  return {
    en: `Only an issued document can be cancelled; this one is ${status}`,
    el: `Μόνο παραστατικό που εκδόθηκε (issued) μπορεί να ακυρωθεί· αυτό είναι ${status}`,
  };
}

const ALREADY_CANCELLED: Text = {
  en: "This document is already cancelled",
  el: "Το παραστατικό έχει ήδη ακυρωθεί",
};

const BEING_CANCELLED: Text = {
  en: "This document is already being cancelled",
  el: "Το παραστατικό ακυρώνεται ήδη",
};

/** Includes `ok`: the process may have ended between the response and recording it on the document. */
const MAY_HAVE_CANCELLED: ReadonlySet<string> = new Set(["unknown", "ok"]);

async function cancelAtProvider(
  context: Context,
  adapter: ProviderAdapter,
  row: DocumentRow,
): Promise<string> {
  const accepted = await readAccepted(context.store.read, row.id);
  const document = buildSent(row, accepted, row.created_at);
  const earlier = await listCallsOfDocument(context.store.read, { documentId: row.id });
  const mayBeCancelled = earlier.some(
    (call) => call.operation === "cancel" && MAY_HAVE_CANCELLED.has(call.outcome),
  );
  if (mayBeCancelled) {
    const found = await callProvider(context, row, "cancel", (call) =>
      adapter.findCancellation(document, call),
    );
    if (found.kind === "cancelled") return found.cancellationMark;
    if (found.kind !== "not_cancelled") throw await errorOf(context, row, found);
  }
  const outcome = await callProvider(context, row, "cancel", (call) => adapter.cancel(document, call));
  if (outcome.kind !== "cancelled") throw await errorOf(context, row, outcome);
  if (outcome.cancellationMark === null) throw cancellationNotShown();
  return outcome.cancellationMark;
}

function cancellationNotShown(): AppError {
  return new AppError("provider_unavailable", {
    en: "The provider says that the document is already cancelled, and does not show by which MARK; try again later, or check there whether another document replaced it",
    el: "Ο πάροχος λέει ότι το παραστατικό έχει ήδη ακυρωθεί, χωρίς να δείχνει με ποιο ΜΑΡΚ· δοκιμάστε αργότερα, ή ελέγξτε εκεί αν αντικαταστάθηκε από άλλο",
  });
}

type Failure = Exclude<CancelOutcome, { kind: "cancelled" }>;

async function errorOf(context: Context, row: DocumentRow, outcome: Failure): Promise<AppError> {
  switch (outcome.kind) {
    case "rejected":
      return errorFrom(outcome.error);
    case "credentials_refused":
      return credentialsRefused(context, row, outcome.error);
    case "not_sent":
      return new AppError("provider_unavailable", {
        en: "The provider could not be reached; the document is not cancelled, try again later",
        el: "Ο πάροχος δεν ήταν προσβάσιμος· το παραστατικό δεν ακυρώθηκε, δοκιμάστε ξανά αργότερα",
      });
    case "unknown":
      return new AppError("provider_unavailable", {
        en: "The provider did not respond; try again: fiscal first checks whether the cancellation succeeded",
        el: "Ο πάροχος δεν απάντησε· δοκιμάστε ξανά: πρώτα ελέγχεται αν η ακύρωση έγινε",
      });
  }
}
