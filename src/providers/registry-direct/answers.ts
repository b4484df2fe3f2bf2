/**
 * Reads the authority's responses (docs/authority.md#response-order). Real responses have no fixed order of elements
 * and are sometimes wrapped in a `<string>` (docs/authority.md#string-wrapper), so elements are found by their local
 * names, at any depth.
 */
import { MARK_FORM } from "../../domain/document-codes.ts";
import { isWebAddress } from "../exchange.ts";
import { mapInPortions } from "../../foundation/turns.ts";
import { readGross } from "./tax-elements.ts";

/** An element: its name without prefix, its child elements in order, and its own text. */
export interface XmlElement {
  name: string;
  children: readonly XmlElement[];
  text: string;
}

/** The descendants along `path`, in order. */
export function allAt(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  let found = [element];
  for (const name of path)
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  return found;
}

/** The first descendant along `path`; undefined if there is none. */
export function find(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
}

/** The trimmed text at the end of `path`; null if there is no such element or it is empty. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  const text = find(element, ...path)?.text.trim() ?? "";
  return text === "" ? null : text;
}

/** The element as JSON for people: text, or an object of its children, with repeated ones as arrays. */
export function toJson(element: XmlElement): unknown {
  if (element.children.length === 0) return element.text.trim();
  const values = new Map<string, unknown[]>();
  for (const child of element.children) {
    const same = values.get(child.name);
    if (same === undefined) values.set(child.name, [toJson(child)]);
    else same.push(toJson(child));
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

/** One `response` of a ResponseDoc. Absent and empty values are null. */
export interface AuthorityResponse {
  /** 1-based position in the message sent; null for cancellations. */
  index: number | null;
  /** Upper case. */
  uid: string | null;
  mark: string | null;
  cancellationMark: string | null;
  qrUrl: string | null;
  /** `Success`, `ValidationError`, `TechnicalError` or `XMLSyntaxError`; empty if missing. */
  statusCode: string;
  errors: readonly { code: string | null; message: string | null }[];
  /** The response as JSON. */
  raw: unknown;
}

/** One `invoice` of a RequestedDoc: its identity, and whether it was cancelled. */
export interface TransmittedInvoice {
  uid: string | null;
  mark: string | null;
  cancelledByMark: string | null;
  qrUrl: string | null;
  supplier: string | null;
  branch: string | null;
  series: string | null;
  number: string | null;
  issueDate: string | null;
  type: string | null;
  /** Cents; null if the amount is missing or unreadable. */
  totals: { net: bigint | null; vat: bigint | null; gross: bigint | null };
}

export interface TransmittedPage {
  invoices: readonly TransmittedInvoice[];
  /** MARK → the MARK of its cancellation. */
  cancellations: ReadonlyMap<string, string>;
  /** The token of the next page; null on the last. */
  next: ContinuationToken | null;
}

export interface ContinuationToken {
  partitionKey: string;
  rowKey: string;
}

/** The responses of a ResponseDoc in document order; undefined if `root` is not one. */
export function readResponses(root: XmlElement): AuthorityResponse[] | undefined {
  return root.name === "ResponseDoc" ? allAt(root, "response").map(readResponse) : undefined;
}

function readResponse(response: XmlElement): AuthorityResponse {
  const index = textAt(response, "index");
  return {
    index: index !== null && /^[0-9]{1,9}$/.test(index) ? Number(index) : null,
    uid: upperCase(textAt(response, "invoiceUid")),
    mark: markAt(response, "invoiceMark"),
    cancellationMark: markAt(response, "cancellationMark"),
    qrUrl: linkAt(response, "qrUrl"),
    statusCode: textAt(response, "statusCode") ?? "",
    errors: allAt(response, "errors", "error").map((error) => ({
      code: textAt(error, "code"),
      message: textAt(error, "message"),
    })),
    raw: toJson(response),
  };
}

/** A page of a RequestedDoc; undefined if `root` is not one or its continuation token is incomplete. */
export async function readTransmitted(root: XmlElement): Promise<TransmittedPage | undefined> {
  const next = root.name === "RequestedDoc" ? readContinuation(root) : undefined;
  if (next === undefined) return undefined;
  return {
    invoices: await mapInPortions(allAt(root, "invoicesDoc", "invoice"), readInvoice),
    cancellations: readCancellations(root),
    next,
  };
}

/** The token of the next page, null on the last; undefined if it is incomplete. */
export function readContinuation(root: XmlElement): ContinuationToken | null | undefined {
  const partitionKey = textAt(root, "continuationToken", "nextPartitionKey");
  const rowKey = textAt(root, "continuationToken", "nextRowKey");
  // With half a token the listing would end early, and the documents after it would count as never registered.
  if ((partitionKey === null) !== (rowKey === null)) return undefined;
  return partitionKey === null || rowKey === null ? null : { partitionKey, rowKey };
}

function readInvoice(invoice: XmlElement): TransmittedInvoice {
  const amount = (name: string) => centsOf(textAt(invoice, "invoiceSummary", name));
  return {
    uid: upperCase(textAt(invoice, "uid")),
    mark: markAt(invoice, "mark"),
    cancelledByMark: markAt(invoice, "cancelledByMark"),
    qrUrl: linkAt(invoice, "qrCodeUrl"),
    supplier: textAt(invoice, "issuer", "vatNumber"),
    branch: textAt(invoice, "issuer", "branch"),
    series: textAt(invoice, "invoiceHeader", "series"),
    number: textAt(invoice, "invoiceHeader", "aa"),
    issueDate: textAt(invoice, "invoiceHeader", "issueDate"),
    type: textAt(invoice, "invoiceHeader", "invoiceType"),
    totals: {
      net: amount("totalNetValue"),
      vat: amount("totalVatAmount"),
      gross: readGross(amount),
    },
  };
}

function readCancellations(root: XmlElement): Map<string, string> {
  const cancellations = new Map<string, string>();
  for (const cancelled of allAt(root, "cancelledInvoicesDoc", "cancelledInvoice")) {
    const mark = markAt(cancelled, "invoiceMark");
    const cancellationMark = markAt(cancelled, "cancellationMark");
    if (mark !== null && cancellationMark !== null) cancellations.set(mark, cancellationMark);
  }
  return cancellations;
}

function upperCase(text: string | null): string | null {
  return text === null ? null : text.toUpperCase();
}

export function markAt(element: XmlElement, name: string): string | null {
  const text = textAt(element, name);
  return text !== null && MARK_FORM.test(text) ? text : null;
}

/** Only web addresses: the link is shown to people and printed as a QR code. */
function linkAt(element: XmlElement, name: string): string | null {
  const text = textAt(element, name);
  return text !== null && isWebAddress(text) ? text : null;
}

/** `100`, `124.0` and `12.40` in cents; null if it is not an amount in whole cents. */
export function centsOf(text: string | null): bigint | null {
  const [, whole, decimals = ""] = /^\+?([0-9]{1,18})(?:\.([0-9]*))?$/.exec(text ?? "") ?? [];
  const cents = /^([0-9]{0,2})0*$/.exec(decimals)?.[1];
  return whole === undefined || cents === undefined ? null : BigInt(whole + cents.padEnd(2, "0"));
}
