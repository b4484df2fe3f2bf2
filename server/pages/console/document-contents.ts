/** What a document says: its parties, lines and payments. They never change, so they are no living part of the page. */
import type { CanonicalDocument } from "../../../src/domain/canonical-document.ts";
import type { DocumentContents } from "../../../src/documents/contents.ts";
import { VAT_CATEGORIES } from "../../../src/domain/document-codes.ts";
import { formatMoney, formatQuantity } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { type Column, facts, table } from "./parts.ts";
import type { Visit } from "./visit.ts";

type Party = CanonicalDocument["supplier"];

function partyText({ tax_id: taxId, name, address, branch }: Party, say: Visit["say"]): Markup {
  const street = [address?.street, address?.number].filter((part) => part !== undefined).join(" ");
  const city = [address?.postal_code, address?.city].filter((part) => part !== undefined).join(" ");
  const lines = [
    name,
    `${say("tax number")} ${taxId.country} ${taxId.code}`,
    street,
    city,
    branch === 0 ? undefined : `${say("branch")} ${branch}`,
  ].filter((line) => line !== undefined && line !== "");
  return html`${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`;
}

type Line = DocumentContents["lines"][number];

function lineColumns({ say, language }: Visit): Column<Line>[] {
  return [
    { head: say("description"), cell: (line) => line.description },
    { head: say("quantity"), cell: (line) => formatQuantity(language, line.quantity), isNumber: true },
    { head: say("unit price"), cell: (line) => formatMoney(language, line.unit_price), isNumber: true },
    {
      head: say("VAT category"),
      cell: (line) => `${VAT_CATEGORIES[line.vat_category].ratePercent} %`,
      isNumber: true,
    },
    { head: say("net"), cell: (line) => formatMoney(language, line.net), isNumber: true },
    { head: say("vat"), cell: (line) => formatMoney(language, line.vat), isNumber: true },
    {
      head: say("classification"),
      cell: ({ classification }) =>
        classification === undefined
          ? undefined
          : html`<code>${classification.category}</code> ${
              classification.type !== null && html`<code>${classification.type}</code>`
            }`,
    },
  ];
}

/** Words of the API, as they stand there: `on_credit`. */
function paymentsText({ language }: Visit, payments: DocumentContents["payments"]): Markup {
  return html`${payments.map(
    ({ method, amount }, index) =>
      html`${index > 0 && html`<br>`}${formatMoney(language, amount)} <code>${method}</code>`,
  )}`;
}

export function contentsSections(visit: Visit, contents: DocumentContents): Markup {
  const { say } = visit;
  const parties = facts([
    [say("supplier"), partyText(contents.supplier, say)],
    [say("customer"), contents.customer === undefined ? undefined : partyText(contents.customer, say)],
    [say("payments"), paymentsText(visit, contents.payments)],
    [say("originals"), contents.originalMarks.join(", ")],
  ]);
  return html`<section><h2>${say("lines")}</h2>${table(say("lines"), lineColumns(visit), contents.lines)}</section>
<section>${parties}</section>`;
}
