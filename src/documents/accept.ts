/**
 * Accepts documents: validates, assesses and routes them, and stores each with its idempotency record and first event in one
 * write. No provider is contacted; the issuing queue is woken once the document is on disk.
 */
import { findActiveConnections } from "../../storage/merchants/connections.ts";
import { insertCreditedLines, insertOriginals } from "../../storage/documents/credits.ts";
import {
  type DocumentInputRow,
  insertDocument,
  isNumberInUse,
  type NewDocumentRow,
} from "../../storage/documents/documents.ts";
import type { IssuingMerchantRow } from "../../storage/merchants/merchant-settings.ts";
import { isNumberGivenUp } from "../../storage/documents/series.ts";
import type { KeyedSession, Session } from "../../storage/database/session.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { type CanonicalDocument, originalMarksOf } from "../domain/canonical-document.ts";
import type { CreditedPart } from "../domain/credit-remaining.ts";
import { destinationOf, type Objection, warnOrRefuse } from "../domain/objections.ts";
import { chooseRoute, type Route } from "../domain/routing.ts";
import { AppError } from "../foundation/errors.ts";
import { wireWarnings } from "../foundation/stored-texts.ts";
import type { Decided } from "../issuing/outgoing.ts";
import { appendDocumentEvent } from "../journal/append-event.ts";
import type { Cause, Context, Created, IdempotencyClaim } from "../journal/context.ts";
import { createOnce, type FirstResponse } from "../journal/create-once.ts";
import { heldError } from "../journal/held.ts";
import { rememberCustomer } from "../merchants/customers.ts";
import { insertLetterhead } from "../merchants/letterhead.ts";
import { requireIssuingMerchant } from "../merchants/settings.ts";
import { takeGivenNumber } from "../numbering/allocate.ts";
import { counterOf } from "../numbering/counter-key.ts";
import { type Assessment, assessDocument } from "./assess.ts";
import { type IssueRequest, parseIssueRequest } from "./issue-request.ts";

/** An accepted document. `document` is undefined if it was accepted earlier, under the same key. */
export interface AcceptedDocument extends Created {
  document: CanonicalDocument | undefined;
}

/**
 * Accepts a document and returns it, or the document accepted earlier under the same key.
 * Throws `validation_failed`, `not_found`, `connection_unavailable`, `not_supported`, `regime_mismatch`, `already_exists`,
 * the two idempotency errors, and `service_unavailable` while the appliance is held or the disk is full.
 */
export async function acceptDocument(
  context: Context,
  body: unknown,
  cause: Cause,
  claim?: IdempotencyClaim,
): Promise<AcceptedDocument> {
  const request = parseIssueRequest(context, body, cause.mode);
  return acceptPrepared(context, async () => request, cause, claim);
}

/** A document to accept, and for a credit note what it takes of the lines of its original. */
export interface PreparedRequest extends IssueRequest {
  credits?: readonly CreditedPart[];
}

/** Like `acceptDocument`, for a document that depends on what is stored: `prepare` runs in the accepting write. */
export async function acceptPrepared(
  context: Context,
  prepare: (trx: Transaction) => Promise<PreparedRequest>,
  cause: Cause,
  claim?: IdempotencyClaim,
): Promise<AcceptedDocument> {
  let accepted: { provider: Provider; document: CanonicalDocument; merchantId: string } | undefined;
  const created = await context.store.write(async (trx) => {
    if (trx.isHeld)
      throw heldError({
        en: "The document was not accepted",
        el: "Το παραστατικό δεν έγινε δεκτό",
      });
    return createOnce(trx, context.store.cipher, cause.mode, claim, async () => {
      // Checked inside, so that a repeated request gets its document even when the disk is full.
      context.space.requireRoom();
      const request = await prepare(trx);
      const acceptable = await assessForIssuing(context, trx, request, cause.mode);
      const { document } = request;
      accepted = { provider: acceptable.route.provider, document, merchantId: acceptable.merchant.id };
      return store(trx, acceptable, request, cause);
    });
  });
  if (created.replayed || accepted === undefined) return { ...created, document: undefined };
  context.pokeIssuing();
  context.watch.document({ mode: cause.mode, provider: accepted.provider, status: "accepted" });
  const { document, merchantId } = accepted;
  if (document.customer !== undefined)
    rememberCustomer(context, { merchantId, mode: cause.mode }, document.customer);
  return { ...created, document };
}

/** The outcome of a dry run for a document that would be accepted. */
export interface AcceptVerdict {
  type: string;
  provider: string;
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
  const { route, assessment } = await assessForIssuing(context, context.store.read, request, mode);
  const { type, totals } = request.document;
  const { source, warnings } = assessment.classified;
  return {
    type,
    provider: route.provider,
    totals: { net: totals.net, vat: totals.vat, gross: totals.gross },
    classification: { source, warnings: wireWarnings(warnings) },
  };
}

interface Acceptable {
  merchant: IssuingMerchantRow;
  route: Route;
  assessment: Assessment;
}

async function assessForIssuing(
  context: Context,
  session: KeyedSession,
  { envelope, document, ...parsed }: IssueRequest,
  mode: Mode,
): Promise<Acceptable> {
  const merchant = await requireIssuingMerchant(session, envelope.merchant, mode);
  const objections = [...parsed.objections, ...findOtherSupplier(document, merchant)];
  const isSandboxStrict = context.config.sandbox.strict;
  warnOrRefuse(objections, destinationOf({ mode, provider: envelope.provider, isSandboxStrict }));
  const route = chooseRoute({
    mode,
    requested: envelope.provider,
    merchantArchived: merchant.archived === 1,
    connections: await findActiveConnections(session, merchant.id, mode),
    isSupported: (provider) => context.providers.find(provider) !== undefined,
  });
  const { provider } = route;
  const { series } = envelope;
  const assessment = await assessDocument(context, session, {
    document,
    objections,
    prefix: "document",
    mode,
    provider,
    merchant,
    series,
    isPreview: false,
  });
  if (!assessment.isNumberedByProvider)
    await requireFreeNumber(session, document, { series: assessment.series, number: envelope.number, mode });
  return { merchant, route, assessment };
}

/** See docs/contract.md#supplier. */
function findOtherSupplier(document: CanonicalDocument, merchant: IssuingMerchantRow): Objection[] {
  if (merchant.tax_id === null || document.supplier.tax_id.code === merchant.tax_id) return [];
  const message = {
    en: "must be the merchant's tax number; issue through the merchant that has this number",
    el: "πρέπει να είναι το ΑΦΜ της επιχείρησης· εκδώστε μέσω της επιχείρησης που έχει αυτό το ΑΦΜ",
  };
  return [{ path: "document.supplier.tax_id.code", message, rule: "other_supplier" }];
}

/** Throws `already_exists` where `number` is used or was given up for good. */
async function requireFreeNumber(
  session: Session,
  document: CanonicalDocument,
  { series, number, mode }: { series: string | null; number: number | undefined; mode: Mode },
): Promise<void> {
  const key = counterOf({ ...identityOf(document), series, mode });
  if (number === undefined || key === undefined) return;
  if ((await isNumberInUse(session, key, number)) || (await isNumberGivenUp(session, key, number)))
    throw new AppError("already_exists", {
      en: "A document of this series already has this number; a number is never used twice",
      el: "Παραστατικό αυτής της σειράς έχει ήδη αυτόν τον αριθμό· κανένας αριθμός δεν χρησιμοποιείται δύο φορές",
    });
}

function identityOf(document: CanonicalDocument): { supplier: string; branch: number; type: string } {
  const { tax_id, branch } = document.supplier;
  return { supplier: tax_id.code, branch, type: document.type };
}

async function store(
  trx: Transaction,
  accepted: Acceptable,
  request: PreparedRequest,
  cause: Cause,
): Promise<FirstResponse> {
  const { envelope, document } = request;
  const { sentType, settings, classified, isNumberedByProvider } = accepted.assessment;
  const row = buildRow(trx, accepted, request, cause.mode);
  const decided: Decided = {
    sentType,
    classifications: classified.lines,
    payments: classified.payments,
    ...(settings.vat_payment_suspension ? { vatPaymentSuspension: true } : {}),
  };
  const key = counterOf(row);
  if (envelope.number !== undefined && key !== undefined && !isNumberedByProvider)
    await takeGivenNumber(trx, key, envelope.number);
  const input: DocumentInputRow = {
    document_id: row.id,
    input_json: JSON.stringify(document),
    decided_json: JSON.stringify(decided),
    letterhead_id: await insertLetterhead(trx, accepted.merchant, cause.mode),
  };
  const after = await insertDocument(trx, row, input);
  trx.announce("documents");
  await insertOriginals(trx, row.id, originalMarksOf(document));
  await insertCreditedLines(trx, row.id, request.credits ?? []);
  const { eventId, json } = await appendDocumentEvent(trx, { type: "document.created", after, input, cause });
  return { id: row.id, eventId, json };
}

function buildRow(
  trx: Transaction,
  { merchant, route, assessment }: Acceptable,
  { envelope, document }: IssueRequest,
  mode: Mode,
): NewDocumentRow {
  return {
    id: trx.newId("doc"),
    mode,
    merchant_id: merchant.id,
    provider: route.provider,
    connection_id: route.connectionId,
    ...identityOf(document),
    issue_date: document.issue_date,
    net: document.totals.net,
    vat: document.totals.vat,
    gross: document.totals.gross,
    series: assessment.series,
    number: envelope.number ?? null,
    number_given: envelope.number === undefined ? 0 : 1,
    provider_numbered: assessment.isNumberedByProvider ? 1 : 0,
    classification_source: assessment.classified.source,
    warnings_json: JSON.stringify(assessment.classified.warnings),
    external_reference: envelope.external_reference ?? null,
    metadata_json: JSON.stringify(envelope.metadata ?? {}),
    created_at: trx.now,
    next_at: new Date(trx.clockMs).toISOString(),
  };
}
