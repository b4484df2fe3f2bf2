/** The columns of an export, for CSV files and workbooks: of its documents, and of the groups of their lines. */
import type { ExportedDocument, ExportTotals, LineGroup } from "../../../src/books/export-documents.ts";
import type { ReportCell } from "../../../src/books/report-sheets.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { sumOfKind, TAX_KINDS, taxCategories } from "../../../src/domain/taxes.ts";
import { VAT_CATEGORIES, type VatCategory } from "../../../src/domain/document-codes.ts";

export interface ExportColumn<Row = ExportedDocument> {
  head: string;
  value(row: Row): ReportCell;
}

/** Each row is a document. Credit notes are negative and what does not count is 0, so that sums of a column are right. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  column("merchant", (document) => document.merchant_external_id),
  column("supplier", ({ supplier }) => supplier),
  column("branch", ({ branch }) => branch),
  column("type", ({ type }) => type),
  column("authority_type", (document) => document.authority_type),
  column("series", ({ series }) => series),
  column("number", ({ number }) => number),
  column("issue_date", (document) => document.issue_date),
  column("mark", ({ mark }) => mark),
  column("uid", ({ uid }) => uid),
  column("status", statusOf),
  column("cancelled_at", (document) => document.cancelled_at),
  column("cancellation_mark", (document) => document.cancellation_mark),
  column("customer_country", ({ customer }) => customer?.country ?? null),
  column("customer_tax_id", ({ customer }) => customer?.tax_id ?? null),
  column("customer_name", ({ customer }) => customer?.name ?? null),
  amount("net", ({ net, counts }) => net * counts),
  amount("vat", ({ vat, counts }) => vat * counts),
  amount("gross", ({ gross, counts }) => gross * counts),
  ...TAX_KINDS.map((kind) =>
    amount(`tax_${kind}`, (document) => document.counts * Number(sumOfKind(document, kind))),
  ),
  amount("payable", ({ payable, counts }) => payable * counts),
  column("tax_categories", (document) => listed(taxCategories(document))),
  ...Object.entries(VAT_CATEGORIES).flatMap(([category, { ratePercent }]) => [
    amount(`net_${ratePercent}`, (document) => shareOf(document, category as VatCategory).net),
    amount(`vat_${ratePercent}`, (document) => shareOf(document, category as VatCategory).vat),
  ]),
  column("exemptions", ({ groups }) => listed(groups.map(({ exemption }) => exemption?.toString()))),
  column("income", ({ groups }) => listed(groups.map(incomeOf))),
  // The factor that the row's amounts already have: 1, -1 or 0.
  column("counts", ({ counts }) => counts),
  column("external_reference", (document) => document.external_reference),
  column("provider", ({ provider }) => provider),
  column("id", ({ id }) => id),
];

export interface GroupRow {
  document: ExportedDocument;
  group: LineGroup;
}

/** Of the document's own columns, those that identify it in the books. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  "merchant",
  "supplier",
  "branch",
  "type",
  "authority_type",
  "series",
  "number",
  "issue_date",
  "mark",
  "status",
  "customer_country",
  "customer_tax_id",
]);

/** Each row is a group of lines of one document. */
export const GROUP_COLUMNS: readonly ExportColumn<GroupRow>[] = [
  ...EXPORT_COLUMNS.filter(({ head }) => IDENTIFYING.has(head)).map(
    (own): ExportColumn<GroupRow> => ({ ...own, value: ({ document }) => own.value(document) }),
  ),
  column("vat_category", ({ group }) => group.vat_category),
  column("vat_rate", ({ group }) => VAT_CATEGORIES[group.vat_category].ratePercent),
  column("exemption", ({ group }) => group.exemption),
  column("income_category", ({ group }) => group.income_category),
  column("income_type", ({ group }) => group.income_type),
  amount("net", ({ group, document }) => group.net * document.counts),
  amount("vat", ({ group, document }) => group.vat * document.counts),
  column("counts", ({ document }) => document.counts),
  column("id", ({ document }) => document.id),
];

export function groupRows(document: ExportedDocument): GroupRow[] {
  return document.groups.map((group) => ({ document, group }));
}

function column<Row = ExportedDocument>(head: string, value: (row: Row) => ReportCell): ExportColumn<Row> {
  return { head, value };
}

/** In cents. */
function amount<Row = ExportedDocument>(head: string, value: (row: Row) => number): ExportColumn<Row> {
  return { head, value: (row) => BigInt(value(row)) };
}

/** Each value once: `14 + 27`. Null without any. */
function listed(values: readonly (string | undefined)[]): string | null {
  const found = new Set(values.filter((value) => value !== undefined));
  return found.size === 0 ? null : [...found].join(" + ");
}

function incomeOf(group: LineGroup): string {
  const { income_category: category, income_type: type } = group;
  return type === null ? category : `${category} ${type}`;
}

/** `cancelled` for an issued document that was cancelled, as in lists. */
function statusOf({ status, cancelled_at }: ExportedDocument): string {
  return cancelled_at === null ? status : "cancelled";
}

function shareOf({ vat_by_category, counts }: ExportedDocument, category: VatCategory) {
  const { net = 0, vat = 0 } = vat_by_category.find((share) => share.category === category) ?? {};
  return { net: net * counts, vat: vat * counts };
}

/** In cents. Documents are counted only by type. */
export interface TotalLine {
  total: Text;
  documents: number | null;
  cancelled: number | null;
  net: bigint;
  vat: bigint;
  gross: bigint;
}

export function totalColumns(say: (text: Text) => string): ExportColumn<TotalLine>[] {
  const counts = (["documents", "cancelled"] as const).map((head) =>
    column(head, (line: TotalLine) => line[head]),
  );
  const sums = (["net", "vat", "gross"] as const).map((head) =>
    column(head, (line: TotalLine) => line[head]),
  );
  return [column("total", ({ total }) => say(total)), ...counts, ...sums];
}

/** A line for each type, one for all, and one for each VAT category. */
export function totalLines({ by_type, by_vat }: ExportTotals): TotalLine[] {
  const ofTypes = by_type.map(({ type, ...sums }) => ({
    total: { en: `type ${type}`, el: `τύπος ${type}` },
    ...sums,
  }));
  const all = { total: ALL, documents: 0, cancelled: 0, net: 0n, vat: 0n, gross: 0n };
  for (const { total: _total, ...sums } of ofTypes) {
    all.documents += sums.documents;
    all.cancelled += sums.cancelled;
    all.net += sums.net;
    all.vat += sums.vat;
    all.gross += sums.gross;
  }
  const ofVat = by_vat.map(({ category, rate_percent, net, vat }) => ({
    total: { en: `VAT ${rate_percent}% (${category})`, el: `ΦΠΑ ${rate_percent}% (${category})` },
    documents: null,
    cancelled: null,
    net,
    vat,
    gross: net + vat,
  }));
  return [...ofTypes, all, ...ofVat];
}

const ALL: Text = { en: "all", el: "όλα" };
