/** Finds a document by its id, its external reference, its series and number or its MARK, as every command names it. */
import { findDocumentByReference, getDocument, listDocuments } from "../../src/documents/list-documents.ts";
import { MARK_FORM } from "../../src/domain/document-codes.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Context } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { UsageError } from "../exit.ts";
import { merchantIdOf, type MerchantOption } from "../merchants/find-merchant.ts";
import type { Flags } from "../define.ts";

const DOCUMENT_ID = /^doc_[0-9A-Za-z]{22}$/;

/** Adds `--merchant`, for references that several merchants use. */
export const REFERENCE_OWNER = {
  "--merchant <merchant>": {
    en: "merchant of the reference or number, if several merchants have it",
    el: "ποιας επιχείρησης είναι η αναφορά ή ο αριθμός, όταν έχουν το ίδιο περισσότερες",
  },
} satisfies Flags;

/** Throws `not_found`, or UsageError if several documents have the name. A MARK is looked for last. */
export async function findDocument(
  context: Context,
  mode: Mode,
  name: string,
  { merchant }: MerchantOption,
): Promise<DocumentObject> {
  if (DOCUMENT_ID.test(name)) return getDocument(context, mode, name);
  const merchantId = await merchantIdOf(context, merchant);
  const found =
    (await findByReference(context, mode, name, merchantId)) ??
    (await findByNumber(context, mode, name, merchantId)) ??
    (await findByMark(context, mode, name, merchantId));
  if (found !== undefined) return found;
  throw new AppError("not_found", merchantId === undefined ? NO_SUCH_DOCUMENT : NO_SUCH_DOCUMENT_OF_MERCHANT);
}

async function findByReference(
  context: Context,
  mode: Mode,
  reference: string,
  merchantId: string | undefined,
): Promise<DocumentObject | undefined> {
  if (merchantId !== undefined) return findDocumentByReference(context, mode, merchantId, reference);
  const { data } = await listDocuments(context, mode, { limit: 2, external_reference: reference });
  return onlyOf(data, { en: "reference", el: "αυτή την αναφορά" });
}

/** By series and number: `TIM 1`. A number alone is none that a person would mean. */
async function findByNumber(
  context: Context,
  mode: Mode,
  name: string,
  merchant: string | undefined,
): Promise<DocumentObject | undefined> {
  const { findNumberedDocuments, parseNumber } = await import("../../src/documents/search-documents.ts");
  if (parseNumber(name)?.series === undefined) return undefined;
  const found = await findNumberedDocuments(context, mode, name, { limit: 2, merchant });
  return onlyOf(found, { en: "series and number", el: "αυτή τη σειρά και αριθμό" });
}

async function findByMark(
  context: Context,
  mode: Mode,
  mark: string,
  merchant: string | undefined,
): Promise<DocumentObject | undefined> {
  if (!MARK_FORM.test(mark)) return undefined;
  const { data } = await listDocuments(context, mode, { limit: 2, mark, merchant });
  return onlyOf(data, { en: "MARK", el: "αυτό το ΜΑΡΚ" }, false);
}

/** Throws UsageError if several merchants have such a document, or one has several. */
function onlyOf(
  [found, another]: readonly DocumentObject[],
  name: Text,
  areToldByMerchant = true,
): DocumentObject | undefined {
  if (another === undefined) return found;
  if (found!.merchant === another.merchant || !areToldByMerchant)
    throw new UsageError({
      en: `several documents have this ${name.en}: give the id`,
      el: `περισσότερα παραστατικά έχουν ${name.el}: δώστε το id`,
    });
  throw new UsageError({
    en: `several merchants have a document with this ${name.en}: add --merchant, or give the id`,
    el: `περισσότερες επιχειρήσεις έχουν παραστατικό με ${name.el}: προσθέστε --merchant ή δώστε το id`,
  });
}

const NO_SUCH_DOCUMENT: Text = {
  en: "There is no document with this id, external reference, series and number, or MARK",
  el: "Δεν υπάρχει παραστατικό με αυτό το id, την εξωτερική αναφορά, τη σειρά και τον αριθμό ή το ΜΑΡΚ",
};

const NO_SUCH_DOCUMENT_OF_MERCHANT: Text = {
  en: "The merchant has no document with this id, external reference, series and number, or MARK in this mode",
  el: "Η επιχείρηση δεν έχει παραστατικό με αυτό το id, την εξωτερική αναφορά, τη σειρά και τον αριθμό ή το ΜΑΡΚ σε αυτή τη λειτουργία",
};
