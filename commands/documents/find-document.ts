/** A document is named by its id or by the external reference that it was accepted with. */
import type { Context } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { UsageError } from "../exit.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";

export interface NameOptions {
  /** Whose reference it is: id or external id. */
  merchant?: string;
}

const DOCUMENT_ID = /^doc_[0-9A-Za-z]{22}$/;

/** The document that `name` names: its id, or the external reference that one document has. Throws `not_found`. */
export async function documentNamed(
  context: Context,
  mode: Mode,
  name: string,
  options: NameOptions,
): Promise<DocumentObject> {
  const { getDocument, findDocumentByReference, listDocuments } = await import(
    "../../src/documents/list-documents.ts"
  );
  if (DOCUMENT_ID.test(name)) return getDocument(context, mode, name);
  const merchantId = await merchantIdOf(context, options.merchant);
  if (merchantId !== undefined) {
    const found = await findDocumentByReference(context, mode, merchantId, name);
    if (found !== undefined) return found;
    throw new AppError(
      "not_found",
      "The merchant has no document with this id or external reference in this mode",
    );
  }
  const { data } = await listDocuments(context, mode, { limit: 2, external_reference: name });
  const [found] = data;
  if (found === undefined)
    throw new AppError("not_found", "There is no document with this id or external reference");
  if (data.length > 1)
    throw new UsageError("several documents have this reference: add --merchant, or give the id");
  return found;
}
