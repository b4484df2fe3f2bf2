/** Shows documents to people: the columns of lists, and the rows of one. */
import { providerName } from "../domain/code-words.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { LABELS } from "./labels.ts";
import { dayText, instantText, moneyText } from "./values.ts";
import { type Column, errorRows, type Row } from "./view.ts";
import { wordText } from "./words.ts";

/** `TIM 17`, or `-` before a number is allocated. */
export function formatNumber({ series, number }: DocumentObject): string {
  return number === null ? "-" : `${series ?? ""} ${number}`.trim();
}

/** The status, and the stage in brackets while the document is pending. */
export function statusText({ status, stage, cancelled_at: cancelledAt }: DocumentObject): Text {
  const text = wordText(cancelledAt === null ? status : "cancelled");
  if (stage === null) return text;
  return joinTexts([text, sameInBoth(" ("), wordText(stage), sameInBoth(")")], "");
}

/** The MARK, the provider's error code, or our own error code. */
export function formatResult({ mark, error }: DocumentObject): string {
  return mark ?? error?.provider_code ?? error?.code ?? "-";
}

export const DOCUMENT_COLUMNS: readonly Column<DocumentObject>[] = [
  { head: "id", leaveOut: 1, value: (document) => document.id },
  {
    head: LABELS.reference,
    leaveOut: 4,
    value: (document) => document.external_reference ?? "-",
  },
  { head: LABELS.type, leaveOut: 2, value: (document) => document.type },
  { head: LABELS.number, value: formatNumber },
  { head: { en: "date", el: "ημερομηνία" }, leaveOut: 3, value: (document) => dayText(document.issue_date) },
  { head: LABELS.gross, align: "right", value: (document) => moneyText(document.gross) },
  { head: LABELS.status, isStatus: true, value: statusText },
  { head: { en: "MARK or error", el: "ΜΑΡΚ ή σφάλμα" }, value: formatResult },
];

const CUSTOMER_AT = 5;

/** The columns with the customers, whose names are only in the contents of the documents. Help needs none of what reads them. */
export async function documentColumns(
  context: Context,
  documents: readonly DocumentObject[],
): Promise<readonly Column<DocumentObject>[]> {
  const { findCustomerNames } = await import("../documents/document-customers.ts");
  const names = await findCustomerNames(context, documents);
  const value = ({ id }: DocumentObject) => names.get(id) ?? "-";
  return DOCUMENT_COLUMNS.toSpliced(CUSTOMER_AT, 0, { head: LABELS.customer, shortens: true, value });
}

/** `customer` names the customer, which only the contents of the document have. */
export function documentRows(document: DocumentObject, customer?: Text): Row[] {
  return [
    ["id", document.id],
    [LABELS.reference, document.external_reference],
    [LABELS.status, statusText(document)],
    [LABELS.type, document.type],
    [LABELS.number, formatNumber(document)],
    [{ en: "issue date", el: "ημερομηνία έκδοσης" }, dayText(document.issue_date)],
    ...(customer === undefined ? [] : [[LABELS.customer, customer] as const]),
    [{ en: "net", el: "καθαρή αξία" }, moneyText(document.net)],
    [{ en: "vat", el: "ΦΠΑ" }, moneyText(document.vat)],
    [LABELS.gross, moneyText(document.gross)],
    [LABELS.mark, document.mark],
    ["uid", document.uid],
    ["qr", document.qr_url],
    [LABELS.merchant, document.merchant],
    [LABELS.provider, `${providerName(document.provider)} (${document.mode})`],
    ...cancellationFields(document),
    ...errorRows(document.error),
    ...document.timeline.map((entry) => [instantText(entry.created), entry.type] as const),
  ];
}

function cancellationFields({ cancelled_at: at, cancellation_mark: mark }: DocumentObject): Row[] {
  if (at === null) return [];
  return [
    [{ en: "cancelled", el: "ακυρώθηκε" }, instantText(at)],
    [{ en: "cancellation MARK", el: "ΜΑΡΚ ακύρωσης" }, mark],
  ];
}
