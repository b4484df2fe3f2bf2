/** The documents of a span of issue dates, for the books (decisions 13, `documents export`). */
import { findDocumentInput } from "../../storage/documents.ts";
import { type ExportFilters, type ExportRow, findExportPage } from "../../storage/export.ts";
import type { DocumentStatus, Provider } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/session.ts";
import type { Context } from "../journal/context.ts";
import { readJson } from "../foundation/json.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { countOf, createTotalsCounter, type ExportTotals } from "./export-totals.ts";
import { computeVatShares, type VatShare } from "../domain/totals.ts";

export type { ExportFilters } from "../../storage/export.ts";
export type { ExportTotals } from "./export-totals.ts";

/** One document of an export. Amounts are cents as the document states them: those of a credit note too are positive. */
export interface ExportedDocument {
  id: string;
  merchant: string;
  merchant_external_id: string;
  supplier: string;
  branch: number;
  type: string;
  status: DocumentStatus;
  series: string | null;
  number: number | null;
  issue_date: string;
  mark: string | null;
  uid: string | null;
  cancelled_at: string | null;
  cancellation_mark: string | null;
  /** Null where the type has none. */
  customer: { country: string; tax_id: string; name: string | null } | null;
  net: number;
  vat: number;
  gross: number;
  /** Only the categories that its lines have. */
  vat_by_category: VatShare[];
  /** What its amounts are multiplied by in the totals: 1, -1 for a credit note, 0 where it is cancelled or not issued. */
  counts: 1 | 0 | -1;
  external_reference: string | null;
  provider: Provider;
}

export interface DocumentExport {
  /** In the order of issue date and acceptance. Can be gone through once. */
  documents: AsyncIterable<ExportedDocument>;
  /** Of the documents that were gone through so far. */
  totals(): ExportTotals;
}

/** Rows of a page, each well below a kilobyte: their inputs, of up to four megabytes, are read one by one. */
const PAGE_ROWS = 200;

/**
 * Reads the documents of one state of the database, so that rows and totals agree while others are issued, and hands them to
 * `use`, page by page as it takes them.
 */
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
  session: Session,
  filters: ExportFilters,
  note: (document: ExportedDocument) => void,
): AsyncGenerator<ExportedDocument> {
  let after: ExportRow | undefined;
  for (;;) {
    const rows = await findExportPage(session, filters, { after, limit: PAGE_ROWS });
    for (const row of rows) {
      const input = await findDocumentInput(session, row.id);
      if (input === undefined) throw new Error(`The input of the document ${row.id} is gone`);
      const document = buildExported(row, readJson<CanonicalDocument>(input.input_json));
      note(document);
      yield document;
    }
    after = rows.at(-1);
    if (after === undefined || rows.length < PAGE_ROWS) return;
  }
}

function buildExported(row: ExportRow, { customer, lines }: CanonicalDocument): ExportedDocument {
  return {
    id: row.id,
    merchant: row.merchant_id,
    merchant_external_id: row.merchant_external_id,
    supplier: row.supplier,
    branch: row.branch,
    type: row.type,
    status: row.status,
    series: row.series,
    number: row.number,
    issue_date: row.issue_date,
    mark: row.mark,
    // Before the document is issued the uid is ours alone to know.
    uid: row.status === "issued" ? row.uid : null,
    cancelled_at: row.cancelled_at,
    cancellation_mark: row.cancellation_mark,
    customer:
      customer === undefined
        ? null
        : { country: customer.tax_id.country, tax_id: customer.tax_id.code, name: customer.name ?? null },
    net: row.net,
    vat: row.vat,
    gross: row.gross,
    vat_by_category: computeVatShares(lines),
    counts: countOf(row),
    external_reference: row.external_reference,
    provider: row.provider,
  };
}
