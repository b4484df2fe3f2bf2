/** Formats documents as tables and fields. */
import type { ReadContents } from "../../src/documents/contents.ts";
import type { Party } from "../../src/domain/canonical-schema.ts";
import { textsOfWarnings } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { CommandContext } from "../context.ts";
import { printNote } from "../io.ts";
import { printObject } from "../results.ts";
import { errorRows } from "../../src/operations/view.ts";
import type { Column, Row } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { dayText, instantText, moneyText } from "../../src/operations/values.ts";
import { wordText } from "../../src/operations/words.ts";
import { LINE_COLUMNS, lineViewsOf, partyText } from "./line-view.ts";

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
    head: { en: "reference", el: "αναφορά" },
    leaveOut: 4,
    value: (document) => document.external_reference ?? "-",
  },
  { head: { en: "type", el: "τύπος" }, leaveOut: 2, value: (document) => document.type },
  { head: { en: "number", el: "αριθμός" }, value: formatNumber },
  { head: { en: "date", el: "ημερομηνία" }, leaveOut: 3, value: (document) => dayText(document.issue_date) },
  { head: { en: "gross", el: "σύνολο" }, align: "right", value: (document) => moneyText(document.gross) },
  { head: { en: "status", el: "κατάσταση" }, value: statusText },
  { head: { en: "MARK or error", el: "ΜΑΡΚ ή σφάλμα" }, value: formatResult },
];

/** Prints one document with its timeline, warnings and notes, and if its contents are given, its customer and lines; with `--json` only its object. */
export async function printDocument(
  context: CommandContext,
  document: DocumentObject,
  { object: contents, notes = [] }: Partial<Pick<ReadContents, "object" | "notes">> = {},
): Promise<void> {
  await printObject(context, document, documentFields(document, contents?.document.customer));
  if (context.options.json === true) return;
  if (contents !== undefined) await printTable(context.io, LINE_COLUMNS, lineViewsOf(contents.document));
  for (const warning of [...textsOfWarnings(document.classification.warnings), ...notes])
    await printNote(context.io, warningLine(warning));
}

function documentFields(document: DocumentObject, customer?: Party): Row[] {
  return [
    ["id", document.id],
    [{ en: "reference", el: "αναφορά" }, document.external_reference],
    [{ en: "status", el: "κατάσταση" }, statusText(document)],
    [{ en: "type", el: "τύπος" }, document.type],
    [{ en: "number", el: "αριθμός" }, formatNumber(document)],
    [{ en: "issue date", el: "ημερομηνία έκδοσης" }, dayText(document.issue_date)],
    ...(customer === undefined ? [] : [[{ en: "customer", el: "πελάτης" }, partyText(customer)] as const]),
    [{ en: "net", el: "καθαρή αξία" }, moneyText(document.net)],
    [{ en: "vat", el: "ΦΠΑ" }, moneyText(document.vat)],
    [{ en: "gross", el: "σύνολο" }, moneyText(document.gross)],
    [{ en: "MARK", el: "ΜΑΡΚ" }, document.mark],
    ["uid", document.uid],
    ["qr", document.qr_url],
    [{ en: "merchant", el: "επιχείρηση" }, document.merchant],
    [{ en: "provider", el: "πάροχος" }, `${document.provider} (${document.mode})`],
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

export const warningLine = ({ en, el }: Text): Text => ({ en: `warning: ${en}`, el: `προειδοποίηση: ${el}` });
