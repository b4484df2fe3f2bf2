/** Shows documents to people: the columns of lists, and the rows of one with what few documents have, such as other taxes or the registry's answer. */
import { providerName } from "../domain/document-codes.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import {
  type Column,
  dayText,
  errorRows,
  instantText,
  LABELS,
  moneyText,
  type Row,
  wordText,
} from "./view.ts";
import type { CanonicalDocument } from "../domain/canonical-schema.ts";
import { describeTaxes, payableOf } from "../domain/taxes.ts";
import { fieldsShown, type ShownField } from "../intake/table-fields.ts";
import type { Vies } from "../tax-ids/check-vies.ts";

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
  const { findCustomerNames } = await import("../documents/search-documents.ts");
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

export type Fact = ShownField | { label: Text; cents: number };

/** What few documents have: other taxes and what is payable with them, days, and notes. */
export function furtherFacts(document: CanonicalDocument): Fact[] {
  const taxed = describeTaxes(document);
  return [
    ...taxed,
    ...(taxed.length === 0 ? [] : [{ label: PAYABLE, cents: payableOf(document) }]),
    ...fieldsShown(document, "heading"),
    ...fieldsShown(document, "foot"),
  ];
}

const PAYABLE: Text = { en: "Payable", el: "Πληρωτέο" };

/** The same as rows, whose labels are in lower case. */
export function furtherRows(document: CanonicalDocument): Row[] {
  return furtherFacts(document).map((fact): Row => {
    const { en, el } = fact.label;
    const label = { en: en.toLowerCase(), el: el.toLowerCase() };
    if ("cents" in fact) return [label, moneyText(fact.cents)];
    return [label, fact.isDay ? dayText(fact.text) : fact.text];
  });
}

/** What the EU's registry says about the number of the customer. */
export function viesText({ valid, checked_at: at }: Vies): Text {
  if (valid === null || at === null) return { en: "not answered yet", el: "δεν έχει απαντήσει ακόμη" };
  const checked = instantText(at);
  return valid
    ? { en: `valid, looked up ${checked.en}`, el: `έγκυρος, αναζήτηση ${checked.el}` }
    : { en: `not valid, looked up ${checked.en}`, el: `μη έγκυρος, αναζήτηση ${checked.el}` };
}

/** The deadline of the recapitulative statement, with the number of documents of the month whose customers have invalid numbers. */
export function viesCell(due: Text, { invalidNumbers }: { invalidNumbers: number }): Text {
  if (invalidNumbers === 0) return due;
  return {
    en: `${due.en} (${invalidNumbers} with invalid numbers)`,
    el: `${due.el} (${invalidNumbers} με άκυρο αριθμό)`,
  };
}

/** Whether VIES calls the number of a customer in the recapitulative statement invalid. */
export function viesMark({ vies_invalid: isInvalid }: { vies_invalid: boolean }): Text {
  return isInvalid ? { en: "invalid", el: "άκυρος" } : sameInBoth("");
}

export const VIES: Text = { en: "customer's number in VIES", el: "ο αριθμός του πελάτη στο VIES" };
