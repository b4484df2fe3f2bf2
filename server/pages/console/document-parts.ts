/** Names, table columns and buttons for documents. */
import { type DocumentType, typeInfo } from "../../../src/domain/document-types.ts";
import { TEXTS } from "./messages.ts";
import { STATUS_NAMES } from "./messages/code-names.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { dayOf, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column } from "./parts.ts";
import type { Say } from "./messages.ts";
import type { Visit } from "./visit.ts";

/** `TIM 12`, or a note that the document has no number yet. */
export function documentName(
  say: Say,
  { series, number }: Pick<DocumentObject, "series" | "number">,
): string {
  return number === null ? say(TEXTS.noNumber) : `${series ?? ""} ${number}`.trim();
}

export function documentLink(say: Say, document: DocumentObject): Markup {
  return html`<a href="/console/documents/${document.id}">${documentName(say, document)}</a>`;
}

export function typeName(say: Say, type: DocumentType): string {
  return `${type} ${say(typeInfo(type).name)}`;
}

export function statusOf(say: Say, { status, stage, cancellation_mark: cancelled }: DocumentObject): Markup {
  const more =
    cancelled !== null ? say(STATUS_NAMES.cancelled) : stage === null ? undefined : say(STATUS_NAMES[stage]);
  return html`${badge(say, status)}${more !== undefined && html` <span class="stage">${more}</span>`}`;
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
  { say, language }: Visit,
  names: ReadonlyMap<string, string>,
): Column<DocumentObject>[] {
  return [
    { head: say(TEXTS.number), cell: (document) => documentLink(say, document) },
    { head: say(TEXTS.status), cell: (document) => statusOf(say, document) },
    { head: say(TEXTS.type), cell: ({ type }) => typeName(say, type) },
    { head: say(TEXTS.merchant), cell: ({ merchant }) => merchantLink(merchant, names) },
    { head: say(TEXTS.issueDate), cell: ({ issue_date: day }) => dayOf(language, day), isFirm: true },
    { head: say(TEXTS.gross), cell: ({ gross }) => formatMoney(language, gross), isNumber: true },
    { head: say(TEXTS.mark), cell: ({ mark }) => mark, isFirm: true },
    { head: say(TEXTS.reference), cell: ({ external_reference: reference }) => reference },
  ];
}

export function retryButton(visit: Visit, document: DocumentObject): Markup {
  const { say } = visit;
  const action = `/console/documents/${document.id}/retry`;
  return actionButton(visit, { action, label: say(TEXTS.retry), about: documentName(say, document) });
}
