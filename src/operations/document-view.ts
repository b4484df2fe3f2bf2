/** Shows documents to people: the columns of lists, and the rows of one with what few documents have, such as other taxes or the registry's answer. */
import { providerName, UNIT_WORDS, VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import type { DocumentContents } from "../documents/contents.ts";
import type { Examination } from "../documents/preview.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import {
  amountText,
  type Column,
  dayText,
  decimalText,
  errorRows,
  followedBy,
  instantText,
  LABELS,
  moneyText,
  type Row,
  type ValueText,
  wordText,
} from "./view.ts";
import type { CanonicalDocument } from "../domain/canonical-schema.ts";
import { describeTaxes, payableOf } from "../domain/taxes.ts";
import { fieldsShown } from "../intake/table-fields.ts";
import type { Vies } from "../tax-ids/check-vies.ts";

/** `TIM 17`, or `-` before a number is allocated. */
export function formatNumber({ series, number }: DocumentObject): string {
  return number === null ? "-" : `${series ?? ""} ${number}`.trim();
}

/** The status, and the stage in brackets while the document is pending. */
function statusText({ status, stage, cancelled_at: cancelledAt }: DocumentObject): Text {
  const text = wordText(cancelledAt === null ? status : "cancelled");
  if (stage === null) return text;
  return joinTexts([text, sameInBoth(" ("), wordText(stage), sameInBoth(")")], "");
}

/** The MARK, the provider's error code, or our own error code. */
function formatResult({ mark, error }: DocumentObject): string {
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

/** What few documents have: other taxes and what is payable with them, days, and notes. */
export function furtherRows(document: CanonicalDocument): Row[] {
  const taxed = describeTaxes(document);
  const payable = taxed.length === 0 ? [] : [{ label: PAYABLE, cents: payableOf(document) }];
  const amounts = [...taxed, ...payable].map(({ label, cents }): Row => [lower(label), moneyText(cents)]);
  const others = (["heading", "foot"] as const).flatMap((place) => fieldsShown(document, place));
  return [
    ...amounts,
    ...others.map(({ label, text, isDay }): Row => [lower(label), isDay ? dayText(text) : sameInBoth(text)]),
  ];
}

const PAYABLE: Text = { en: "payable", el: "πληρωτέο" };

function lower({ en, el }: Text): Text {
  return { en: en.toLowerCase(), el: el.toLowerCase() };
}

type Line = DocumentContents["lines"][number];

/** The lines of a document. */
export const LINE_COLUMNS: readonly Column<Line>[] = [
  { head: { en: "line", el: "γραμμή" }, align: "right", value: ({ line }) => String(line) },
  {
    head: { en: "description", el: "περιγραφή" },
    wraps: true,
    value: ({ description }) => sameInBoth(description),
  },
  {
    head: { en: "quantity", el: "ποσότητα" },
    align: "right",
    value: ({ quantity, unit }) =>
      followedBy(decimalText(quantity), joinTexts([sameInBoth(""), UNIT_WORDS[unit]], " ")),
  },
  { head: { en: "price", el: "τιμή" }, align: "right", value: ({ unit_price: price }) => amountText(price) },
  { head: { en: "net", el: "καθαρή αξία" }, align: "right", value: ({ net }) => amountText(net) },
  {
    head: { en: "rate", el: "συντελεστής" },
    align: "right",
    value: ({ vat_category: category, vat_exemption: cause }) => rateOf(category, cause),
  },
  { head: { en: "VAT", el: "ΦΠΑ" }, align: "right", value: ({ vat }) => amountText(vat) },
];

/** `24%`, or `0% (14)` with the exemption cause. */
export function rateOf(category: VatCategory, exemption?: number): string {
  const rate = `${VAT_CATEGORIES[category].ratePercent}%`;
  return exemption === undefined ? rate : `${rate} (${exemption})`;
}

/** The number of a preview. */
export function previewedNumber(number: Examination["number"]): Text {
  if (number === null) return { en: "assigned by the provider", el: "τον δίνει ο πάροχος" };
  const name = `${number.series} ${number.number}`;
  return { en: `${name}, not reserved`, el: `${name}, χωρίς δέσμευση` };
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
export function viesCell(due: ValueText, { vies_invalid: count }: { vies_invalid: number }): ValueText {
  if (count === 0) return due;
  return followedBy(due, {
    en: ` (${count} with invalid numbers)`,
    el: ` (${count} με άκυρο αριθμό)`,
  });
}

/** Whether VIES calls the number of a customer in the recapitulative statement invalid. */
export function viesMark({ vies_invalid: isInvalid }: { vies_invalid: boolean }): Text {
  return isInvalid ? { en: "invalid", el: "άκυρος" } : sameInBoth("");
}

export const VIES: Text = { en: "customer's number in VIES", el: "ο αριθμός του πελάτη στο VIES" };
