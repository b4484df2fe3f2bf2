/** The authority's lists of VAT figures and of what others sent, and its pages (docs/authority.md#listings). */
import type { ReadInvoice } from "./documents.ts";

export type ReadMethod = "RequestTransmittedDocs" | "RequestDocs" | "RequestVatInfo";

/** What a customer sent about a document (docs/authority.md#customer-refusals). */
export interface Refusal {
  mark: string;
  /** 1 rejects, 2 declares a deviation. */
  mode: 1 | 2;
  refusalMark: string;
}

/** What a document adds to the VAT return, in cents by element, such as `Vat303`. */
export interface Sale {
  mark: string;
  date: string;
  boxes: Record<string, number>;
  cancelledByMark: string | null;
}

/** The page that the query asks for, and the token of the next one. */
export function listPage<Item>(
  found: readonly Item[],
  query: URLSearchParams,
  pageSize: number,
): { page: Item[]; token: string } {
  const offset = Number(query.get("nextRowKey") ?? "0");
  const token =
    offset + pageSize < found.length
      ? `<continuationToken><nextPartitionKey>p</nextPartitionKey><nextRowKey>${offset + pageSize}</nextRowKey></continuationToken>`
      : "";
  return { page: found.slice(offset, offset + pageSize), token };
}

/** `02/11/2026` → `2026-11-02`. Like the authority's, it matches nothing if the form is wrong. */
export function dayOf(text: string | null): string | undefined {
  if (text === null) return undefined;
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  return day === undefined ? "no such day" : `${year}-${month}-${day}`;
}

function isDated(query: URLSearchParams): (date: string) => boolean {
  const [from, to] = [dayOf(query.get("dateFrom")), dayOf(query.get("dateTo"))];
  return (date) => from !== undefined && to !== undefined && date >= from && date <= to;
}

/** Replaced filings too, unless they are cancelled: whether the authority leaves them out is not known. */
export function listVatInfo(sales: readonly Sale[], query: URLSearchParams, pageSize: number): string {
  const isInRange = isDated(query);
  const found = sales.filter(({ date }) => isInRange(date));
  const { page, token } = listPage(found, query, pageSize);
  const rows = page.map(({ mark, date, boxes, cancelledByMark }) => {
    const values = Object.entries(boxes).map(([box, cents]) => `<${box}>${cents / 100}</${box}>`);
    return `<VatInfo><Mark>${mark}</Mark><IsCancelled>${cancelledByMark !== null}</IsCancelled><IssueDate>${date}T00:00:00</IssueDate>${values.join("")}</VatInfo>`;
  });
  return `<RequestedVatInfo xmlns="http://www.aade.gr/myDATA/invoice/v1.0">${token}${rows.join("")}</RequestedVatInfo>`;
}

/** Of what others sent, only their refusals. */
export function listReceived(
  refusals: readonly Refusal[],
  filings: readonly (Pick<ReadInvoice, "date"> & { mark: string })[],
  query: URLSearchParams,
  pageSize: number,
): string {
  const isInRange = isDated(query);
  const own = new Set(filings.filter(({ date }) => isInRange(date)).map(({ mark }) => mark));
  const found = refusals.filter(({ mark }) => own.has(mark));
  const { page, token } = listPage(found, query, pageSize);
  const rows = page.map(
    ({ mark, mode, refusalMark }) =>
      `<expensesInvoiceClassification><invoiceMark>${mark}</invoiceMark><classificationMark>${refusalMark}</classificationMark><transactionMode>${mode}</transactionMode></expensesInvoiceClassification>`,
  );
  const doc =
    rows.length === 0 ? "" : `<expensesClassificationsDoc>${rows.join("")}</expensesClassificationsDoc>`;
  return `<RequestedDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0">${token}${doc}</RequestedDoc>`;
}
