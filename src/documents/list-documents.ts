/** Finds documents: by id, by reference, by sandbox MARK, or as a filtered page. */
import {
  type DocumentRow,
  findDocumentRow,
  findDocumentRowByReference,
  findDocumentRows,
  findDocumentsByMark,
} from "../../storage/documents/documents.ts";
import { type CustomerFilter, listDocumentRows } from "../../storage/documents/document-lists.ts";
import { listSortedRows } from "../../storage/documents/documents-by-day.ts";
import { findAuditKey } from "../../storage/encryption/key-ring.ts";
import { hashNumber } from "../../storage/merchants/customers.ts";
import { findTimeline, findTimelines } from "../../storage/journal/events.ts";
import type { RowPage } from "../../storage/database/lists.ts";
import type { KeyedSession, Session } from "../../storage/database/session.ts";
import type { DocumentStatus, Mode, Provider } from "../../storage/stored-values.ts";
import { readSearchedNumber } from "../domain/tax-number.ts";
import type { Context } from "../journal/context.ts";
import { validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import {
  type Page,
  type PageQuery,
  type CreatedQuery,
  createdRange,
  inMode,
  pageOf,
  pageRequest,
  requireInMode,
} from "../foundation/pages.ts";
import { buildDocumentObject, type DocumentObject } from "../journal/document-object.ts";

/** The row of a document. Throws `not_found`, also for a document of the other mode. */
export async function requireDocumentRow(context: Context, mode: Mode, id: string): Promise<DocumentRow> {
  return readDocumentRow(context.store.read, mode, id);
}

/** Like `requireDocumentRow`, in a session of the caller's. */
export async function readDocumentRow(session: Session, mode: Mode, id: string): Promise<DocumentRow> {
  return requireInMode("doc", mode, id, () => findDocumentRow(session, { id }));
}

/** Builds the document of a row that was just read. */
export async function renderDocument(context: Context, row: DocumentRow): Promise<DocumentObject> {
  return buildDocumentObject(row, await findTimeline(context.store.read, row.id));
}

export async function getDocument(context: Context, mode: Mode, id: string): Promise<DocumentObject> {
  return renderDocument(context, await requireDocumentRow(context, mode, id));
}

/** The documents with these ids, read together. Throws `not_found` like `requireDocumentRow`. */
export async function getDocuments(
  context: Context,
  mode: Mode,
  ids: readonly string[],
): Promise<Map<string, DocumentObject>> {
  if (ids.length === 0) return new Map();
  const { read } = context.store;
  const rows = await findDocumentRows(read, ids);
  const timelines = await findTimelines(read, ids);
  return new Map(
    ids.map((id) => [id, buildDocumentObject(inMode("doc", mode, rows.get(id)), timelines.get(id) ?? [])]),
  );
}

/** The merchant's newest document with this reference, if any. */
export async function findDocumentByReference(
  context: Context,
  mode: Mode,
  merchantId: string,
  reference: string,
): Promise<DocumentObject | undefined> {
  const row = await findDocumentRowByReference(context.store.read, { reference, mode, merchantId });
  return row === undefined ? undefined : renderDocument(context, row);
}

/** The sandbox document with this MARK, for its page. */
export async function findSandboxDocument(
  context: Context,
  mark: string,
): Promise<{ document: DocumentObject } | undefined> {
  const rows = await findDocumentsByMark(context.store.read, { mark });
  const row = rows.find(({ provider }) => provider === "sandbox");
  return row === undefined ? undefined : { document: await renderDocument(context, row) };
}

export interface ListDocumentsQuery extends PageQuery, CreatedQuery {
  merchant?: string | undefined;
  status?: DocumentStatus | undefined;
  type?: string | undefined;
  provider?: Provider | undefined;
  mark?: string | undefined;
  external_reference?: string | undefined;
  customer_tax_id?: string | undefined;
  /** Only documents for one of these customers. */
  customers?: readonly { country?: string | undefined; code: string }[] | undefined;
  number?: number | undefined;
  /** Cents. */
  gross?: number | undefined;
  "issue_date[gte]"?: string | undefined;
  "issue_date[lte]"?: string | undefined;
}

async function readCustomers(
  session: KeyedSession,
  { customer_tax_id: number, customers }: ListDocumentsQuery,
): Promise<CustomerFilter[] | undefined> {
  const asked = customers ?? (number === undefined ? undefined : [readSearchedNumber(number)]);
  if (asked === undefined) return undefined;
  const auditKey = await findAuditKey(session);
  const filters = asked.map(({ country, code }) => ({
    customerHash: hashNumber(auditKey, { country: country ?? "", code }),
    customerCountry: country,
  }));
  // Several merchants have the same customer.
  return [...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values()];
}

export async function listDocuments(
  context: Context,
  mode: Mode,
  query: ListDocumentsQuery,
): Promise<Page<DocumentObject>> {
  const { read } = context.store;
  const filters = {
    mode,
    merchantId: query.merchant,
    status: query.status,
    type: query.type,
    provider: query.provider,
    mark: query.mark,
    externalReference: query.external_reference,
    number: query.number,
    gross: query.gross,
    customers: await readCustomers(read, query),
    issueDateFrom: query["issue_date[gte]"],
    issueDateThrough: query["issue_date[lte]"],
    created: createdRange(query),
  };
  return renderPage(read, await listDocumentRows(read, filters, pageRequest(query, "doc")), query);
}

async function renderPage(
  session: Session,
  page: RowPage<DocumentRow> | undefined,
  query: PageQuery,
): Promise<Page<DocumentObject>> {
  const timelines = await findTimelines(session, page?.rows.map(({ id }) => id) ?? []);
  return pageOf(page, query, (row) => buildDocumentObject(row, timelines.get(row.id) ?? []));
}

/** By date or amount, `-` for the highest first. */
export const DOCUMENT_SORTS = ["date", "-date", "amount", "-amount"] as const;

const NOT_SORTED: Text = {
  en: "allows only the filters of merchant and issue date, by amount only that of merchant",
  el: "επιτρέπει μόνο τα φίλτρα επιχείρησης και ημερομηνίας έκδοσης, κατά ποσό μόνο της επιχείρησης",
};

/** The documents in another order. Throws `validation_failed` with filters that no index of the order has. */
export async function listSortedDocuments(
  context: Context,
  mode: Mode,
  { sort, ...query }: ListDocumentsQuery & { sort: (typeof DOCUMENT_SORTS)[number]; q?: string | undefined },
): Promise<Page<DocumentObject>> {
  const { limit: _limit, starting_after: _after, ending_before: _before, merchant, ...filters } = query;
  const { "issue_date[gte]": from, "issue_date[lte]": through, ...others } = filters;
  const by = sort.endsWith("date") ? "issue_date" : "gross";
  const isDated = by === "gross" && (from ?? through) !== undefined;
  if (isDated || Object.values(others).some((value) => value !== undefined))
    throw validationError([{ path: "sort", message: NOT_SORTED }]);
  const { read } = context.store;
  const page = await listSortedRows(
    read,
    { mode, merchantId: merchant, issueDateFrom: from, issueDateThrough: through },
    { order: { by, direction: sort.startsWith("-") ? "desc" : "asc" }, page: pageRequest(query, "doc") },
  );
  return renderPage(read, page, query);
}
