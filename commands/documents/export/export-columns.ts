/** The columns of an export, for CSV files and workbooks. Each row is a document. */
import type { ExportedDocument } from "../../../src/books/export-documents.ts";
import { VAT_CATEGORIES, type VatCategory } from "../../../src/domain/document-codes.ts";

/** A cell is text, a day, a whole number or an amount in cents. Null is an empty cell. */
export type ExportColumn = { head: string } & (
  | { kind: "text" | "day"; value(document: ExportedDocument): string | null }
  | { kind: "integer" | "amount"; value(document: ExportedDocument): number | null }
);

export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text("merchant", (document) => document.merchant_external_id),
  text("supplier", ({ supplier }) => supplier),
  { head: "branch", kind: "integer", value: ({ branch }) => branch },
  text("type", ({ type }) => type),
  text("series", ({ series }) => series),
  { head: "number", kind: "integer", value: ({ number }) => number },
  { head: "issue_date", kind: "day", value: (document) => document.issue_date },
  text("mark", ({ mark }) => mark),
  text("uid", ({ uid }) => uid),
  text("status", statusOf),
  text("cancelled_at", (document) => document.cancelled_at),
  text("cancellation_mark", (document) => document.cancellation_mark),
  text("customer_country", ({ customer }) => customer?.country ?? null),
  text("customer_tax_id", ({ customer }) => customer?.tax_id ?? null),
  text("customer_name", ({ customer }) => customer?.name ?? null),
  amount("net", ({ net }) => net),
  amount("vat", ({ vat }) => vat),
  amount("gross", ({ gross }) => gross),
  ...Object.entries(VAT_CATEGORIES).flatMap(([category, { ratePercent }]) => [
    amount(`net_${ratePercent}`, (document) => shareOf(document, category as VatCategory)?.net ?? 0),
    amount(`vat_${ratePercent}`, (document) => shareOf(document, category as VatCategory)?.vat ?? 0),
  ]),
  // The factor of the row's amounts in the totals.
  { head: "counts", kind: "integer", value: ({ counts }) => counts },
  text("external_reference", (document) => document.external_reference),
  text("provider", ({ provider }) => provider),
  text("id", ({ id }) => id),
];

function text(head: string, value: (document: ExportedDocument) => string | null): ExportColumn {
  return { head, kind: "text", value };
}

function amount(head: string, value: (document: ExportedDocument) => number): ExportColumn {
  return { head, kind: "amount", value };
}

/** `cancelled` for an issued document that was cancelled, as in lists. */
function statusOf({ status, cancelled_at }: ExportedDocument): string {
  return cancelled_at === null ? status : "cancelled";
}

function shareOf({ vat_by_category }: ExportedDocument, category: VatCategory) {
  return vat_by_category.find((share) => share.category === category);
}
