/** Names, table columns, choices and buttons for documents. */
import { VAT_CATEGORIES, VAT_WORDS, type VatCategory } from "../../../src/domain/document-codes.ts";
import { type DocumentType, typeInfo } from "../../../src/domain/document-types.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { TEXTS } from "./messages.ts";
import { getMerchant, listActiveMerchants } from "../../../src/merchants/merchants.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { dayOf, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, type Option, statusWord } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** `TIM 12`, or a note that the document has no number yet. */
export function documentName({ series, number }: Pick<DocumentObject, "series" | "number">): Text {
  return number === null ? TEXTS.noNumber : sameInBoth(`${series ?? ""} ${number}`.trim());
}

export function documentPath(id: string): string {
  return `/console/documents/${id}`;
}

export function documentLink(document: DocumentObject): Markup {
  return html`<a href="${documentPath(document.id)}">${documentName(document)}</a>`;
}

export function typeName(type: DocumentType): Text {
  return joinTexts([sameInBoth(type), typeInfo(type).name], " ");
}

export async function merchantOptions({ appliance }: Visit): Promise<Option[]> {
  const merchants = await listActiveMerchants(appliance);
  return merchants.map(({ id, name, external_id: external }) => ({
    value: id,
    text: `${name} (${external})`,
  }));
}

export const VAT_OPTIONS: readonly Option[] = Object.entries(VAT_CATEGORIES).map(
  ([value, { ratePercent }]) => ({
    value,
    text: html`${ratePercent}% ${VAT_WORDS[value as VatCategory]}`,
  }),
);

export function statusOf({ status, stage, cancellation_mark: cancelled }: DocumentObject): Markup {
  const more = cancelled !== null ? "cancelled" : stage;
  return html`${badge(status)}${more !== null && html` <span class="stage">${statusWord(more)}</span>`}`;
}

/** The merchants' names by id, with one read per distinct merchant. */
export async function merchantNames(
  { appliance }: Visit,
  rows: readonly { merchant: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ merchant }) => merchant))];
  const merchants = await Promise.all(ids.map((id) => getMerchant(appliance, id)));
  return new Map(merchants.map(({ id, name }) => [id, name]));
}

export function merchantLink(id: string, names: ReadonlyMap<string, string>): Markup {
  return html`<a href="/console/merchants/${id}">${names.get(id) ?? id}</a>`;
}

export function documentColumns(
  { merchant: chosen }: Visit,
  { merchants, customers }: Record<"merchants" | "customers", ReadonlyMap<string, string>>,
): (Column<DocumentObject> & { sortsBy?: "date" | "amount" })[] {
  const merchantColumn: Column<DocumentObject> = {
    head: TEXTS.merchant,
    cell: ({ merchant }) => merchantLink(merchant, merchants),
    isLong: true,
  };
  return [
    { head: TEXTS.number, cell: (document) => documentLink(document), isFirm: true },
    { head: TEXTS.date, sortsBy: "date", cell: ({ issue_date: day }) => dayOf(day), isFirm: true },
    ...(chosen === undefined ? [merchantColumn] : []),
    { head: TEXTS.type, cell: ({ type }) => type, isFirm: true },
    { head: TEXTS.customer, cell: ({ id }) => customers.get(id), isLong: true },
    { head: TEXTS.gross, sortsBy: "amount", cell: ({ gross }) => formatMoney(gross), isNumber: true },
    { head: TEXTS.status, cell: (document) => statusOf(document), isFirm: true },
    { head: TEXTS.mark, cell: ({ mark }) => mark, isFirm: true },
    { head: TEXTS.reference, cell: ({ external_reference: reference }) => reference, isLong: true },
  ];
}

export function retryButton(visit: Visit, document: DocumentObject): Markup {
  const action = `${documentPath(document.id)}/retry`;
  return actionButton(visit, { action, label: TEXTS.retry, about: documentName(document) });
}
