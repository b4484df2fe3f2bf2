/** The merchant's last document, from which `fiscal documents new` suggests answers. */
import type { Appliance } from "../../../src/appliance.ts";
import { readContents } from "../../../src/documents/contents.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import type { VatCategory } from "../../../src/domain/document-codes.ts";
import { type DocumentType, typeInfo } from "../../../src/domain/document-types.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { PaymentMethod } from "./flags.ts";

export interface Last {
  type: DocumentType;
  payment: PaymentMethod;
  category: VatCategory;
}

/** Undefined if none was issued. */
export async function findLast(
  appliance: Appliance,
  mode: Mode,
  merchant: string,
): Promise<Last | undefined> {
  const { data } = await listDocuments(appliance, mode, { merchant, status: "issued", limit: 1 });
  const [newest] = data;
  if (newest === undefined) return undefined;
  const { object, payments } = await readContents(appliance, mode, newest.id);
  const { type, lines } = object.document;
  const { defaultPaymentMethod } = typeInfo(type);
  return { type, payment: payments[0]?.method ?? defaultPaymentMethod, category: lines[0]!.vat_category };
}
