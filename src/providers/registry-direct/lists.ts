/**
 * Queries the authority's lists page by page, and reads those of a period: documents, VAT figures, and refusals by customers
 * (docs/authority.md#methods, docs/authority.md#list-queries).
 */
import type { CustomerRefusal, ListedDocument, VatFigures } from "../../domain/provider-documents.ts";
import type { CallRecorder, FailedQuery, ListOutcome, ListQuery } from "../../domain/provider-adapter.ts";
import { unknown } from "../exchange.ts";
import {
  centsOf,
  type ContinuationToken,
  markAt,
  readContinuation,
  readResponses,
  readTransmitted,
  type TransmittedPage,
  allAt,
  textAt,
  type XmlElement,
} from "./answers.ts";
import type { ListMethod, Session } from "./client.ts";
import { interpretRefusal, UNCLEAR } from "./outcome.ts";
import { mapInPortions } from "../../foundation/turns.ts";

export interface ListRequest {
  method: ListMethod;
  query: Readonly<Record<string, string>>;
}

/** Sends a query and returns the page that `read` finds in the reply. */
export async function readPage<Read>(
  session: Session,
  recorder: CallRecorder,
  request: ListRequest,
  read: (root: XmlElement) => Promise<Read | undefined>,
): Promise<Read | FailedQuery> {
  const reply = await session.send(recorder, request);
  // A listing registers nothing; only this request is refused.
  if (reply.kind === "message_refused") return { kind: "unknown", error: reply.error };
  if (reply.kind !== "read") return reply;
  const page = await read(reply.root);
  if (page !== undefined) return page;
  // Refused like a send: with a response, in an HTTP 200.
  const [refusal] = readResponses(reply.root) ?? [];
  if (refusal === undefined) return unknown(UNCLEAR);
  const failure = interpretRefusal(refusal, "listing");
  // A refused listing leaves open what is registered.
  return failure.kind === "rejected" ? { kind: "unknown", error: failure.error } : failure;
}

/**
 * Dates are `dd/MM/yyyy` here and only here (docs/authority.md#query-dates): in another format they find nothing, without
 * an error, and documents would look unregistered.
 */
export function dateParameters(days: { from: string; through: string }): Record<string, string> {
  const form = (day: string) => day.split("-").reverse().join("/");
  return { dateFrom: form(days.from), dateTo: form(days.through) };
}

export function tokenParameters(token: ContinuationToken | null): Record<string, string> {
  return token === null ? {} : { nextPartitionKey: token.partitionKey, nextRowKey: token.rowKey };
}

interface Page<Item> {
  items: readonly Item[];
  next: ContinuationToken | null;
}

/** One page of a list of a period. `extra` are the parameters of this list alone. */
async function readPeriod<Item>(
  session: Session,
  [method, extra]: readonly [ListMethod, Record<string, string>],
  days: ListQuery,
  read: (root: XmlElement) => Promise<Page<Item> | undefined>,
): Promise<ListOutcome<Item>> {
  const token = days.page === null ? null : (JSON.parse(days.page) as ContinuationToken);
  const query = { ...extra, ...dateParameters(days), ...tokenParameters(token) };
  const page = await readPage(session, session.call.evidence, { method, query }, read);
  if ("kind" in page) return page;
  return { kind: "page", items: page.items, next: page.next === null ? null : JSON.stringify(page.next) };
}

/** What the account has transmitted. */
export function listDocuments(session: Session, query: ListQuery): Promise<ListOutcome<ListedDocument>> {
  return readPeriod(session, ["RequestTransmittedDocs", { mark: "0" }], query, readDocuments);
}

/** Undefined if a document has no readable MARK: without it the document would look missing. */
async function readDocuments(root: XmlElement): Promise<Page<ListedDocument> | undefined> {
  const page = await readTransmitted(root);
  if (page === undefined) return undefined;
  const items = page.invoices.flatMap((invoice) => toListed(invoice, page.cancellations));
  return items.length === page.invoices.length ? { items, next: page.next } : undefined;
}

function toListed(
  invoice: TransmittedPage["invoices"][number],
  cancellations: TransmittedPage["cancellations"],
): ListedDocument[] {
  const { mark, uid, issueDate, type, series, number, totals, cancelledByMark } = invoice;
  if (mark === null) return [];
  const cents = (amount: bigint | null) => (amount === null ? null : Number(amount));
  return [
    {
      mark,
      uid,
      reference: null,
      issueDate,
      type,
      series,
      number,
      totals: { net: cents(totals.net), vat: cents(totals.vat), gross: cents(totals.gross) },
      isCancelled: cancelledByMark !== null || cancellations.has(mark),
    },
  ];
}

/** What each document of the taxpayer adds to the VAT return. */
export function listVatFigures(session: Session, query: ListQuery): Promise<ListOutcome<VatFigures>> {
  return readPeriod(session, ["RequestVatInfo", { GroupedPerDay: "false" }], query, async (root) => {
    const next = root.name === "RequestedVatInfo" ? readContinuation(root) : undefined;
    if (next === undefined) return undefined;
    return { items: (await mapInPortions(allAt(root, "VatInfo"), readFigures)).flat(), next };
  });
}

function readFigures(row: XmlElement): VatFigures[] {
  const mark = markAt(row, "Mark");
  if (mark === null) return [];
  const boxes = row.children.flatMap(({ name, text }): [string, number][] => {
    const box = /^Vat([0-9]{3})$/.exec(name)?.[1];
    const cents = signedCents(text.trim());
    return box === undefined || cents === null || cents === 0 ? [] : [[box, cents]];
  });
  const isCancelled = /^(true|1)$/i.test(textAt(row, "IsCancelled") ?? "");
  return [{ mark, isCancelled, boxes: Object.fromEntries(boxes) }];
}

function signedCents(text: string): number | null {
  const cents = centsOf(text.replace(/^-/, ""));
  if (cents === null) return null;
  return text.startsWith("-") ? -Number(cents) : Number(cents);
}

/** What others sent about the account's documents; of this, only refusals are of interest. */
export function listRefusals(session: Session, query: ListQuery): Promise<ListOutcome<CustomerRefusal>> {
  return readPeriod(session, ["RequestDocs", { mark: "0" }], query, async (root) => {
    const next = root.name === "RequestedDoc" ? readContinuation(root) : undefined;
    if (next === undefined) return undefined;
    const rows = allAt(root, "expensesClassificationsDoc", "expensesInvoiceClassification");
    return { items: (await mapInPortions(rows, readRefusal)).flat(), next };
  });
}

/** docs/authority.md#customer-refusals */
const REFUSAL_MODES: Readonly<Record<string, CustomerRefusal["kind"]>> = { 1: "rejected", 2: "deviates" };

function readRefusal(row: XmlElement): CustomerRefusal[] {
  const mark = markAt(row, "invoiceMark");
  const kind = REFUSAL_MODES[textAt(row, "transactionMode") ?? ""];
  if (mark === null || kind === undefined) return [];
  return [{ mark, kind, refusalMark: markAt(row, "classificationMark") }];
}
