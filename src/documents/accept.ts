/** Accepts documents: prepares each, stores it in one commit, and wakes the issuing queue. No provider is contacted. */
import { findUnusableNumbers } from "../../storage/documents/series.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { AppError } from "../foundation/errors.ts";
import { wireWarnings } from "../foundation/stored-texts.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { rememberCustomer } from "../merchants/customers.ts";
import { ACCEPTANCES, type Accepted, numberInUse } from "./accept-together.ts";
import { type IssueRequest, parseIssueRequest } from "./issue-request.ts";
import { isBackdated } from "./assess.ts";
import {
  currentSnapshot,
  type PreparedDocument,
  prepareDocument,
  type PreparedRequest,
  prepareReading,
  readSnapshot,
  rememberedSnapshot,
} from "./prepare.ts";

/**
 * Accepts a document and returns it, or the document accepted earlier under the same key.
 * Throws `validation_failed`, `not_found`, `connection_unavailable`, `not_supported`, `regime_mismatch`, `already_exists`,
 * the two idempotency errors, and `service_unavailable` while the appliance is held or the disk is full.
 */
export async function acceptDocument(
  context: Context,
  body: unknown,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const request = parseIssueRequest(context, body, cause.mode);
  // What a document credits depends on other documents.
  if (request.document.original_marks !== undefined)
    return acceptAlone(context, async () => request, cause, use);
  const { mode } = cause;
  const { merchant } = request.envelope;
  const prepare = async (trx: Transaction) => {
    const snapshot = await currentSnapshot(trx, merchant, mode);
    if (dependsOnOthers) return prepareReading(context, trx, snapshot, request, mode);
    return snapshot === prepared?.snapshot ? prepared : prepareDocument(context, snapshot, request, mode);
  };
  const dependsOnOthers = isBackdated(context, request.document);
  const prepared = dependsOnOthers ? undefined : prepareEarly(context, request, mode);
  return report(context, cause, await context.store.add(ACCEPTANCES, { context, cause, use, prepare }));
}

/** Undefined if the commit must decide, because no snapshot is known yet, or a newer one may not refuse the document. */
function prepareEarly(context: Context, request: IssueRequest, mode: Mode): PreparedDocument | undefined {
  const snapshot = rememberedSnapshot(context, request.envelope.merchant, mode);
  if (snapshot === undefined) return undefined;
  try {
    return prepareDocument(context, snapshot, request, mode);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Like `acceptDocument`, for a document that depends on others: `read` runs in the accepting transaction, which is its own. */
export async function acceptAlone(
  context: Context,
  read: (trx: Transaction) => Promise<PreparedRequest>,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const { mode } = cause;
  const prepare = async (trx: Transaction) => {
    const request = await read(trx);
    const snapshot = await currentSnapshot(trx, request.envelope.merchant, mode);
    return prepareReading(context, trx, snapshot, request, mode);
  };
  const [outcome] = await context.store.write((trx) =>
    ACCEPTANCES.commit(trx, [{ context, cause, use, prepare }]),
  );
  if ("refusal" in outcome!) throw outcome.refusal;
  return report(context, cause, outcome!.value);
}

function report(context: Context, { mode }: Cause, { accepted, ...created }: Accepted): Created {
  if (accepted === undefined) return created;
  const { route, snapshot, request } = accepted;
  const { customer } = request.document;
  context.pokeIssuing();
  context.finishedWork.document({ mode, provider: route.provider, status: "accepted" });
  if (customer !== undefined) rememberCustomer(context, { merchantId: snapshot.merchant.id, mode }, customer);
  return created;
}

/** The outcome of a dry run for a document that would be accepted. */
export interface AcceptVerdict {
  type: string;
  provider: string;
  issue_date: string;
  /** Cents. */
  totals: { net: number; vat: number; gross: number };
  classification: { source: string; warnings: string[] };
}

/** Runs the checks of accepting without storing anything: a dry run. Throws what accepting throws for the document. */
export async function checkDocument(context: Context, body: unknown, mode: Mode): Promise<AcceptVerdict> {
  return checkPrepared(context, parseIssueRequest(context, body, mode), mode);
}

/** Like `checkDocument`, for a request that is parsed. */
export async function checkPrepared(
  context: Context,
  request: IssueRequest,
  mode: Mode,
): Promise<AcceptVerdict> {
  const { read } = context.store;
  const snapshot = await readSnapshot(read, request.envelope.merchant, mode);
  const { route, assessment, given } = await prepareReading(context, read, snapshot, request, mode);
  if (given !== undefined && (await findUnusableNumbers(read, [given])).size > 0) throw numberInUse();
  const { type, issue_date, totals } = request.document;
  const { source, warnings } = assessment.classified;
  return {
    type,
    provider: route.provider,
    issue_date,
    totals: { net: totals.net, vat: totals.vat, gross: totals.gross },
    classification: { source, warnings: wireWarnings(warnings) },
  };
}
