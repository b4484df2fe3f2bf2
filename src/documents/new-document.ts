/** Puts a document together from the answers of a person (docs/contract.md#new-documents), and finds those of the last document. */
import type { Payment } from "../domain/canonical-document.ts";
import type { PaymentMethod, VatCategory } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType, typeInfo } from "../domain/document-types.ts";
import { computeExactTotals, type PricedLine } from "../domain/totals.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { readContents } from "./contents.ts";
import { listDocuments } from "./list-documents.ts";

/** All but the credit note that must name its originals, which is issued by crediting one of them. */
export const NEW_TYPES = DOCUMENT_TYPES.filter((type) => typeInfo(type).originalMarks !== "required");

export interface NewDocument {
  merchant: string;
  /** The merchant's Greek tax number. */
  supplier: string;
  branch: number;
  type: DocumentType;
  issueDate: string;
  /** As in the body; undefined members are left out. */
  customer: object | undefined;
  lines: readonly PricedLine[];
  /** Of the whole amount, or of what the other payments leave. */
  payment: PaymentMethod;
  others?: readonly Payment[];
}

/** The body of POST /documents. Totals beyond the limits of a document are refused when the body is checked. */
export function newBody(wanted: NewDocument) {
  const { net, vat, gross } = computeExactTotals(wanted.lines);
  const others = wanted.others ?? [];
  const rest = Number(gross) - others.reduce((sum, { amount }) => sum + amount, 0);
  const isPaid = others.length > 0 && rest === 0;
  return {
    merchant: wanted.merchant,
    document: {
      type: wanted.type,
      issue_date: wanted.issueDate,
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: wanted.supplier }, branch: wanted.branch },
      ...(wanted.customer === undefined ? {} : { customer: withoutBlanks(wanted.customer) }),
      lines: wanted.lines,
      payments: [...(isPaid ? [] : [{ method: wanted.payment, amount: rest }]), ...others],
      totals: { net: Number(net), vat: Number(vat), gross: Number(gross) },
    },
  };
}

function withoutBlanks<T extends object>(customer: T): T {
  return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== undefined)) as T;
}

/** The answers that are suggested for a new document. */
export interface Last {
  type: DocumentType;
  payment: PaymentMethod;
  category: VatCategory;
}

/** From the merchant's last document; undefined if none was issued. */
export async function findLast(context: Context, mode: Mode, merchant: string): Promise<Last | undefined> {
  const { data } = await listDocuments(context, mode, { merchant, status: "issued", limit: 1 });
  const [newest] = data;
  if (newest === undefined) return undefined;
  const { object, payments } = await readContents(context, mode, newest.id);
  const { type, lines } = object.document;
  const { defaultPaymentMethod } = typeInfo(type);
  return { type, payment: payments[0]?.method ?? defaultPaymentMethod, category: lines[0]!.vat_category };
}
