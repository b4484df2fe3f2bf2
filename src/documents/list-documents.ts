/** Finds documents: by id, by reference, by sandbox MARK, or as a filtered page. */
import {
  type DocumentRow,
  findDocumentRow,
  findDocumentRows,
  findDocumentsByMark,
} from "../../storage/documents/documents.ts";
import { type CustomerFilter, listDocumentRows } from "../../storage/documents/document-lists.ts";
import { compareIn, type DocumentOrder, listSortedRows } from "../../storage/documents/sorted-documents.ts";
import { findAuditKey } from "../../storage/encryption/key-ring.ts";
import { hashNumber } from "../../storage/merchants/customers.ts";
import { findTimeline, findTimelines } from "../../storage/journal/events.ts";
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
export function requireDocumentRow(session: Session, mode: Mode, id: string): Promise<DocumentRow> {
  return requireInMode("doc", mode, id, () => findDocumentRow(session, { id }));
}

/** Builds the document of a row that was just read. */
export async function renderDocument(context: Context, row: DocumentRow): Promise<DocumentObject> {
  return buildDocumentObject(row, await findTimeline(context.store.read, row.id));
}

export async function getDocument(context: Context, mode: Mode, id: string): Promise<DocumentObject> {
  return renderDocument(context, await requireDocumentRow(context.store.read, mode, id));
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

/** By date or amount, `-` for the highest first. */
export const DOCUMENT_SORTS = ["date", "-date", "amount", "-amount"] as const;
type DocumentSort = (typeof DOCUMENT_SORTS)[number];

function orderOf(sort: DocumentSort): DocumentOrder {
  const by = sort.endsWith("date") ? "issue_date" : "gross";
  return { by, direction: sort.startsWith("-") ? "desc" : "asc" };
}

/** Sorts documents that were found in another order. */
export function sortDocuments(documents: readonly DocumentObject[], sort: DocumentSort): DocumentObject[] {
  return documents.toSorted(compareIn(orderOf(sort)));
}

const TOO_MANY: Text = {
  en: "takes too long with these filters, which leave many documents: remove one of them, or choose a merchant or fewer days",
  el: "θέλει πολλή ώρα με αυτά τα φίλτρα, που αφήνουν πολλά παραστατικά: αφαιρέστε κάποιο, ή επιλέξτε επιχείρηση ή λιγότερες ημέρες",
};

/** Newest first, or as `sort` says. Throws `validation_failed` for an order that would take too long with the filters, except for a file. */
export async function listDocuments(
  context: Context,
  mode: Mode,
  query: ListDocumentsQuery & { sort?: DocumentSort | undefined; isForFile?: boolean },
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
  const { sort, isForFile } = query;
  const asked = pageRequest(query, "doc");
  const page =
    sort === undefined
      ? await listDocumentRows(read, filters, asked)
      : await listSortedRows(read, filters, { order: orderOf(sort), page: asked, isForFile });
  if (page === "too_many") throw validationError([{ path: "sort", message: TOO_MANY }]);
  const timelines = await findTimelines(read, page?.rows.map(({ id }) => id) ?? []);
  return pageOf(page, query, (row) => buildDocumentObject(row, timelines.get(row.id) ?? []));
}
