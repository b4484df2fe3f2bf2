/** Preview: what a document would become and what its provider would receive. Nothing is sent and nothing is stored. */
import { findActiveConnections } from "../../storage/connections.ts";
import { findMerchantRowsByTaxId, type MerchantRow } from "../../storage/merchants.ts";
import { findReleased, findSeries } from "../../storage/series.ts";
import type { Mode, Provider } from "../../storage/schema.ts";
import type { Session } from "../../storage/session.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { readSettings, type Settings } from "../merchants/settings.ts";
import { type CanonicalDocument, parseDocument } from "./canonical.ts";
import { classify, sentType } from "./classification.ts";
import { findOriginals } from "./originals.ts";
import { askAdapter } from "./provider-check.ts";
import { regimeWarning } from "./regime.ts";
import { defaultSeries } from "./series.ts";

export interface PreviewObject {
  provider: Provider;
  type: string;
  /** Cents. */
  totals: { net: number; vat: number; gross: number };
  classification: { source: "line" | "override" | "default"; warnings: string[] };
  /** The provider's own format. */
  payload: Record<string, unknown>;
}

/** Throws `validation_failed` or `not_supported`. */
export async function previewDocument(
  context: Context,
  input: unknown,
  options: { mode: Mode; provider?: Provider | undefined },
): Promise<PreviewObject> {
  const document = parseDocument(input, { today: context.clock.today(), prefix: "" });
  const { read } = context.store;
  const merchants = await findMerchantRowsByTaxId(read, document.supplier.tax_id.code, 2);
  const merchant = merchants.length === 1 ? merchants[0] : undefined;
  const provider = options.provider ?? (await chooseProvider(read, merchant, options.mode));
  if (provider === "sandbox" && options.mode === "live") {
    throw new AppError("not_supported", "A live key never reaches the sandbox; use a test key for it");
  }
  const adapter = context.providers.get(provider);
  const settings: Settings =
    merchant === undefined ? { classification: {}, numbering: {}, paper: {} } : readSettings(merchant);
  const originals =
    merchant === undefined ? [] : await findOriginals(read, document, merchant.id, options.mode);
  const classified = classify(document, { overrides: settings.classification, originals });
  const warning = regimeWarning(document, provider, context.config.providers.registryDirect.regime);
  const today = context.clock.today();
  classified.warnings.push(...askAdapter(adapter, document, { today, prefix: "" }));
  const { series, number } = await nextNumber(read, document, settings, options.mode);
  const payload = adapter.buildPayload({
    id: "preview",
    mode: options.mode,
    input: document,
    sentType: sentType(document),
    classifications: classified.lines,
    payments: classified.payments,
    series: adapter.numbering === "ours" ? series : null,
    number: adapter.numbering === "ours" ? number : null,
    uid: null,
    metadata: {},
    connectionWasLost: false,
    firstFreeNumber: 1,
  });
  const { net, vat, gross } = document.totals;
  const warnings = warning === undefined ? classified.warnings : [...classified.warnings, warning];
  return {
    provider,
    type: document.type,
    totals: { net, vat, gross },
    classification: { source: classified.source, warnings },
    payload,
  };
}

/** decisions 5.7: the only connection of the only merchant with this tax number, else what the mode has for everybody. */
async function chooseProvider(
  session: Session,
  merchant: MerchantRow | undefined,
  mode: Mode,
): Promise<Provider> {
  const connections = merchant === undefined ? [] : await findActiveConnections(session, merchant.id, mode);
  const [only] = connections;
  if (only !== undefined && connections.length === 1) return only.provider;
  return mode === "test" ? "sandbox" : "registry_direct";
}

/** The number that the document would get now. It is shown, not reserved. */
async function nextNumber(
  session: Session,
  document: CanonicalDocument,
  settings: Settings,
  mode: Mode,
): Promise<{ series: string; number: number }> {
  const { tax_id, branch } = document.supplier;
  const wanted = settings.numbering[document.type];
  const series = wanted?.series ?? defaultSeries(document.type, branch);
  const counter = await findSeries(session, {
    supplier: tax_id.code,
    branch,
    type: document.type,
    series,
    mode,
  });
  const [released] = counter === undefined ? [] : await findReleased(session, counter.id, 1);
  const number = released?.number ?? Math.max(counter?.next_number ?? 1, wanted?.next_number ?? 1);
  return { series, number };
}
