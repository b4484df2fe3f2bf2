/** How documents are named, listed and mended on every page that shows some. */
import { getMerchant } from "../../../src/merchants/merchants.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { dayOf, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, wordFor } from "./parts.ts";
import type { Say } from "./language.ts";
import type { Visit } from "./visit.ts";

/** `TIM 12`; before it has a number, that it has none. */
export function documentName(
  say: Say,
  { series, number }: Pick<DocumentObject, "series" | "number">,
): string {
  return number === null ? say("no number") : `${series ?? ""} ${number}`.trim();
}

export function documentLink(say: Say, document: DocumentObject): Markup {
  return html`<a href="/console/documents/${document.id}">${documentName(say, document)}</a>`;
}

export function typeName(say: Say, type: string): string {
  return `${type} ${wordFor(say, type)}`;
}

export function statusOf(say: Say, { status, stage, cancellation_mark: cancelled }: DocumentObject): Markup {
  const more = cancelled !== null ? say("cancelled") : stage === null ? undefined : say(stage);
  return html`${badge(say, status)}${more !== undefined && html` <span class="stage">${more}</span>`}`;
}

/** The names of the merchants of some rows, by id: as many reads as there are merchants among them. */
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
    { head: say("number"), cell: (document) => documentLink(say, document) },
    { head: say("status"), cell: (document) => statusOf(say, document) },
    { head: say("type"), cell: ({ type }) => typeName(say, type) },
    { head: say("merchant"), cell: ({ merchant }) => merchantLink(merchant, names) },
    { head: say("issue date"), cell: ({ issue_date: day }) => dayOf(language, day), isFirm: true },
    { head: say("gross"), cell: ({ gross }) => formatMoney(language, gross), isNumber: true },
    { head: say("mark"), cell: ({ mark }) => mark, isFirm: true },
    { head: say("reference"), cell: ({ external_reference: reference }) => reference },
  ];
}

export function retryButton(visit: Visit, document: DocumentObject): Markup {
  const { say } = visit;
  const action = `/console/documents/${document.id}/retry`;
  return actionButton(visit, { action, label: say("retry"), about: documentName(say, document) });
}
