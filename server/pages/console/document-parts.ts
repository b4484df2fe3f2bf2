/** Names, table columns and buttons for documents. */
import { type DocumentType, typeInfo } from "../../../src/domain/document-types.ts";
import { TEXTS, type Translate } from "./messages.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { dayOf, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, statusWord } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** `TIM 12`, or a note that the document has no number yet. */
export function documentName(
  translate: Translate,
  { series, number }: Pick<DocumentObject, "series" | "number">,
): string {
  return number === null ? translate(TEXTS.noNumber) : `${series ?? ""} ${number}`.trim();
}

export function documentPath(id: string): string {
  return `/console/documents/${id}`;
}

export function documentLink(translate: Translate, document: DocumentObject): Markup {
  return html`<a href="${documentPath(document.id)}">${documentName(translate, document)}</a>`;
}

export function typeName(translate: Translate, type: DocumentType): string {
  return `${type} ${translate(typeInfo(type).name)}`;
}

export function statusOf(
  translate: Translate,
  { status, stage, cancellation_mark: cancelled }: DocumentObject,
): Markup {
  const more = cancelled !== null ? "cancelled" : stage;
  return html`${badge(translate, status)}${more !== null && html` <span class="stage">${statusWord(translate, more)}</span>`}`;
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
  { translate, language, merchant: chosen }: Visit,
  { merchants, customers }: Record<"merchants" | "customers", ReadonlyMap<string, string>>,
): (Column<DocumentObject> & { sortsBy?: "date" | "amount" })[] {
  const merchantColumn: Column<DocumentObject> = {
    head: translate(TEXTS.merchant),
    cell: ({ merchant }) => merchantLink(merchant, merchants),
    isLong: true,
  };
  return [
    { head: translate(TEXTS.number), cell: (document) => documentLink(translate, document), isFirm: true },
    {
      head: translate(TEXTS.date),
      sortsBy: "date",
      cell: ({ issue_date: day }) => dayOf(language, day),
      isFirm: true,
    },
    ...(chosen === undefined ? [merchantColumn] : []),
    { head: translate(TEXTS.type), cell: ({ type }) => type, isFirm: true },
    { head: translate(TEXTS.customer), cell: ({ id }) => customers.get(id), isLong: true },
    {
      head: translate(TEXTS.gross),
      sortsBy: "amount",
      cell: ({ gross }) => formatMoney(language, gross),
      isNumber: true,
    },
    { head: translate(TEXTS.status), cell: (document) => statusOf(translate, document), isFirm: true },
    { head: translate(TEXTS.mark), cell: ({ mark }) => mark, isFirm: true },
    {
      head: translate(TEXTS.referenceHead),
      cell: ({ external_reference: reference }) => reference,
      isLong: true,
    },
  ];
}

export function retryButton(visit: Visit, document: DocumentObject): Markup {
  const { translate } = visit;
  const action = `${documentPath(document.id)}/retry`;
  return actionButton(visit, {
    action,
    label: translate(TEXTS.retry),
    about: documentName(translate, document),
  });
}
