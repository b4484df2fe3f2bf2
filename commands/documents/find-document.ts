/** Finds a document by its id, its external reference, its series and number or its MARK, as every command names it. */
import { getDocument, listDocuments } from "../../src/documents/list-documents.ts";
import { MARK_FORM } from "../../src/domain/document-codes.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { isId } from "../../src/foundation/system.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Context } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { UsageError } from "../exit.ts";
import { merchantIdOf, type MerchantOption } from "../merchants/find-merchant.ts";
import type { Flags } from "../define.ts";

/** Adds `--merchant`, for references that several merchants use. */
export const REFERENCE_OWNER = {
  "--merchant <merchant>": {
    en: "merchant of the reference or number, if several merchants have it",
    el: "ποιας επιχείρησης είναι η αναφορά ή ο αριθμός, όταν έχουν το ίδιο περισσότερες",
  },
} satisfies Flags;

/**
 * Throws `not_found`, or UsageError if several documents have the name. With `--merchant`, a reference means the newest document that
 * has it.
 */
export async function findDocument(
  context: Context,
  mode: Mode,
  name: string,
  { merchant: owner }: MerchantOption,
): Promise<DocumentObject> {
  if (isId(name, "doc")) return getDocument(context, mode, name);
  const merchant = await merchantIdOf(context, owner);
  const listed = async (filter: { external_reference: string } | { mark: string }) =>
    (await listDocuments(context, mode, { limit: 2, merchant, ...filter })).data;
  const referred = await listed({ external_reference: name });
  const found =
    (merchant === undefined ? onlyOf(referred, { en: "reference", el: "αυτή την αναφορά" }) : referred[0]) ??
    onlyOf(await findByNumber(context, mode, name, merchant), {
      en: "series and number",
      el: "αυτή τη σειρά και αριθμό",
    }) ??
    onlyOf(MARK_FORM.test(name) ? await listed({ mark: name }) : [], { en: "MARK", el: "αυτό το ΜΑΡΚ" });
  if (found !== undefined) return found;
  throw new AppError("not_found", NO_SUCH_DOCUMENT);
}

/** By series and number: `TIM 1`. A number alone is none that a person would mean. */
async function findByNumber(
  context: Context,
  mode: Mode,
  name: string,
  merchant: string | undefined,
): Promise<DocumentObject[]> {
  const { findNumberedDocuments, parseNumber } = await import("../../src/documents/search-documents.ts");
  if (parseNumber(name)?.series === undefined) return [];
  return findNumberedDocuments(context, mode, name, { limit: 2, merchant });
}

/** Throws UsageError if there is a second one. */
function onlyOf([found, another]: readonly DocumentObject[], name: Text): DocumentObject | undefined {
  if (another === undefined) return found;
  throw new UsageError({
    en: `several documents have this ${name.en}: give the id, or add --merchant if they are of several merchants`,
    el: `περισσότερα παραστατικά έχουν ${name.el}: δώστε το id, ή προσθέστε --merchant αν είναι πολλών επιχειρήσεων`,
  });
}

const NO_SUCH_DOCUMENT: Text = {
  en: "There is no document with this id, external reference, series and number, or MARK",
  el: "Δεν υπάρχει παραστατικό με αυτό το id, την εξωτερική αναφορά, τη σειρά και τον αριθμό ή το ΜΑΡΚ",
};
