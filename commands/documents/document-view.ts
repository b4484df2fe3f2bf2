/** Documents for reading. */
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { formatEuro } from "../../src/foundation/money.ts";
import { textOfError, textsOfWarnings } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { tell } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { type Column, printFields } from "../ui/table.ts";
import { dayText, moneyText } from "../ui/values.ts";

/** `12.40 EUR`. */
export function formatAmount(cents: number): string {
  return `${formatEuro(cents)} EUR`;
}

/** `TIM 17`, or `-` before the number is allotted. */
export function formatNumber(document: DocumentObject): string {
  return document.number === null ? "-" : `${document.series ?? ""} ${document.number}`.trim();
}

/** The status, with the stage behind it while the document is pending. */
export function formatStatus(document: DocumentObject): string {
  const status = document.cancelled_at === null ? document.status : "cancelled";
  return document.stage === null ? status : `${status} (${document.stage})`;
}

/** What came of it: the MARK, or the provider's code, or the code of our own error. */
export function formatResult(document: DocumentObject): string {
  return document.mark ?? document.error?.provider_code ?? document.error?.code ?? "-";
}

export const DOCUMENT_COLUMNS: readonly Column<DocumentObject>[] = [
  { head: "id", value: (document) => document.id },
  { head: "reference", value: (document) => document.external_reference ?? "-" },
  { head: "type", value: (document) => document.type },
  { head: "number", value: formatNumber },
  { head: "date", value: (document) => dayText(document.issue_date) },
  { head: "gross", align: "right", value: (document) => moneyText(document.gross) },
  { head: "status", value: formatStatus },
  { head: "MARK or error", value: formatResult },
];

/** Prints one document: as the API's object, or field by field with its warnings and its timeline. */
export async function printDocument(context: CommandContext, document: DocumentObject): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io.stdout, document);
  await printFields(io, [
    ["id", document.id],
    ["reference", document.external_reference],
    ["status", formatStatus(document)],
    ["type", document.type],
    ["number", formatNumber(document)],
    ["issue date", dayText(document.issue_date)],
    ["net", formatAmount(document.net)],
    ["vat", formatAmount(document.vat)],
    ["gross", formatAmount(document.gross)],
    ["MARK", document.mark],
    ["uid", document.uid],
    ["qr", document.qr_url],
    ["merchant", document.merchant],
    ["provider", `${document.provider} (${document.mode})`],
    ...cancellationOf(document),
    ...errorOf(document),
    ...document.timeline.map((entry) => [entry.created, entry.type] as const),
  ]);
  for (const warning of textsOfWarnings(document.classification.warnings))
    await tell(io, warningLine(warning));
}

/** A warning about a document, in the reader's language. */
export const warningLine = ({ en, el }: Text): Text => ({ en: `warning: ${en}`, el: `προειδοποίηση: ${el}` });

type Field = readonly [string, Text | string | null];

function cancellationOf(document: DocumentObject): Field[] {
  if (document.cancelled_at === null) return [];
  return [
    ["cancelled", document.cancelled_at],
    ["cancellation MARK", document.cancellation_mark],
  ];
}

function errorOf({ error }: DocumentObject): Field[] {
  if (error === null) return [];
  return [
    ["error", joinTexts([sameInBoth(error.code), textOfError(error)], ": ")],
    ["provider code", error.provider_code],
    ["provider message", error.provider_message],
  ];
}
