/**
 * Decides everything about a document to accept except its id, time and place in the chain, from the request and a snapshot of its
 * merchant. Needs no transaction: the snapshot may be outdated, in which case the commit prepares the document again.
 */
import { type ConnectionRow, findActiveConnections } from "../../storage/merchants/connections.ts";
import type { NewDocumentRow } from "../../storage/documents/documents.ts";
import { type CounterKey, counterOf } from "../../storage/documents/series.ts";
import type { IssuingMerchantRow } from "../../storage/merchants/merchants.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { type CanonicalDocument, originalMarksOf } from "../domain/canonical-document.ts";
import { regionOf } from "../domain/classification.ts";
import type { CreditedPart } from "../domain/credit-lines.ts";
import { chooseRoute, type Objection, type Route, warnOrRefuse } from "../domain/routing.ts";
import { sharesOf } from "../domain/shares.ts";
import type { Decided } from "../issuing/outgoing.ts";
import type { Context } from "../journal/context.ts";
import { readSettings, requireIssuingMerchant } from "../merchants/settings.ts";
import { assessDocument, type Assessment, type IssuingSettings, type Known, readKnown } from "./assess.ts";
import { destinationIn, type IssueRequest } from "./issue-request.ts";
import { NO_ORIGINALS } from "./originals.ts";

/** What a document depends on besides its request. Without what PDFs show of the merchant, because a logo is large. */
export interface Snapshot {
  merchant: Pick<IssuingMerchantRow, "id" | "tax_id" | "archived" | "letterhead_id">;
  settings: IssuingSettings;
  connections: readonly ConnectionRow[];
}

/** Throws `not_found`. */
export async function readSnapshot(session: KeyedSession, merchantId: string, mode: Mode): Promise<Snapshot> {
  const row = await requireIssuingMerchant(session, merchantId, mode);
  const { id, tax_id, archived, letterhead_id } = row;
  const { paper: _paper, ...settings } = readSettings(row.settings_json);
  const connections = await findActiveConnections(session, id, mode);
  return { merchant: { id, tax_id, archived, letterhead_id }, settings, connections };
}

const nameOf = (merchantId: string, mode: Mode) => `issuing ${mode} ${merchantId}`;

/** The snapshot as it is in the transaction. Throws `not_found`. */
export function currentSnapshot(trx: Transaction, merchantId: string, mode: Mode): Promise<Snapshot> {
  return trx.remember(nameOf(merchantId, mode), () => readSnapshot(trx, merchantId, mode));
}

/** The snapshot that the last commits used; undefined if there is none. */
export function rememberedSnapshot({ store }: Context, merchantId: string, mode: Mode): Snapshot | undefined {
  return store.remembered(nameOf(merchantId, mode)) as Snapshot | undefined;
}

/** A document to accept, and for a credit note what it takes of the lines of its original. */
export interface PreparedRequest extends IssueRequest {
  credits?: readonly CreditedPart[];
}

/** A document of which everything is decided. */
export interface PreparedDocument {
  snapshot: Snapshot;
  request: PreparedRequest;
  route: Route;
  assessment: Assessment;
  row: Omit<NewDocumentRow, "id" | "created_at" | "next_at" | "customer_hash">;
  inputJson: string;
  decidedJson: string;
  /** The number that the request gives to the document, in one of our counters. */
  given: { key: CounterKey; number: number } | undefined;
}

/** Throws what accepting throws for the document. It must credit no MARKs and not be dated back: both depend on other documents. */
export function prepareDocument(
  context: Context,
  snapshot: Snapshot,
  request: PreparedRequest,
  mode: Mode,
): PreparedDocument {
  return finish(context, routeDocument(context, snapshot, request, mode), NO_ORIGINALS);
}

/** Like `prepareDocument`, for any document. */
export async function prepareReading(
  context: Context,
  session: KeyedSession,
  snapshot: Snapshot,
  request: PreparedRequest,
  mode: Mode,
): Promise<PreparedDocument> {
  const routed = routeDocument(context, snapshot, request, mode);
  return finish(context, routed, await readKnown(context, session, routed.toAssess, snapshot.merchant.id));
}

function routeDocument(context: Context, snapshot: Snapshot, request: PreparedRequest, mode: Mode) {
  const { merchant, settings, connections } = snapshot;
  const { document, envelope } = request;
  const objections = [...request.objections, ...findOtherSupplier(document, merchant)];
  warnOrRefuse(objections, destinationIn(context, mode, envelope.provider));
  const route = chooseRoute({
    mode,
    requested: envelope.provider,
    merchantArchived: merchant.archived === 1,
    connections,
    isSupported: (provider) => context.providers.find(provider) !== undefined,
  });
  const { provider } = route;
  const { series } = envelope;
  const about = { document, objections, mode, provider, settings, series };
  return { snapshot, request, route, toAssess: { ...about, prefix: "document", isPreview: false } };
}

/** See docs/contract.md#supplier. */
function findOtherSupplier(document: CanonicalDocument, merchant: Snapshot["merchant"]): Objection[] {
  if (merchant.tax_id === null || document.supplier.tax_id.code === merchant.tax_id) return [];
  const message = {
    en: "must be the merchant's tax number; issue through the merchant that has this number",
    el: "πρέπει να είναι το ΑΦΜ της επιχείρησης· εκδώστε μέσω της επιχείρησης που έχει αυτό το ΑΦΜ",
  };
  return [{ path: "document.supplier.tax_id.code", message, rule: "other_supplier" }];
}

function finish(
  context: Context,
  { snapshot, request, route, toAssess }: ReturnType<typeof routeDocument>,
  known: Known,
): PreparedDocument {
  const assessment = assessDocument(context, toAssess, known);
  const { envelope, document } = request;
  const { merchant, settings } = snapshot;
  const { adapter, classified, sentType } = assessment;
  const [mark] = originalMarksOf(document);
  const credited = known.originals.find((original) => original.mark === mark)?.contents;
  // Only the credited document says whether a credit note is about goods or services.
  const region = regionOf({ type: credited?.type ?? document.type, customer: document.customer });
  const decided: Decided = {
    sentType,
    classifications: classified.lines,
    payments: classified.payments,
    ...(settings.vat_payment_suspension ? { vatPaymentSuspension: true } : {}),
  };
  const row = {
    mode: toAssess.mode,
    merchant_id: merchant.id,
    provider: route.provider,
    connection_id: route.connectionId,
    supplier: document.supplier.tax_id.code,
    branch: document.supplier.branch,
    customer_country: document.customer?.tax_id.country ?? null,
    type: document.type,
    issue_date: document.issue_date,
    net: document.totals.net,
    vat: document.totals.vat,
    gross: document.totals.gross,
    shares_json: JSON.stringify(sharesOf(document, decided, region)),
    series: assessment.series,
    number: envelope.number ?? null,
    number_given: envelope.number === undefined ? 0 : 1,
    provider_numbered: adapter.numbering === "provider" ? 1 : 0,
    classification_source: classified.source,
    warnings_json: JSON.stringify(classified.warnings),
    external_reference: envelope.external_reference ?? null,
    metadata_json: JSON.stringify(envelope.metadata ?? {}),
  } as const;
  const key = counterOf(row);
  const { number } = envelope;
  const isGiven = number !== undefined && key !== undefined && adapter.numbering === "ours";
  return {
    snapshot,
    request,
    route,
    assessment,
    row,
    inputJson: JSON.stringify(document),
    decidedJson: JSON.stringify(decided),
    given: isGiven ? { key, number } : undefined,
  };
}
