/** Shows a document's parties, lines and payments. They never change, so this part of the page is not refreshed. */
import { TEXTS } from "./messages.ts";
import type { CanonicalDocument } from "../../../src/domain/canonical-document.ts";
import type { DocumentContents, ReadContents } from "../../../src/documents/contents.ts";
import { PAYMENT_WORDS, VAT_CATEGORIES } from "../../../src/domain/document-codes.ts";
import { furtherFacts } from "../../../src/operations/document-view.ts";
import { dayOf, formatMoney, formatQuantity } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { type Column, termList, table } from "./parts.ts";
import type { Visit } from "./visit.ts";

type Party = CanonicalDocument["supplier"];

export function partyText(
  { tax_id: taxId, name, address, branch }: Party,
  translate: Visit["translate"],
): Markup {
  const street = [address?.street, address?.number].filter((part) => part !== undefined).join(" ");
  const city = [address?.postal_code, address?.city].filter((part) => part !== undefined).join(" ");
  const lines = [
    name,
    `${translate(TEXTS.taxNumber)} ${taxId.country} ${taxId.code}`,
    street,
    city,
    branch === 0 ? undefined : `${translate(TEXTS.branch)} ${branch}`,
  ].filter((line) => line !== undefined && line !== "");
  return html`${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`;
}

type Line = DocumentContents["lines"][number];

export function lineColumns({ translate, language }: Visit): Column<Line>[] {
  return [
    { head: translate(TEXTS.description), cell: (line) => line.description },
    {
      head: translate(TEXTS.quantity),
      cell: (line) => formatQuantity(language, line.quantity),
      isNumber: true,
    },
    {
      head: translate(TEXTS.unitPrice),
      cell: (line) => formatMoney(language, line.unit_price),
      isNumber: true,
    },
    {
      head: translate(TEXTS.vatCategory),
      cell: (line) => `${VAT_CATEGORIES[line.vat_category].ratePercent} %`,
      isNumber: true,
    },
    { head: translate(TEXTS.net), cell: (line) => formatMoney(language, line.net), isNumber: true },
    { head: translate(TEXTS.vat), cell: (line) => formatMoney(language, line.vat), isNumber: true },
    {
      head: translate(TEXTS.classification),
      cell: ({ classification: { category, type } }) =>
        html`<code>${category}</code> ${type !== null && html`<code>${type}</code>`}`,
    },
  ];
}

function paymentsText({ translate, language }: Visit, payments: ReadContents["payments"]): Markup {
  return html`${payments.map(
    ({ method, amount }, index) =>
      html`${index > 0 && html`<br>`}${formatMoney(language, amount)} ${translate(PAYMENT_WORDS[method])}`,
  )}`;
}

/** What few documents have, for a list of terms. */
export function furtherTerms(
  { translate, language }: Visit,
  document: CanonicalDocument,
): [string, Content][] {
  return furtherFacts(document).map((fact) => {
    const label = translate(fact.label);
    if ("cents" in fact) return [label, formatMoney(language, fact.cents)];
    return [label, "day" in fact ? dayOf(language, fact.day) : fact.text];
  });
}

export function contentsSections(visit: Visit, { object, payments }: ReadContents): Markup {
  const { translate } = visit;
  const { supplier, customer, original_marks: originals = [] } = object.document;
  const parties = termList([
    [translate(TEXTS.supplier), partyText(supplier, translate)],
    [translate(TEXTS.customer), customer === undefined ? undefined : partyText(customer, translate)],
    [translate(TEXTS.payments), paymentsText(visit, payments)],
    [translate(TEXTS.originals), originals.join(", ")],
    ...furtherTerms(visit, object.document),
  ]);
  return html`<section><h2>${translate(TEXTS.lines)}</h2>${table(translate(TEXTS.lines), lineColumns(visit), object.lines)}</section>
<section>${parties}</section>`;
}
