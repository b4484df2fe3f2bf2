/**
 * Puts a document together from the answers of a person (docs/contract.md#new-documents), and finds the answers of the last document and
 * those that are kept until theirs is accepted.
 */
import * as v from "valibot";
import type { PaymentMethod, VatCategory } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType, typeInfo } from "../domain/document-types.ts";
import { computeExactTotals, type PricedLine } from "../domain/totals.ts";
import { type Mode, MODES } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { readContents } from "./contents.ts";
import { listDocuments } from "./list-documents.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { findText, replacePrivateFile } from "../../storage/files/folder.ts";

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

interface Payment {
  method: PaymentMethod;
  amount: number;
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

function withoutBlanks(customer: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== undefined));
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

/**
 * The answers of a document that was put together at the terminal, kept until it is accepted, so that nobody types them twice: one file in
 * the data directory, which only its owner can read, because it belongs to the person at this machine.
 */
const UnissuedSchema = v.strictObject({
  /** When it was kept: an instant in UTC. */
  at: v.string(),
  mode: v.picklist(MODES),
  /** The merchant's external id. */
  merchant: v.string(),
  /** The answers as flags and their values. */
  args: v.array(v.string()),
});

export type Unissued = v.InferOutput<typeof UnissuedSchema>;

const fileIn = ({ config }: Pick<Context, "config">) => join(config.dataDir, "unissued.json");

export function keepUnissued(context: Context, unissued: Omit<Unissued, "at">): void {
  replacePrivateFile(fileIn(context), JSON.stringify({ at: context.clock.now(), ...unissued }));
}

/** Undefined if nothing is kept, or another version kept it in another form. */
export function findUnissued(context: Pick<Context, "config">): Unissued | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), UnissuedSchema), findText(fileIn(context)));
  return parsed.success ? parsed.output : undefined;
}

export function forgetUnissued(context: Pick<Context, "config">): void {
  rmSync(fileIn(context), { force: true });
}
