/** Finds a document by its id or its external reference, as every command names it. */
import type { Command } from "commander";
import { findDocumentByReference, getDocument, listDocuments } from "../../src/documents/list-documents.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Context } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";

const DOCUMENT_ID = /^doc_[0-9A-Za-z]{22}$/;

/** Adds `--merchant`, for references that several merchants use. */
export function addReferenceOwnerOption(command: Command, { inLanguage }: CommandContext): Command {
  return command.option(
    "--merchant <merchant>",
    inLanguage({
      en: "merchant of the reference, if several merchants use it",
      el: "ποιας επιχείρησης είναι η αναφορά, όταν την έχουν περισσότερες",
    }),
  );
}

/** Throws `not_found`, or UsageError if several documents have the reference. */
export async function findDocument(
  context: Context,
  mode: Mode,
  name: string,
  { merchant }: MerchantOption,
): Promise<DocumentObject> {
  if (DOCUMENT_ID.test(name)) return getDocument(context, mode, name);
  const merchantId = await merchantIdOf(context, merchant);
  if (merchantId !== undefined) {
    const found = await findDocumentByReference(context, mode, merchantId, name);
    if (found !== undefined) return found;
    throw new AppError("not_found", {
      en: "The merchant has no document with this id or external reference in this mode",
      el: "Η επιχείρηση δεν έχει παραστατικό με αυτό το id ή την εξωτερική αναφορά σε αυτή τη λειτουργία",
    });
  }
  const { data } = await listDocuments(context, mode, { limit: 2, external_reference: name });
  const [found, another] = data;
  if (found === undefined)
    throw new AppError("not_found", {
      en: "There is no document with this id or external reference",
      el: "Δεν υπάρχει παραστατικό με αυτό το id ή την εξωτερική αναφορά",
    });
  if (another !== undefined)
    throw new UsageError({
      en: "several documents have this reference: add --merchant, or give the id",
      el: "περισσότερα παραστατικά έχουν αυτή την αναφορά: προσθέστε --merchant ή δώστε το id",
    });
  return found;
}
