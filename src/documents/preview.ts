/** Preview: what a document would become and what its provider would receive. Nothing is sent and nothing is stored. */
import { findActiveConnections } from "../../storage/connections.ts";
import { findMerchantRow, findMerchantRowsByTaxId, type MerchantRow } from "../../storage/merchants.ts";
import { findReleased, findSeries } from "../../storage/series.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/session.ts";
import type { Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import { readSettings, type Settings } from "../merchants/merchant-settings.ts";
import { type CanonicalDocument, parseDocument } from "../domain/canonical-document.ts";
import { type ClassifiedDocument, classify, sentType } from "../domain/classification.ts";
import { findOriginals } from "./originals.ts";
import { missingOnPaper } from "./missing-on-paper.ts";
import { askAdapter } from "../domain/provider-check.ts";
import { regimeWarning } from "../domain/regime.ts";
import { defaultSeries } from "../domain/series.ts";

export interface PreviewObject {
  provider: Provider;
  type: string;
  /** Cents. */
  totals: { net: number; vat: number; gross: number };
  classification: { source: "line" | "override" | "default"; warnings: string[] };
  /** The provider's own format. */
  payload: Record<string, unknown>;
}

/** What stands around the document: for one that is to be issued, what its body says. */
export interface PreviewOptions {
  mode: Mode;
  provider?: Provider | undefined;
  /** The merchant that issues it; where it is not given, the only one with the supplier's tax number. */
  merchant?: string | undefined;
  series?: string | undefined;
  number?: number | undefined;
}

/** A preview, and what led to it: for a person. */
export interface Examination {
  object: PreviewObject;
  document: CanonicalDocument;
  /** The authority's type that is sent. */
  sentType: string;
  classified: ClassifiedDocument;
  /** Why the document goes to this provider. */
  providerReason: string;
  /** The number that it would get now, which is not reserved; null where the provider gives it. */
  number: { series: string; number: number } | null;
  /** What its paper form will lack; empty where the provider makes the paper. */
  missingOnPaper: string[];
}

/** Throws `validation_failed` or `not_supported`. */
export async function previewDocument(
  context: Context,
  input: unknown,
  options: PreviewOptions,
): Promise<PreviewObject> {
  return (await examineDocument(context, input, options)).object;
}

/** The same with its reasons. Throws `validation_failed`, `not_supported`, and `not_found` for the merchant. */
export async function examineDocument(
  context: Context,
  input: unknown,
  options: PreviewOptions,
): Promise<Examination> {
  const { mode } = options;
  const document = parseDocument(input, { today: context.clock.today(), prefix: "" });
  const { read } = context.store;
  const issuer = await findIssuer(read, document, options.merchant);
  const { merchant } = issuer;
  const chosen = await chooseProvider(read, issuer, options);
  const { provider } = chosen;
  if (provider === "sandbox" && mode === "live") {
    throw new AppError("not_supported", "A live key never reaches the sandbox; use a test key for it");
  }
  const adapter = context.providers.get(provider);
  const settings: Settings =
    merchant === undefined ? { classification: {}, numbering: {}, paper: {} } : readSettings(merchant);
  const originals = merchant === undefined ? [] : await findOriginals(read, document, merchant.id, mode);
  const classified = classify(document, { overrides: settings.classification, originals });
  const warning = regimeWarning(document, provider, context.config.providers.registryDirect.regime);
  const today = context.clock.today();
  classified.warnings.push(...askAdapter(adapter, document, { today, prefix: "" }));
  if (warning !== undefined) classified.warnings.push(warning);
  const number = adapter.numbering === "ours" ? await nextNumber(read, document, settings, options) : null;
  const payload = adapter.buildPayload({
    id: "preview",
    mode,
    input: document,
    sentType: sentType(document),
    classifications: classified.lines,
    payments: classified.payments,
    series: number?.series ?? null,
    number: number?.number ?? null,
    uid: null,
    metadata: {},
    connectionWasLost: false,
    firstFreeNumber: 1,
  });
  const { net, vat, gross } = document.totals;
  return {
    object: {
      provider,
      type: document.type,
      totals: { net, vat, gross },
      classification: { source: classified.source, warnings: classified.warnings },
      payload,
    },
    document,
    sentType: sentType(document),
    classified,
    providerReason: chosen.reason,
    number,
    missingOnPaper: adapter.hasPdf === false ? missingOnPaper(document, settings.paper) : [],
  };
}

interface Issuer {
  merchant: MerchantRow | undefined;
  /** Why there is none; empty where there is one. */
  reason: string;
}

async function findIssuer(
  session: Session,
  document: CanonicalDocument,
  id: string | undefined,
): Promise<Issuer> {
  if (id !== undefined) {
    const merchant = await findMerchantRow(session, id);
    if (merchant === undefined) throw new AppError("not_found", "There is no such merchant");
    return { merchant, reason: "" };
  }
  const [merchant, another] = await findMerchantRowsByTaxId(session, document.supplier.tax_id.code, 2);
  if (merchant === undefined) return { merchant, reason: "no merchant has this tax number" };
  if (another === undefined) return { merchant, reason: "" };
  return { merchant: undefined, reason: "several merchants have this tax number" };
}

/** decisions 5.7: the only connection of the only merchant with this tax number, else what the mode has for everybody. */
async function chooseProvider(
  session: Session,
  { merchant, reason }: Issuer,
  { provider, mode }: PreviewOptions,
): Promise<{ provider: Provider; reason: string }> {
  if (provider !== undefined) return { provider, reason: "asked for" };
  const connections = merchant === undefined ? [] : await findActiveConnections(session, merchant.id, mode);
  const [only] = connections;
  if (only !== undefined && connections.length === 1)
    return { provider: only.provider, reason: "the merchant's only active connection" };
  const why =
    only === undefined ? "the merchant has no active connection" : "the merchant has several connections";
  const because = merchant === undefined ? reason : why;
  return mode === "test"
    ? { provider: "sandbox", reason: `${because}; test mode shows the sandbox` }
    : { provider: "registry_direct", reason: `${because}; live mode shows the registry` };
}

/** The number that the document would get now. It is shown, not reserved. */
async function nextNumber(
  session: Session,
  document: CanonicalDocument,
  settings: Settings,
  given: PreviewOptions,
): Promise<{ series: string; number: number }> {
  const { tax_id, branch } = document.supplier;
  const wanted = settings.numbering[document.type];
  const series = given.series ?? wanted?.series ?? defaultSeries(document.type, branch);
  if (given.number !== undefined) return { series, number: given.number };
  const counter = await findSeries(session, {
    supplier: tax_id.code,
    branch,
    type: document.type,
    series,
    mode: given.mode,
  });
  const [released] = counter === undefined ? [] : await findReleased(session, counter.id, 1);
  // The settings name the next number of their own series only.
  const start = wanted?.series === series ? wanted.next_number : undefined;
  const number = released?.number ?? Math.max(counter?.next_number ?? 1, start ?? 1);
  return { series, number };
}
