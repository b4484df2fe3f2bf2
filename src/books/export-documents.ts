/** Exports the documents of a range of issue dates for bookkeeping (docs/contract.md#exported-csv). Totals are exact: BigInt. */
import {
  type ExportFilters,
  type ExportRow,
  findExportPage,
} from "../../storage/documents/dated-documents.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Context } from "../journal/context.ts";
import { everyPortion, itemsOf } from "../foundation/pages.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { computeVatShares } from "../domain/totals.ts";
import { payableOf } from "../domain/taxes.ts";
import { type Accepted, readAccepted } from "../issuing/outgoing.ts";
import { readKind, shareLines } from "../domain/shares.ts";
import type { Pair } from "../domain/classification.ts";
import { VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, isCreditNote } from "../domain/document-types.ts";

export type { ExportFilters } from "../../storage/documents/dated-documents.ts";

/** One document of an export. Amounts are cents as on the document, so those of credit notes are positive too. */
export type ExportedDocument = ReturnType<typeof buildExported>;

export interface DocumentExport {
  /** In the order of issue date and acceptance; can be iterated once. */
  documents: AsyncIterable<ExportedDocument>;
  /** Totals of the documents iterated so far. */
  totals(): ExportTotals;
}

/** A row is well below a kilobyte; inputs, of up to four megabytes, are read one by one. */
const PAGE_ROWS = 200;

/** Passes the documents to `use`, from one snapshot of the database, so that rows and totals agree while others are issued. */
export function exportDocuments<T>(
  context: Context,
  filters: ExportFilters,
  use: (exported: DocumentExport) => Promise<T>,
): Promise<T> {
  const counter = createTotalsCounter();
  return context.store.snapshot((session) =>
    use({
      documents: readDocuments(session, filters, (document) => counter.add(document)),
      totals: () => counter.totals(),
    }),
  );
}

async function* readDocuments(
  session: KeyedSession,
  filters: ExportFilters,
  note: (document: ExportedDocument) => void,
): AsyncGenerator<ExportedDocument> {
  const pages = everyPortion<ExportRow>(PAGE_ROWS, (after, limit) =>
    findExportPage(session, filters, { after, limit }),
  );
  for await (const row of itemsOf(pages)) {
    const document = buildExported(row, await readAccepted(session, row.id));
    note(document);
    yield document;
  }
}

function buildExported(
  { merchant_id: merchant, ...row }: ExportRow,
  { document, decided: { sentType, classifications } }: Accepted,
) {
  const { customer, lines, taxes = [] } = document;
  return {
    ...row,
    merchant,
    /** The type that it is sent as: `1.2` for a 1.1 to another EU country. */
    authority_type: sentType,
    // The authority knows the uid only once the document is issued.
    uid: row.status === "issued" ? row.uid : null,
    /** Null where the type has none. */
    customer:
      customer === undefined
        ? null
        : { country: customer.tax_id.country, tax_id: customer.tax_id.code, name: customer.name ?? null },
    /** Besides VAT, as on the document. */
    taxes,
    payable: payableOf(document),
    /** Only categories that occur in its lines. */
    vat_by_category: computeVatShares(lines),
    groups: groupLines(lines, classifications),
    /** Factor in the totals. */
    counts: signOf(row),
  };
}

export type LineGroup = ReturnType<typeof groupLines>[number];

/**
 * In the order of first use; the groups add up to the document's totals. Amounts are cents as on the document. `exemption` is null unless
 * the lines are exempt, `income_type` where the category is sent without one. `pairs` has one for each line.
 */
function groupLines(lines: CanonicalDocument["lines"], pairs: readonly Pair[]) {
  return shareLines(lines, pairs).map(([kind, net, vat]) => {
    const { vatCategory, exemption, income } = readKind(kind);
    const { category: income_category, type: income_type } = income;
    return { vat_category: vatCategory, exemption, income_category, income_type, net, vat };
  });
}

/** The parts of a document that totals need. */
export type CountedDocument = Pick<
  ExportedDocument,
  "type" | "status" | "cancelled_at" | "net" | "vat" | "gross" | "vat_by_category"
>;

/** Cents; those of credit notes are negative. */
export interface TypeTotal {
  type: string;
  /** Number of documents included in the amounts. */
  documents: number;
  /** Number of cancelled documents, which no amount includes. */
  cancelled: number;
  net: bigint;
  vat: bigint;
  gross: bigint;
}

export type ExportTotals = ReturnType<ReturnType<typeof createTotalsCounter>["totals"]>;

/** The factor of a document in totals: 1, -1 for a credit note, 0 if cancelled or not issued. */
export function signOf(document: Pick<ExportRow, "type" | "status" | "cancelled_at">): 1 | 0 | -1 {
  if (document.status !== "issued" || document.cancelled_at !== null) return 0;
  return isCreditNote(document.type) ? -1 : 1;
}

export function createTotalsCounter() {
  const byType = new Map<string, TypeTotal>();
  const byVat = new Map<VatCategory, { net: bigint; vat: bigint }>();
  return {
    add(document: CountedDocument): void {
      const count = signOf(document);
      const sign = BigInt(count);
      const { type } = document;
      const total = byType.get(type) ?? { type, documents: 0, cancelled: 0, net: 0n, vat: 0n, gross: 0n };
      byType.set(type, total);
      if (document.cancelled_at !== null) total.cancelled += 1;
      if (count === 0) return;
      total.documents += 1;
      total.net += sign * BigInt(document.net);
      total.vat += sign * BigInt(document.vat);
      total.gross += sign * BigInt(document.gross);
      for (const share of document.vat_by_category) {
        const sum = byVat.get(share.category) ?? { net: 0n, vat: 0n };
        byVat.set(share.category, sum);
        sum.net += sign * BigInt(share.net);
        sum.vat += sign * BigInt(share.vat);
      }
    },
    /** Of the documents added so far. Only types and categories that occur, in the order of the contract. */
    totals: () => ({
      by_type: DOCUMENT_TYPES.flatMap((type) => byType.get(type) ?? []),
      by_vat: (Object.keys(VAT_CATEGORIES) as VatCategory[]).flatMap((category) => {
        const sum = byVat.get(category);
        const rate = VAT_CATEGORIES[category].ratePercent;
        return sum === undefined ? [] : [{ category, rate_percent: rate, ...sum }];
      }),
    }),
  };
}
