/** The merchant's last document, from which answers are suggested for a new one. */
import type { Mode } from "../../storage/stored-values.ts";
import type { PaymentMethod, VatCategory } from "../domain/document-codes.ts";
import { type DocumentType, typeInfo } from "../domain/document-types.ts";
import type { Context } from "../journal/context.ts";
import { readContents } from "./contents.ts";
import { listDocuments } from "./list-documents.ts";

export interface Last {
  type: DocumentType;
  payment: PaymentMethod;
  category: VatCategory;
}

/** Undefined if none was issued. */
export async function findLast(context: Context, mode: Mode, merchant: string): Promise<Last | undefined> {
  const { data } = await listDocuments(context, mode, { merchant, status: "issued", limit: 1 });
  const [newest] = data;
  if (newest === undefined) return undefined;
  const { object, payments } = await readContents(context, mode, newest.id);
  const { type, lines } = object.document;
  const { defaultPaymentMethod } = typeInfo(type);
  return { type, payment: payments[0]?.method ?? defaultPaymentMethod, category: lines[0]!.vat_category };
}
