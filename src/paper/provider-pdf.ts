/** Fetches the provider's own PDF of a document, and keeps it with the document (docs/contract.md#document-substance). */
import { type DocumentRow, getDocumentInput, findDocumentRow } from "../../storage/documents/documents.ts";
import { deletePdfPlan, pdfWork, type ProviderPdfRow } from "../../storage/documents/document-substance.ts";
import type { PdfOutcome, ProviderAdapter } from "../domain/provider-adapter.ts";
import { callProvider } from "../issuing/single-call.ts";
import { buildSent, parseAccepted } from "../issuing/outgoing.ts";
import type { Context } from "../journal/context.ts";
import { storePdf } from "../journal/substance.ts";
import { nextDue } from "../work/claim.ts";
import { PROVIDER_PDFS } from "../work/kinds.ts";
import { workOff } from "../work/work-off.ts";

/** Asks the provider for the PDF, and stores it if it has one. */
export async function fetchPdf(
  context: Context,
  row: DocumentRow,
  adapter: ProviderAdapter,
): Promise<PdfOutcome> {
  const input = await getDocumentInput(context.store.read, row.id);
  const document = buildSent(row, parseAccepted(input), row.created_at);
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
