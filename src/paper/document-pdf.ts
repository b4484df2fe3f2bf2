/** Gets the PDF of an issued document: the provider's, which is kept with the document, or ours where it makes none (docs/contract.md#pdf). */
import { type DocumentRow, findDocumentRow, getDocumentInput } from "../../storage/documents/documents.ts";
import { findTimeline } from "../../storage/journal/events.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { athensDay } from "../foundation/clock.ts";
import type { Context } from "../journal/context.ts";
import { findPdf, storePdf } from "../journal/substance.ts";
import { AppError } from "../foundation/errors.ts";
import { credentialsRefused } from "../issuing/connection-status.ts";
import { findLetterheadOf, readSettings, requireIssuingMerchant } from "../merchants/settings.ts";
import type { PdfOutcome, ProviderAdapter, ProviderDescription } from "../domain/provider-adapter.ts";
import { renderPaper } from "./render-in-turn.ts";
import { type Text, toText } from "../foundation/text.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { type DocumentType, typeInfo } from "../domain/document-types.ts";
import { requireDocumentRow } from "../documents/list-documents.ts";
import { findOriginalRow } from "../documents/originals.ts";
import {
  buildPaper,
  buildStationery,
  type Paper,
  type PaperFormat,
  type PaperOriginal,
  pdfFileName,
} from "./paper.ts";
import { deletePdfPlan, pdfWork, type ProviderPdfRow } from "../../storage/documents/document-substance.ts";
import { callProvider } from "../issuing/provider-call.ts";
import { buildSent, parseAccepted, readAccepted } from "../issuing/outgoing.ts";
import { PROVIDER_PDFS } from "../work/kinds.ts";
import { nextDue, workOff } from "../work/work-off.ts";

/**
 * The file name is ASCII: `TIM-17.pdf`. Throws `not_found`, `pdf_not_ready` before the MARK and while the provider prepares the PDF,
 * `provider_unavailable` where the provider cannot be reached, `provider_credentials_invalid` where it refuses the account, and
 * `service_unavailable` where too many PDFs are being rendered.
 */
export async function getDocumentPdf(context: Context, mode: Mode, id: string, format?: PaperFormat) {
  const row = await requireDocumentRow(context.store.read, mode, id);
  if (format === "receipt" && !isRetail(row)) throw new AppError("validation_failed", NOT_RETAIL);
  if (row.phase !== "issued" || row.series === null || row.number === null) throw notIssued(row);
  const chosen = format ?? (await usualFormat(context, row));
  const provided = chosen === "a4" ? await fetchFromProvider(context, row) : undefined;
  const bytes = provided ?? (await renderPaper(await readPaper(context, row, chosen), row.mode));
  const fileName = pdfFileName(row.series, row.number);
  return { bytes, fileName, documentId: row.id, merchantId: row.merchant_id };
}

/** Whether the document can be printed as a receipt. */
export function isRetail({ type }: { type: string }): boolean {
  return typeInfo(type as DocumentType).isRetail;
}

/** A receipt for retail documents of a merchant whose settings say so. */
async function usualFormat({ store }: Context, row: DocumentRow): Promise<PaperFormat> {
  if (!isRetail(row)) return "a4";
  const merchant = await requireIssuingMerchant(store.read, row.merchant_id, row.mode);
  return readSettings(merchant.settings_json).paper.receipt === true ? "receipt" : "a4";
}

const NOT_RETAIL: Text = {
  en: "format: receipt is for retail documents (11.x) only; leave it out",
  el: "format: το receipt είναι μόνο για παραστατικά λιανικής (11.x)· παραλείψτε το",
};

function notIssued({ status }: DocumentRow): AppError {
  if (status === "rejected") {
    const text = {
      en: "The document was rejected and will have no PDF; correct the error and issue a new document",
      el: "Το παραστατικό απορρίφθηκε και δεν θα έχει PDF· διορθώστε το σφάλμα και εκδώστε νέο παραστατικό",
    };
    return new AppError("pdf_not_ready", text, { retryable: false });
  }
  return new AppError("pdf_not_ready", {
    en: "The document has no MARK yet; ask again once it is issued, or retry one that has failed",
    el: "Το παραστατικό δεν έχει ακόμη ΜΑΡΚ· ζητήστε το ξανά όταν εκδοθεί, ή επαναλάβετε ένα που απέτυχε",
  });
}

/** Undefined where the provider makes no PDF, or cannot be asked because the merchant's credentials are deleted. */
async function fetchFromProvider(
  context: Context,
  row: DocumentRow,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const adapter = context.providers.find(row.provider);
  if (adapter?.hasPdf === false) return undefined;
  const kept = await findPdf(context, row.id);
  if (kept !== undefined) return Buffer.from(kept);
  // For documents of a provider that is no longer configured, we render the PDF.
  if (adapter === undefined) return undefined;
  const outcome = await fetchPdf(context, row, adapter).catch((error: unknown) => {
    const areCredentialsGone = error instanceof AppError && error.code === "connection_unavailable";
    if (areCredentialsGone) return { kind: "none" } as const;
    throw error;
  });
  switch (outcome.kind) {
    case "pdf":
      return Buffer.from(outcome.bytes);
    case "none":
      return undefined;
    case "not_ready":
      throw retryLater("pdf_not_ready", IN_PREPARATION, outcome);
    case "credentials_refused":
      throw await credentialsRefused(context, row, outcome.error);
    case "not_sent":
    case "unknown":
      throw retryLater("provider_unavailable", NO_PDF, outcome);
  }
}

const IN_PREPARATION: Text = {
  en: "The provider is preparing the PDF; ask again in a moment",
  el: "Ο πάροχος ετοιμάζει το PDF· ζητήστε το ξανά σε λίγο",
};
const NO_PDF: Text = {
  en: "The provider was not reached, or returned no usable PDF; ask again later",
  el: "Ο πάροχος δεν ήταν προσβάσιμος ή δεν επέστρεψε χρησιμοποιήσιμο PDF· ζητήστε το ξανά αργότερα",
};

function retryLater(
  code: "pdf_not_ready" | "provider_unavailable",
  text: Text,
  { retryAfterMs }: { retryAfterMs?: number },
): AppError {
  const seconds =
    retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) };
  return new AppError(code, text, seconds);
}

/** What our PDF of an issued document shows. */
export async function readPaper(
  context: Context,
  row: DocumentRow,
  format: PaperFormat = "a4",
): Promise<Paper> {
  const { read } = context.store;
  const input = await getDocumentInput(read, row.id);
  const { document, decided } = parseAccepted(input);
  const merchant = await requireIssuingMerchant(read, row.merchant_id, row.mode);
  const letterhead = await findLetterheadOf(read, input, merchant);
  const timeline = await findTimeline(read, row.id);
  const issued = timeline.find(({ type }) => type === "document.issued");
  const { cancelled_at: cancelledAt } = row;
  return buildPaper({
    format,
    document,
    sentType: decided.sentType,
    isTest: row.mode === "test",
    issuedThrough: describeProvider(row.provider, context.providers.find(row.provider)),
    series: row.series!,
    number: row.number!,
    mark: row.mark!,
    uid: row.uid,
    qrUrl: row.qr_url,
    authenticationCode: row.authentication_code,
    reference: row.external_reference,
    cancellation:
      cancelledAt === null
        ? undefined
        : { mark: row.cancellation_mark, day: athensDay(Date.parse(cancelledAt)) },
    merchantName: letterhead.name,
    originals: await findOriginals(context, row, document),
    payments: decided.payments,
    vatPaymentSuspension: decided.vatPaymentSuspension ?? false,
    stationery: buildStationery(letterhead.paper, row.branch),
    issuedAt: new Date(issued?.created_at ?? row.created_at),
  });
}

async function findOriginals(
  context: Context,
  row: DocumentRow,
  document: CanonicalDocument,
): Promise<PaperOriginal[]> {
  const originals: PaperOriginal[] = [];
  for (const mark of document.original_marks ?? []) {
    const found = await findOriginalRow(context.store.read, mark, row.merchant_id, row.mode);
    const isNumbered = found !== undefined && found.series !== null && found.number !== null;
    originals.push({
      mark,
      seriesAndNumber: isNumbered ? `${found.series} ${found.number}` : null,
      issueDate: found?.issue_date ?? null,
    });
  }
  return originals;
}

/** How the document reached the authority. */
export function describeProvider(provider: Provider, description: ProviderDescription | undefined): Text {
  const name = toText(description?.name ?? provider);
  // The sandbox, which nothing is connected to.
  if (description?.credentials === null) return name;
  if (description?.isAuthority === true)
    return { el: "απευθείας στην ΑΑΔΕ (myDATA)", en: "directly to the tax authority (AADE myDATA)" };
  return {
    el: `μέσω παρόχου ηλεκτρονικής τιμολόγησης (${name.el})`,
    en: `through an e-invoicing provider (${name.en})`,
  };
}

/** Asks the provider for the PDF, and stores it if it has one. */
async function fetchPdf(context: Context, row: DocumentRow, adapter: ProviderAdapter): Promise<PdfOutcome> {
  const document = buildSent(row, await readAccepted(context.store.read, row.id), row.created_at);
  const outcome = await callProvider(context, row, "fetchPdf", (call) => adapter.fetchPdf(document, call));
  if (outcome.kind === "pdf")
    await context.store.write((trx) => storePdf(trx, context, row.id, outcome.bytes));
  return outcome;
}

const CONCURRENT_MAX = 2;

/** Fetches the PDFs that are due. */
export function fetchDuePdfs(context: Context, stopping?: AbortSignal): Promise<void> {
  const options = { scope: {}, stopping, concurrency: CONCURRENT_MAX };
  return workOff(context, PROVIDER_PDFS, options, (plan) => fetchPlanned(context, plan));
}

async function fetchPlanned(context: Context, plan: ProviderPdfRow): Promise<void> {
  const { store, log, providers } = context;
  const row = await findDocumentRow(store.read, { id: plan.document_id });
  const adapter = row === undefined ? undefined : providers.find(row.provider);
  const outcome =
    row === undefined || adapter === undefined ? undefined : await tryFetch(context, row, adapter);
  if (outcome === "pdf") return;
  if (outcome === "none")
    return void (await store.write((trx) => deletePdfPlan(trx, { documentId: plan.document_id })));
  const isLast = await store.write(async (trx) => {
    const due = nextDue(trx, PROVIDER_PDFS, plan);
    return (await pdfWork.settle(trx, plan, { due_at: due, tries: plan.tries + 1 })) && due === null;
  });
  if (isLast)
    log.warn(
      { document: plan.document_id },
      "the provider's PDF could not be fetched; it is no longer tried",
    );
}

/** The kind of the outcome; undefined if the provider could not be called. */
async function tryFetch(
  context: Context,
  row: DocumentRow,
  adapter: ProviderAdapter,
): Promise<PdfOutcome["kind"] | undefined> {
  try {
    return (await fetchPdf(context, row, adapter)).kind;
  } catch (error) {
    // Deleted credentials, for example. It is tried again, because the merchant may connect again.
    context.log.warn({ document: row.id, error: String(error) }, "the provider's PDF could not be fetched");
    return undefined;
  }
}
