/** The columns of an export, for CSV files and workbooks: of its documents, and of the groups of their lines. */
import type { ExportedDocument, LineGroup } from "../../../src/books/export-documents.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type Clients, greekHead, greekSheetName, greekValue } from "../../../src/operations/greek-files.ts";
import { sumOfKind, type Tax, TAX_KINDS } from "../../../src/domain/taxes.ts";
import { VAT_CATEGORIES, type VatCategory } from "../../../src/domain/document-codes.ts";

/** Amounts are cents. */
interface CellKinds {
  text: string;
  day: string;
  integer: number;
  amount: number;
}

/** Null is an empty cell. */
export type ExportColumn<Row = ExportedDocument> = {
  [Kind in keyof CellKinds]: { head: string; kind: Kind; value: (row: Row) => CellKinds[Kind] | null };
}[keyof CellKinds];

/** Each row is a document. Credit notes are negative and what does not count is 0, so that sums of a column are right. */
const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text("merchant", (document) => document.merchant_external_id),
  text("supplier", ({ supplier }) => supplier),
  { head: "branch", kind: "integer", value: ({ branch }) => branch },
  text("type", ({ type }) => type),
  text("authority_type", (document) => document.authority_type),
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
  amount("net", ({ net, counts }) => net * counts),
  amount("vat", ({ vat, counts }) => vat * counts),
  amount("gross", ({ gross, counts }) => gross * counts),
  ...TAX_KINDS.map((kind) =>
    amount(`tax_${kind}`, ({ taxes, counts }) => counts * Number(sumOfKind(taxes, kind))),
  ),
  amount("payable", ({ payable, counts }) => payable * counts),
  text("tax_categories", ({ taxes }) => listed(taxes.map(categoryOf))),
  ...Object.entries(VAT_CATEGORIES).flatMap(([category, { ratePercent }]) => [
    amount(`net_${ratePercent}`, (document) => shareOf(document, category as VatCategory).net),
    amount(`vat_${ratePercent}`, (document) => shareOf(document, category as VatCategory).vat),
  ]),
  text("exemptions", ({ groups }) => listed(groups.map(({ exemption }) => exemption?.toString()))),
  text("income", ({ groups }) => listed(groups.map(incomeOf))),
  // The factor that the row's amounts already have: 1, -1 or 0.
  { head: "counts", kind: "integer", value: ({ counts }) => counts },
  text("external_reference", (document) => document.external_reference),
  text("provider", ({ provider }) => provider),
  text("id", ({ id }) => id),
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
const GROUP_COLUMNS: readonly ExportColumn<GroupRow>[] = [
  ...EXPORT_COLUMNS.filter(({ head }) => IDENTIFYING.has(head)).map(ofDocument),
  text("vat_category", ({ group }) => group.vat_category),
  { head: "vat_rate", kind: "integer", value: ({ group }) => VAT_CATEGORIES[group.vat_category].ratePercent },
  { head: "exemption", kind: "integer", value: ({ group }) => group.exemption },
  text("income_category", ({ group }) => group.income_category),
  text("income_type", ({ group }) => group.income_type),
  amount("net", ({ group, document }) => group.net * document.counts),
  amount("vat", ({ group, document }) => group.vat * document.counts),
  { head: "counts", kind: "integer", value: ({ document }) => document.counts },
  text("id", ({ document }) => document.id),
];

export function groupRows(document: ExportedDocument): GroupRow[] {
  return document.groups.map((group) => ({ document, group }));
}

function ofDocument(column: ExportColumn): ExportColumn<GroupRow> {
  const { head } = column;
  if (column.kind === "text" || column.kind === "day") {
    const { kind, value } = column;
    return { head, kind, value: ({ document }) => value(document) };
  }
  const { kind, value } = column;
  return { head, kind, value: ({ document }) => value(document) };
}

function text<Row = ExportedDocument>(head: string, value: (row: Row) => string | null): ExportColumn<Row> {
  return { head, kind: "text", value };
}

function amount<Row = ExportedDocument>(head: string, value: (row: Row) => number): ExportColumn<Row> {
  return { head, kind: "amount", value };
}

/** `withheld 3`; deductions have no category. */
function categoryOf({ kind, category }: Tax): string | undefined {
  return category === undefined ? undefined : `${kind} ${category}`;
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

/** The columns and words of a file in one language. */
export interface ExportForm {
  documents: readonly ExportColumn[];
  groups: readonly ExportColumn<GroupRow>[];
  headOf(head: string): string;
  sheetName(name: string): string;
  /** The name of a total, and the note below them. */
  say(text: Text): string;
}

/** In Greek with `clients`, in English without. */
export function exportForm(clients: Clients | undefined): ExportForm {
  if (clients === undefined)
    return {
      documents: EXPORT_COLUMNS,
      groups: GROUP_COLUMNS,
      headOf: (head) => head,
      sheetName: (name) => name,
      say: ({ en }) => en,
    };
  const nameOf = ({ merchant_external_id: merchant }: ExportedDocument) =>
    clients.get(merchant)?.name ?? null;
  const isSupplier = ({ head }: { head: string }) => head === "supplier";
  return {
    documents: EXPORT_COLUMNS.flatMap((column) =>
      isSupplier(column) ? [inGreek(column), inGreek(text("name", nameOf))] : [inGreek(column)],
    ),
    groups: GROUP_COLUMNS.flatMap((column) =>
      isSupplier(column)
        ? [inGreek(column), inGreek(text<GroupRow>("name", ({ document }) => nameOf(document)))]
        : [inGreek(column)],
    ),
    headOf: greekHead,
    sheetName: greekSheetName,
    say: ({ el }) => el,
  };
}

function inGreek<Row>(column: ExportColumn<Row>): ExportColumn<Row> {
  const value = (row: Row) => greekValue(column.head, column.value(row));
  return { ...column, head: greekHead(column.head), value } as ExportColumn<Row>;
}
