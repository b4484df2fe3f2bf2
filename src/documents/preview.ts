/** Previews a document, or a request to issue one: its classification and the payload its provider would receive. Sends and stores nothing. */
import { findActiveConnections } from "../../storage/merchants/connections.ts";
import { findMerchantRowsByTaxId, type IssuingMerchantRow } from "../../storage/merchants/merchants.ts";
import { findReleased, findSeries } from "../../storage/documents/series.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import { type CanonicalDocument, parseDocument } from "../domain/canonical-document.ts";
import type { ClassifiedDocument } from "../domain/classification.ts";
import { AppError } from "../foundation/errors.ts";
import { wireWarnings } from "../foundation/stored-texts.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import { NO_SETTINGS, readSettings, requireIssuingMerchant, type Settings } from "../merchants/settings.ts";
import { assessDocument, readLastIssued } from "./assess.ts";
import { findMissingOfSupplier, findNotes } from "./notes.ts";
import { NO_ORIGINALS, readOriginals } from "./originals.ts";
import { checkPrepared } from "./accept.ts";
import { type IssueRequest, parseIssueRequest } from "./issue-request.ts";

export interface PreviewObject {
  provider: Provider;
  type: string;
  /** Cents. */
  totals: { net: number; vat: number; gross: number };
  classification: { source: "line" | "override" | "default"; warnings: string[] };
  /** The provider's own format. */
  payload: Record<string, unknown>;
}

/** The fields around the document, as in the body that would issue it. */
export interface PreviewOptions {
  mode: Mode;
  provider?: Provider | undefined;
  /** The merchant's id; by default the only merchant with the supplier's tax number. */
  merchant?: string | undefined;
  series?: string | undefined;
  number?: number | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
}

/** A preview with the reasons behind it, for a person. */
export interface Examination {
  object: PreviewObject;
  document: CanonicalDocument;
  /** The authority's type that is sent. */
  sentType: string;
  classified: ClassifiedDocument;
  /** Why the document goes to this provider. */
  providerReason: Text;
  /** The number it would get now, not reserved; null where the provider assigns it. */
  number: { series: string; number: number } | null;
  /** What else a person should see before it is issued. */
  notes: Text[];
}

/** What the body of POST /documents would issue. Throws what accepting throws, except for idempotency; stores nothing. */
export function examineBody(context: Context, body: unknown, mode: Mode): Promise<Examination> {
  return examineRequest(context, parseIssueRequest(context, body, mode), mode);
}

/** Like `examineBody`, for a request that is parsed. */
export async function examineRequest(
  context: Context,
  request: IssueRequest,
  mode: Mode,
): Promise<Examination> {
  await checkPrepared(context, request, mode);
  const { merchant, provider, series, number, metadata } = request.envelope;
  return examineDocument(context, request.document, { mode, merchant, provider, series, number, metadata });
}

/** A preview with its reasons (docs/contract.md#preview). Throws `validation_failed`, `not_supported`, and `not_found` for the merchant. */
export async function examineDocument(
  context: Context,
  input: unknown,
  options: PreviewOptions,
): Promise<Examination> {
  const { mode } = options;
  const { document, objections } = parseDocument(input, { today: context.clock.today(), prefix: "" });
  const { read } = context.store;
  const merchant = await findIssuer(read, document, options);
  const { provider, reason } = await chooseProvider(read, merchant, options);
  if (provider === "sandbox" && mode === "live") {
    throw new AppError("not_supported", {
      en: "A live key cannot use the sandbox; use a test key",
      el: "Ένα παραγωγικό κλειδί δεν χρησιμοποιεί το περιβάλλον δοκιμών· χρησιμοποιήστε δοκιμαστικό κλειδί",
    });
  }
  const { series } = options;
  const settings = merchant === undefined ? NO_SETTINGS : readSettings(merchant.settings_json);
  const known =
    merchant === undefined
      ? NO_ORIGINALS
      : await readOriginals(context, read, document, { merchantId: merchant.id, mode, provider });
  const lastIssued = await readLastIssued(context, read, { document, series, mode, provider, settings });
  const request = { document, objections, prefix: "", mode, provider, settings, known, lastIssued, series };
  const { adapter, classified, sentType, ...assessed } = assessDocument(context, {
    ...request,
    isPreview: true,
  });
  const number =
    assessed.isNumberedByProvider || assessed.series === null
      ? null
      : await findNextNumber(read, document, settings, { ...options, series: assessed.series });
  const payload = adapter.buildPayload({
    id: "preview",
    mode,
    input: document,
    sentType,
    classifications: classified.lines,
    payments: classified.payments,
    vatPaymentSuspension: settings.vat_payment_suspension,
    series: number?.series ?? null,
    number: number?.number ?? null,
    uid: null,
    metadata: options.metadata ?? {},
    wasNotFound: false,
    firstFreeNumber: 1,
  });
  const { net, vat, gross } = document.totals;
  return {
    object: {
      provider,
      type: document.type,
      totals: { net, vat, gross },
      classification: { source: classified.source, warnings: wireWarnings(classified.warnings) },
      payload,
    },
    document,
    sentType,
    classified,
    providerReason: reason,
    number,
    notes: [
      ...findNotes(document, classified.payments, adapter),
      ...(adapter.hasPdf === false ? findMissingOfSupplier(document, settings.paper) : []),
    ],
  };
}

/** The merchant of a preview: the named one, else the only one with the supplier's tax number. */
async function findIssuer(
  session: Session,
  document: CanonicalDocument,
  { merchant: id, mode }: PreviewOptions,
): Promise<IssuingMerchantRow | undefined> {
  if (id !== undefined) return requireIssuingMerchant(session, id, mode);
  const taxId = document.supplier.tax_id.code;
  const [merchant, another] = await findMerchantRowsByTaxId(session, { taxId, limit: 2 });
  if (merchant === undefined || another !== undefined) return undefined;
  return requireIssuingMerchant(session, merchant.id, mode);
}

/** The requested provider, else the merchant's only connection, else the mode's default. */
async function chooseProvider(
  session: Session,
  merchant: IssuingMerchantRow | undefined,
  { provider, mode }: PreviewOptions,
): Promise<{ provider: Provider; reason: Text }> {
  if (provider !== undefined) return { provider, reason: { en: "requested", el: "ζητήθηκε" } };
  const connections = merchant === undefined ? [] : await findActiveConnections(session, merchant.id, mode);
  const [only, another] = connections;
  if (only !== undefined && another === undefined)
    return { provider: only.provider, reason: ONLY_CONNECTION };
  return { provider: mode === "test" ? "sandbox" : "registry_direct", reason: DEFAULT_OF_MODE };
}

const ONLY_CONNECTION: Text = {
  en: "the merchant's only active connection",
  el: "η μόνη ενεργή σύνδεση της επιχείρησης",
};
const DEFAULT_OF_MODE: Text = {
  en: "not exactly one active connection; the default of the mode",
  el: "όχι ακριβώς μία ενεργή σύνδεση· η προεπιλογή της λειτουργίας",
};

/** The number that the document would get now. It is not reserved. */
async function findNextNumber(
  session: Session,
  document: CanonicalDocument,
  settings: Settings,
  { series, number: given, mode }: PreviewOptions & { series: string },
): Promise<{ series: string; number: number }> {
  if (given !== undefined) return { series, number: given };
  const { tax_id, branch } = document.supplier;
  const key = { supplier: tax_id.code, branch, type: document.type, series, mode };
  const counter = await findSeries(session, key);
  const [released] =
    counter === undefined ? [] : await findReleased(session, { seriesId: counter.id, limit: 1 });
  const configured = settings.numbering[document.type];
  // The configured next number applies only to the configured series.
  const start = configured?.series === series ? configured.next_number : undefined;
  const number = released?.number ?? Math.max(counter?.next_number ?? 1, start ?? 1);
  return { series, number };
}
