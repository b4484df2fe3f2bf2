/** Fetches the provider's own PDF of a document, and keeps it with the document (docs/contract.md#document-substance). */
import { type DocumentRow, findDocumentInput, findDocumentRow } from "../../storage/documents/documents.ts";
import {
  claimPdf,
  deletePdfPlan,
  type DuePdf,
  findDuePdfs,
  postponePdf,
} from "../../storage/documents/provider-pdfs.ts";
import type { PdfOutcome, ProviderAdapter } from "../domain/provider-adapter.ts";
import { callProvider } from "../issuing/single-call.ts";
import { buildSent, parseAccepted } from "../issuing/outgoing.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { storePdf } from "../journal/substance.ts";

/** Asks the provider for the PDF, and stores it if it has one. */
export async function fetchPdf(
  context: Context,
  row: DocumentRow,
  adapter: ProviderAdapter,
): Promise<PdfOutcome> {
  const input = await findDocumentInput(context.store.read, row.id);
  if (input === undefined) throw new Error(`The input of document ${row.id} is missing`);
  const document = buildSent(row, parseAccepted(input), row.created_at);
  const outcome = await callProvider(context, row, "fetchPdf", (call) => adapter.fetchPdf(document, call));
  if (outcome.kind === "pdf")
    await context.store.write((trx) => storePdf(trx, context, row.id, outcome.bytes));
  return outcome;
}

/** PDFs per run; a run per second is faster than any provider needs. */
const PORTION = 4;
const CONCURRENT_MAX = 2;
/** Longer than a fetch, so that no other server starts the same one. */
const CLAIM_MS = 5 * 60_000;

const MINUTE_MS = 60_000;
/** Pauses after each try. The first request only makes the provider begin; later ones outlast an outage of days. */
const PAUSES_MS = [0.25, 1, 5, 15, 60, 240, 720, 1440, 1440].map((minutes) => minutes * MINUTE_MS);
/** After this many tries, in about three days, a PDF is fetched only when somebody asks for it. */
const PDF_TRIES_MAX = PAUSES_MS.length + 1;

/** Fetches the PDFs that are due. A failure affects only its own document. */
export async function fetchDuePdfs(context: Context): Promise<void> {
  const { store, clock } = context;
  if (await isHeld(store.read)) return;
  const due = await findDuePdfs(store.read, new Date(clock.nowMs()).toISOString(), PORTION);
  const next = async () => {
    for (let one = due.shift(); one !== undefined && !context.cut.aborted; one = due.shift())
      await fetchPlanned(context, one);
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, next));
}

async function fetchPlanned(
  context: Context,
  { document_id: id, due_at: due, tries }: DuePdf,
): Promise<void> {
  const { store } = context;
  const isMine = await store.write((trx) =>
    claimPdf(trx, {
      documentId: id,
      due: due ?? "",
      until: new Date(trx.clockMs + CLAIM_MS).toISOString(),
    }),
  );
  const row = await findDocumentRow(store.read, id);
  const adapter = row === undefined ? undefined : context.providers.find(row.provider);
  if (!isMine || row === undefined) return;
  const outcome = adapter === undefined ? undefined : await tryFetch(context, row, adapter);
  if (outcome === "pdf") return;
  await store.write(async (trx) => {
    if (outcome === "none") return deletePdfPlan(trx, id);
    const pause = PAUSES_MS[tries];
    await postponePdf(trx, id, pause === undefined ? null : new Date(trx.clockMs + pause).toISOString());
  });
  if (outcome !== "none" && tries + 1 >= PDF_TRIES_MAX)
    context.log.warn({ document: id }, "the provider's PDF could not be fetched; it is no longer tried");
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
