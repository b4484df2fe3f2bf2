/** Previews a document, or a request to issue one: its classification and the payload its provider would receive. Sends and stores nothing. */
import { findActiveConnections } from "../../storage/merchants/connections.ts";
import { findMerchantRowsByTaxId, type IssuingMerchantRow } from "../../storage/merchants/merchants.ts";
import { findReleased, findSeries } from "../../storage/documents/series.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import { type CanonicalDocument, parseDocument } from "../domain/canonical-document.ts";
import type { ClassifiedDocument } from "../domain/classification.ts";
import { refuseLiveSandbox } from "../domain/routing.ts";
import { wireWarnings } from "../foundation/stored-texts.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import { NO_SETTINGS, readSettings, requireIssuingMerchant, type Settings } from "../merchants/settings.ts";
import { assessDocument, readKnown } from "./assess.ts";
import type { Envelope } from "../domain/issue-body.ts";
import { findMissingOfSupplier, findNotes } from "./notes.ts";
import { type AcceptVerdict, checkPrepared } from "./accept.ts";
import { type IssueRequest, parseIssueRequest } from "./issue-request.ts";

export interface PreviewObject extends Omit<AcceptVerdict, "issue_date"> {
  /** The provider's own format. */
  payload: Record<string, unknown>;
}

/** The fields around the document, as in the body that would issue it. */
export interface PreviewOptions extends Partial<Omit<Envelope, "merchant" | "document">> {
  mode: Mode;
  /** By default the only merchant with the supplier's tax number. */
  merchant?: string | undefined;
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
  return examineDocument(context, request.document, { ...request.envelope, mode });
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
  const issuer = await findIssuer(read, document, options);
  const { provider, reason } = await chooseProvider(read, issuer, options);
  if (provider === "sandbox") refuseLiveSandbox(mode);
  const { merchant } = issuer;
  const settings = merchant === undefined ? NO_SETTINGS : readSettings(merchant.settings_json);
  const { series } = options;
  const toAssess = { document, objections, prefix: "", mode, provider, settings, series, isPreview: true };
  const known = await readKnown(context, read, toAssess, merchant?.id);
  const { adapter, classified, sentType, ...assessed } = assessDocument(context, toAssess, known);
  const number =
    adapter.numbering === "provider" || assessed.series === null
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

/** The merchant of a preview, or why none applies. */
type Issuer = { merchant: IssuingMerchantRow } | { merchant: undefined; reason: Text };

async function findIssuer(
  session: Session,
  document: CanonicalDocument,
  { merchant: id, mode }: PreviewOptions,
): Promise<Issuer> {
  if (id !== undefined) return { merchant: await requireIssuingMerchant(session, id, mode) };
  const [merchant, another] = await findMerchantRowsByTaxId(session, {
    taxId: document.supplier.tax_id.code,
    limit: 2,
  });
  if (merchant !== undefined && another === undefined)
    return { merchant: await requireIssuingMerchant(session, merchant.id, mode) };
  const reason =
    merchant === undefined
      ? { en: "no merchant has this tax number", el: "καμία επιχείρηση δεν έχει αυτό το ΑΦΜ" }
      : { en: "several merchants have this tax number", el: "περισσότερες επιχειρήσεις έχουν αυτό το ΑΦΜ" };
  return { merchant: undefined, reason };
}

/** The requested provider, else the merchant's only connection, else the mode's default. */
async function chooseProvider(
  session: Session,
  issuer: Issuer,
  { provider, mode }: PreviewOptions,
): Promise<{ provider: Provider; reason: Text }> {
  if (provider !== undefined) return { provider, reason: { en: "requested", el: "ζητήθηκε" } };
  if (issuer.merchant === undefined) return chooseByMode(mode, issuer.reason);
  const [only, another] = await findActiveConnections(session, issuer.merchant.id, mode);
  if (only !== undefined && another === undefined)
    return { provider: only.provider, reason: ONLY_CONNECTION };
  return chooseByMode(mode, only === undefined ? NO_CONNECTION : SEVERAL_CONNECTIONS);
}

const ONLY_CONNECTION: Text = {
  en: "the merchant's only active connection",
  el: "η μόνη ενεργή σύνδεση της επιχείρησης",
};
const NO_CONNECTION: Text = {
  en: "the merchant has no active connection",
  el: "η επιχείρηση δεν έχει ενεργή σύνδεση",
};
const SEVERAL_CONNECTIONS: Text = {
  en: "the merchant has several connections",
  el: "η επιχείρηση έχει περισσότερες συνδέσεις",
};

function chooseByMode(mode: Mode, because: Text): { provider: Provider; reason: Text } {
  const { provider, shown } = DEFAULTS[mode];
  return { provider, reason: { en: `${because.en}; ${shown.en}`, el: `${because.el}· ${shown.el}` } };
}

const DEFAULTS: Readonly<Record<Mode, { provider: Provider; shown: Text }>> = {
  test: {
    provider: "sandbox",
    shown: {
      en: "test mode shows the sandbox",
      el: "η δοκιμαστική λειτουργία δείχνει το περιβάλλον δοκιμών",
    },
  },
  live: {
    provider: "registry_direct",
    shown: { en: "live mode shows the registry", el: "η παραγωγική λειτουργία δείχνει την ΑΑΔΕ" },
  },
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
