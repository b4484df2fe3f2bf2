/**
 * What the authority answers, typed (mydata facts, parts 1.5 and 6). Real answers keep no order of elements, and come
 * wrapped into a `<string>` now and then: elements are found by their local names, wherever they stand.
 */
import { childrenOf, find, readXml, textAt, toJson, type XmlElement } from "./xml.ts";

/** One `response` of a ResponseDoc. What was absent or empty is null. */
export interface AuthorityResponse {
  /** 1-based place in the message that was sent; cancellations have none. */
  index: number | null;
  /** Upper case. */
  uid: string | null;
  mark: string | null;
  cancellationMark: string | null;
  qrUrl: string | null;
  /** `Success`, `ValidationError`, `TechnicalError` or `XMLSyntaxError`; empty where it was missing. */
  statusCode: string;
  errors: readonly { code: string | null; message: string | null }[];
  /** The response as JSON. */
  raw: unknown;
}

/** One `invoice` of a RequestedDoc: what identifies it, and what became of it. */
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
  /** Cents; null where the amount is missing or no amount. */
  totals: { net: bigint | null; vat: bigint | null; gross: bigint | null };
}

export interface TransmittedPage {
  invoices: readonly TransmittedInvoice[];
  /** MARK → the MARK of its cancellation. */
  cancellations: ReadonlyMap<string, string>;
  /** Where the next page begins; null on the last. */
  next: ContinuationToken | null;
}

export interface ContinuationToken {
  partitionKey: string;
  rowKey: string;
}

/** spec, Identifiers: 1 to 19 digits, the first not 0. */
const MARK_FORM = /^[1-9][0-9]{0,18}$/;
const WRAPPER = "string";
const WRAPPERS_MAX = 2;

/** The root of an answer, out of at most two `<string>` wrappers; undefined where it cannot be read. */
export function readRoot(body: string): XmlElement | undefined {
  let root = readDocument(body);
  for (let depth = 0; depth < WRAPPERS_MAX && root?.name === WRAPPER; depth += 1) {
    root = readDocument(root.text);
  }
  return root?.name === WRAPPER ? undefined : root;
}

/** Trimming takes a byte order mark away, too. */
function readDocument(text: string): XmlElement | undefined {
  return readXml(text.trim());
}

/** The responses of a ResponseDoc, in the order in which they stand; undefined where `root` is none. */
export function readResponses(root: XmlElement): AuthorityResponse[] | undefined {
  return root.name === "ResponseDoc" ? childrenOf(root, "response").map(readResponse) : undefined;
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
    errors: childrenOf(response, "errors").flatMap((errors) =>
      childrenOf(errors, "error").map((error) => ({
        code: textAt(error, "code"),
        message: textAt(error, "message"),
      })),
    ),
    raw: toJson(response),
  };
}

/** A page of a RequestedDoc; undefined where `root` is none, or does not tell where it goes on. */
export function readTransmitted(root: XmlElement): TransmittedPage | undefined {
  if (root.name !== "RequestedDoc") return undefined;
  const partitionKey = textAt(root, "continuationToken", "nextPartitionKey");
  const rowKey = textAt(root, "continuationToken", "nextRowKey");
  // Half a token would end the listing early, and what is behind it would count as never registered.
  if ((partitionKey === null) !== (rowKey === null)) return undefined;
  const next = partitionKey === null || rowKey === null ? null : { partitionKey, rowKey };
  const invoices = childrenOf(root, "invoicesDoc").flatMap((list) => childrenOf(list, "invoice"));
  return { invoices: invoices.map(readInvoice), cancellations: readCancellations(root), next };
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
      gross: amount("totalGrossValue"),
    },
  };
}

function readCancellations(root: XmlElement): Map<string, string> {
  const list = find(root, "cancelledInvoicesDoc");
  const cancellations = new Map<string, string>();
  for (const cancelled of list === undefined ? [] : childrenOf(list, "cancelledInvoice")) {
    const mark = markAt(cancelled, "invoiceMark");
    const cancellationMark = markAt(cancelled, "cancellationMark");
    if (mark !== null && cancellationMark !== null) cancellations.set(mark, cancellationMark);
  }
  return cancellations;
}

function upperCase(text: string | null): string | null {
  return text === null ? null : text.toUpperCase();
}

function markAt(element: XmlElement, name: string): string | null {
  const text = textAt(element, name);
  return text !== null && MARK_FORM.test(text) ? text : null;
}

/** Only what a browser opens as a page: the address is shown to people and printed as a QR code. */
function linkAt(element: XmlElement, name: string): string | null {
  const text = textAt(element, name);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

/** `100`, `124.0` and `12.40` in cents; null for what is no amount of whole cents. */
export function centsOf(text: string | null): bigint | null {
  const [, whole, decimals = ""] = /^\+?([0-9]{1,18})(?:\.([0-9]*))?$/.exec(text ?? "") ?? [];
  const cents = /^([0-9]{0,2})0*$/.exec(decimals)?.[1];
  return whole === undefined || cents === undefined ? null : BigInt(whole + cents.padEnd(2, "0"));
}
