/** Reads the documents that count in the books of a period, with their lines, one at a time. */
import { findDocumentInput } from "../../storage/documents/documents.ts";
import { type ExportRow, findExportPage } from "../../storage/documents/export.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { findOriginalRow } from "../documents/originals.ts";
import { type CanonicalDocument, originalMarksOf } from "../domain/canonical-document.ts";
import { marketOf } from "../domain/classification.ts";
import { type DocumentType, isCreditNote, type Market } from "../domain/document-types.ts";
import { NORTHERN_IRELAND } from "../domain/tax-number.ts";
import type { TaxKind } from "../domain/taxes.ts";
import { computeTotals } from "../domain/totals.ts";
import type { Region } from "../domain/vat-return.ts";
import { readJson } from "../foundation/json.ts";
import type { Decided } from "../issuing/outgoing.ts";
import type { Context } from "../journal/context.ts";

/** Issue dates, both inclusive. */
export interface BooksPeriod {
  mode: Mode;
  from: string;
  through: string;
  merchantId?: string | undefined;
}

/** A line of an issued document that is not cancelled. */
export interface CountedLine {
  vatCategory: CanonicalDocument["lines"][number]["vat_category"];
  exemption: number | undefined;
  income: { category: string; type: string | null };
  /** Cents, negative on a credit note. */
  net: bigint;
  vat: bigint;
}

export interface CountedDocument {
  /** The merchant's external id. */
  merchant: string;
  issueDate: string;
  /** A credit note has that of the document it credits. */
  region: Region;
  /** Its VAT is due only once it is paid. */
  isVatSuspended: boolean;
  customer: { country: string; code: string } | undefined;
  lines: CountedLine[];
  /** Besides VAT; negative on a credit note. */
  taxes: CountedTax[];
}

export interface CountedTax {
  kind: TaxKind;
  /** The authority's category; null where the tax has none. */
  category: number | null;
  /** Cents. */
  amount: bigint;
}

/** Adds up what it needs of each document. */
export interface Sum {
  add(document: CountedDocument): void;
}

/** Adds each document of the period to all `sums`. They see one state of the database, so they agree while documents are issued. */
export function addDocuments({ store }: Context, period: BooksPeriod, sums: readonly Sum[]): Promise<void> {
  return store.snapshot(async (session) => {
    for await (const document of countedDocuments(session, period)) for (const sum of sums) sum.add(document);
  });
}

const PAGE_ROWS = 200;

/** In order of issue date and acceptance. A cancelled document does not count; a credit note counts negative. */
async function* countedDocuments(
  session: KeyedSession,
  { mode, from, through, merchantId }: BooksPeriod,
): AsyncGenerator<CountedDocument> {
  const filters = { mode, from, through, merchantId, statuses: ["issued"] as const };
  let after: ExportRow | undefined;
  for (;;) {
    const rows = await findExportPage(session, filters, { after, limit: PAGE_ROWS });
    for (const row of rows) if (row.cancelled_at === null) yield await readCounted(session, row, mode);
    after = rows.at(-1);
    if (after === undefined || rows.length < PAGE_ROWS) return;
  }
}

async function readCounted(session: KeyedSession, row: ExportRow, mode: Mode): Promise<CountedDocument> {
  const stored = await findDocumentInput(session, row.id);
  if (stored === undefined) throw new Error(`The contents of document ${row.id} are missing`);
  const document = readJson<CanonicalDocument>(stored.input_json);
  const { lines, customer, taxes = [] } = document;
  const { classifications, vatPaymentSuspension } = readJson<Decided>(stored.decided_json);
  const sign = isCreditNote(row.type) ? -1n : 1n;
  const amounts = computeTotals(lines).lines;
  return {
    merchant: row.merchant_external_id,
    issueDate: row.issue_date,
    region: REGIONS[await marketOfSale(session, row, document, mode)],
    isVatSuspended: vatPaymentSuspension === true,
    customer: customer?.tax_id,
    lines: lines.map((line, index) => ({
      vatCategory: line.vat_category,
      exemption: line.vat_exemption,
      income: classifications[index]!,
      net: sign * BigInt(amounts[index]!.net),
      vat: sign * BigInt(amounts[index]!.vat),
    })),
    taxes: taxes.map(({ kind, category = null, amount }) => ({
      kind,
      category,
      amount: sign * BigInt(amount),
    })),
  };
}

/** Northern Ireland is in the EU for goods only, and only the credited document says which of the two a credit note is about. */
async function marketOfSale(
  session: KeyedSession,
  { merchant_id: merchantId }: ExportRow,
  document: CanonicalDocument,
  mode: Mode,
): Promise<Market> {
  const { customer } = document;
  const [mark] = originalMarksOf(document);
  if (customer?.tax_id.country !== NORTHERN_IRELAND || mark === undefined) return marketOf(document);
  const original = await findOriginalRow(session, mark, merchantId, mode);
  return marketOf({ type: (original?.type as DocumentType | undefined) ?? document.type, customer });
}

const REGIONS: Readonly<Record<Market, Region>> = {
  greece: "greece",
  eu: "eu",
  thirdCountry: "third_country",
};
