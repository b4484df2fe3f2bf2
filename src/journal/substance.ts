/** Keeps what filed a document, and the provider's PDF, with the document (docs/contract.md#document-substance). */
import { placeIn } from "../../storage/encryption/sealed.ts";
import {
  findFilingRow,
  upsertFiling,
  findPdfRow,
  upsertPdf,
} from "../../storage/documents/document-substance.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "./context.ts";

/** Called before the text is sent. */
export async function storeFiling(
  trx: Transaction,
  { store }: Context,
  documentId: string,
  text: string,
): Promise<void> {
  const sealed = store.cipher.seal(placeIn("filings", documentId), text);
  await upsertFiling(trx, { document_id: documentId, sealed });
}

/** What was sent to file the document. Undefined if nothing was sent to a provider. */
export async function findFiling({ store }: Context, documentId: string): Promise<string | undefined> {
  const row = await findFilingRow(store.read, { document_id: documentId });
  if (row === undefined) return undefined;
  const opened = store.cipher.open(placeIn("filings", documentId), row.sealed);
  if (opened !== undefined) return opened.toString("utf8");
  throw new AppError("internal_error", {
    en: "What filed the document cannot be decrypted: it was damaged, or encrypted with another master key",
    el: "Όσα στάλθηκαν για το παραστατικό δεν αποκρυπτογραφούνται: έχουν αλλοιωθεί ή κρυπτογραφήθηκαν με άλλο κύριο κλειδί",
  });
}

/** The same. Throws `invalid_state` if nothing was sent. */
export async function requireFiling(context: Context, documentId: string): Promise<string> {
  const filing = await findFiling(context, documentId);
  if (filing === undefined) throw new AppError("invalid_state", NOTHING_STORED);
  return filing;
}

const NOTHING_STORED: Text = {
  en: "Nothing that filed this document is stored: it was not sent to a provider, was rejected, or is of the sandbox",
  el: "Δεν έχει αποθηκευτεί τίποτα που να διαβίβασε αυτό το παραστατικό: δεν στάλθηκε σε πάροχο, απορρίφθηκε ή είναι του sandbox",
};

export async function storePdf(
  trx: Transaction,
  { store }: Context,
  documentId: string,
  bytes: Uint8Array,
): Promise<void> {
  const sealed = store.cipher.seal(placeIn("provider_pdfs", documentId), bytes);
  await upsertPdf(trx, { document_id: documentId, sealed, due_at: null, lease_owner: null });
}

/** The provider's PDF. Undefined if it is not stored or cannot be decrypted, since the provider still has it. */
export async function findPdf({ store }: Context, documentId: string): Promise<Buffer | undefined> {
  const { sealed = null } = (await findPdfRow(store.read, { document_id: documentId })) ?? {};
  return sealed === null ? undefined : store.cipher.open(placeIn("provider_pdfs", documentId), sealed);
}
