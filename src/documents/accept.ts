/**
 * A document arrives: validated, classified, routed, and stored with its idempotency key and its first event in one
 * write. No provider is touched; the queue is poked once it is on disk.
 */
import { findActiveConnections } from "../../storage/connections.ts";
import { insertDocument, isNumberInUse, type NewDocumentRow } from "../../storage/documents.ts";
import { findMerchantRow, type MerchantRow } from "../../storage/merchants.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { isNumberGivenUp } from "../../storage/series.ts";
import type { Session } from "../../storage/session.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Cause, Context, Created, IdempotencyClaim } from "../journal/context.ts";
import { createOnce, type FirstAnswer } from "../journal/create-once.ts";
import { AppError, type Problem, validationError } from "../foundation/errors.ts";
import { appendDocumentEvent } from "../journal/append-event.ts";
import { heldError } from "../journal/held.ts";
import { keepLetterhead } from "../merchants/letterhead.ts";
import { readSettings } from "../merchants/merchant-settings.ts";
import { checkWith } from "../foundation/validation.ts";
import { type CanonicalDocument, checkDocumentInput } from "../domain/canonical-document.ts";
import { type ClassifiedDocument, classify, sentType } from "../domain/classification.ts";
import { type Envelope, EnvelopeSchema } from "../domain/issue-body.ts";
import { counterOf, takeGivenNumber } from "../numbering/allocate.ts";
import { findOriginals } from "./originals.ts";
import type { Decided } from "../issuing/outgoing.ts";
import { refuseByRegime, regimeWarning } from "../domain/regime.ts";
import { askAdapter } from "../domain/provider-check.ts";
import { chooseRoute, type Route } from "../domain/routing.ts";
import { defaultSeries } from "../domain/series.ts";

/** A body that fits the specification by itself, before the database is asked. */
interface ParsedBody {
  envelope: Envelope;
  document: CanonicalDocument;
}

/** Throws `validation_failed` with every problem of the envelope and the document together. */
function parseBody(body: unknown, today: string): ParsedBody {
  const around = checkWith(EnvelopeSchema, body, "");
  const hasDocument = typeof body === "object" && body !== null && "document" in body;
  const inside = hasDocument ? checkDocumentInput(body.document, { today, prefix: "document" }) : undefined;
  const problems: Problem[] = [...("problems" in around ? around.problems : [])];
  if (inside === undefined) problems.push({ path: "document", message: "is required" });
  else if ("problems" in inside) problems.push(...inside.problems);
  if ("output" in around && around.output.number !== undefined && around.output.series === undefined) {
    problems.push({ path: "number", message: "can be given only together with series" });
  }
  if (problems.length > 0 || !("output" in around) || inside === undefined || !("output" in inside)) {
    throw validationError(dropDuplicates(problems));
  }
  return { envelope: around.output, document: inside.output };
}

function dropDuplicates(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path, message }) => {
    const key = `${path}: ${message}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

/**
 * Accepts a document and answers it, or what was accepted under the same key before; `document` is what is stored of it,
 * undefined for a repetition. Throws `validation_failed`,
 * `not_found`, `connection_unavailable`, `not_supported`, `regime_mismatch`, `already_exists`, the two of idempotency, and
 * `service_unavailable` while the appliance is held or the disk has no room.
 */
export async function acceptDocument(
  context: Context,
  body: unknown,
  cause: Cause,
  claim?: IdempotencyClaim,
): Promise<Created & { document: CanonicalDocument | undefined }> {
  const parsed = parseBody(body, context.clock.today());
  let provider: Provider | undefined;
  const created = await context.store.write(async (trx) => {
    if (trx.isHeld) throw heldError("The document was not accepted");
    return createOnce(trx, context.store.cipher, cause.mode, claim, async () => {
      // Inside, so that what was accepted before is answered on a full disk too.
      context.space.requireRoom();
      const prepared = await prepare(context, trx, parsed, cause.mode);
      provider = prepared.route.provider;
      return store(trx, prepared, parsed, cause);
    });
  });
  if (!created.replayed) context.pokeIssuing();
  if (!created.replayed && provider !== undefined)
    context.watch.document({ mode: cause.mode, provider, status: "accepted" });
  return { ...created, document: created.replayed ? undefined : parsed.document };
}

/** What was decided about a document that can be accepted. */
export interface AcceptVerdict {
  type: string;
  provider: string;
  totals: { net: number; vat: number; gross: number };
  classification: { source: string; warnings: string[] };
}

/** The same checks without storing anything: for a dry run. */
export async function checkDocument(context: Context, body: unknown, mode: Mode): Promise<AcceptVerdict> {
  const parsed = parseBody(body, context.clock.today());
  const { route, classified } = await prepare(context, context.store.read, parsed, mode);
  const { net, vat, gross } = parsed.document.totals;
  return {
    type: parsed.document.type,
    provider: route.provider,
    totals: { net, vat, gross },
    classification: { source: classified.source, warnings: classified.warnings },
  };
}

interface Prepared {
  merchant: MerchantRow;
  route: Route;
  classified: ClassifiedDocument;
  series: string | null;
  /** The provider gives the number: it is in no counter of ours. */
  numbersItself: boolean;
}

async function prepare(
  context: Context,
  session: Session,
  parsed: ParsedBody,
  mode: Mode,
): Promise<Prepared> {
  const { envelope, document } = parsed;
  const merchant = await findMerchantRow(session, envelope.merchant);
  if (merchant === undefined) throw new AppError("not_found", "There is no such merchant");
  checkSupplier(document, merchant);
  const route = chooseRoute({
    mode,
    requested: envelope.provider,
    merchantArchived: merchant.archived === 1,
    connections: await findActiveConnections(session, merchant.id, mode),
    isSupported: (provider) => context.providers.find(provider) !== undefined,
  });
  const settings = readSettings(merchant);
  const originals = await findOriginals(session, document, merchant.id, mode);
  const classified = classify(document, { overrides: settings.classification, originals });
  const { regime } = context.config.providers.registryDirect;
  const warning = regimeWarning(document, route.provider, regime);
  refuseByRegime(warning, regime);
  if (warning !== undefined) classified.warnings.push(warning);
  const adapter = context.providers.get(route.provider);
  const today = context.clock.today();
  classified.warnings.push(...askAdapter(adapter, document, { today, prefix: "document" }));
  const numbersItself = adapter.numbering === "provider";
  const ownSeries =
    settings.numbering[document.type]?.series ?? defaultSeries(document.type, document.supplier.branch);
  const series = envelope.series ?? (numbersItself ? null : ownSeries);
  if (!numbersItself) await checkNumberIsFree(session, parsed, series, mode);
  return { merchant, route, classified, series, numbersItself };
}

/** decisions 5.2. */
function checkSupplier(document: CanonicalDocument, merchant: MerchantRow): void {
  if (merchant.tax_id === null || document.supplier.tax_id.code === merchant.tax_id) return;
  const message = "must be the merchant's tax number; issue through the merchant that has this one";
  throw validationError([{ path: "document.supplier.tax_id.code", message }]);
}

async function checkNumberIsFree(
  session: Session,
  parsed: ParsedBody,
  series: string | null,
  mode: Mode,
): Promise<void> {
  const { number } = parsed.envelope;
  const key = counterOf({ ...identityOf(parsed.document), series, mode });
  if (number === undefined || key === undefined) return;
  if ((await isNumberInUse(session, key, number)) || (await isNumberGivenUp(session, key, number))) {
    throw new AppError(
      "already_exists",
      "A document of this series has this number already; a number is never used twice",
    );
  }
}

function identityOf(document: CanonicalDocument): { supplier: string; branch: number; type: string } {
  const { tax_id, branch } = document.supplier;
  return { supplier: tax_id.code, branch, type: document.type };
}

async function store(
  trx: Transaction,
  prepared: Prepared,
  parsed: ParsedBody,
  cause: Cause,
): Promise<FirstAnswer> {
  const { envelope, document } = parsed;
  const row = buildRow(trx, prepared, parsed, cause.mode);
  const decided: Decided = {
    sentType: sentType(document),
    classifications: prepared.classified.lines,
    payments: prepared.classified.payments,
  };
  const key = counterOf(row);
  if (envelope.number !== undefined && key !== undefined && !prepared.numbersItself)
    await takeGivenNumber(trx, key, envelope.number);
  const after = await insertDocument(trx, row, {
    document_id: row.id,
    input_json: JSON.stringify(document),
    decided_json: JSON.stringify(decided),
    letterhead_id: await keepLetterhead(trx, prepared.merchant),
  });
  const { eventId, json } = await appendDocumentEvent(trx, { type: "document.created", after, cause });
  return { id: row.id, eventId, json };
}

function buildRow(trx: Transaction, prepared: Prepared, parsed: ParsedBody, mode: Mode): NewDocumentRow {
  const { envelope, document } = parsed;
  return {
    id: trx.newId("doc"),
    mode,
    merchant_id: prepared.merchant.id,
    provider: prepared.route.provider,
    connection_id: prepared.route.connectionId,
    ...identityOf(document),
    issue_date: document.issue_date,
    net: document.totals.net,
    vat: document.totals.vat,
    gross: document.totals.gross,
    series: prepared.series,
    number: envelope.number ?? null,
    number_given: envelope.number === undefined ? 0 : 1,
    provider_numbered: prepared.numbersItself ? 1 : 0,
    classification_source: prepared.classified.source,
    warnings_json: JSON.stringify(prepared.classified.warnings),
    external_reference: envelope.external_reference ?? null,
    metadata_json: JSON.stringify(envelope.metadata ?? {}),
    created_at: trx.now,
    next_at: new Date(trx.clockMs).toISOString(),
  };
}
