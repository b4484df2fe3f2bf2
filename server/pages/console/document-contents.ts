/** Shows what a document says, or would say (docs/contract.md#preview): parties, lines, payments. It never changes, so this part of the page is not refreshed. */
import { TEXTS } from "./messages.ts";
import type { CanonicalDocument } from "../../../src/domain/canonical-document.ts";
import { contentsLines, type DocumentContents, type ReadContents } from "../../../src/documents/contents.ts";
import { PAYMENT_WORDS, providerName } from "../../../src/domain/document-codes.ts";
import { furtherRows, LINE_COLUMNS, previewedNumber } from "../../../src/operations/document-view.ts";
import { dayOf, formatDay, formatMoney } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { type Column, table, termList, translated } from "./parts.ts";
import type { Page, Visit } from "./visit.ts";
import { joinWarnings } from "../../../src/foundation/stored-texts.ts";
import type { Examination } from "../../../src/documents/preview.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import { typeName } from "./document-parts.ts";
import { postForm } from "./forms.ts";
import { termsOf, viewColumns } from "./operation-pages.ts";

type Party = CanonicalDocument["supplier"];

function partyText({ tax_id: taxId, name, address, branch }: Party): Markup {
  const street = [address?.street, address?.number].filter((part) => part !== undefined).join(" ");
  const city = [address?.postal_code, address?.city].filter((part) => part !== undefined).join(" ");
  const lines = [
    name,
    html`${TEXTS.taxNumber} ${taxId.country} ${taxId.code}`,
    street,
    city,
    branch !== 0 && html`${TEXTS.branch} ${branch}`,
  ].filter((line) => line !== undefined && line !== false && line !== "");
  return html`${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`;
}

function linesSection(visit: Visit, lines: DocumentContents["lines"]): Markup {
  const income: Column<DocumentContents["lines"][number]> = {
    head: TEXTS.classification,
    cell: ({ classification: { category, type } }) =>
      html`<code>${category}</code> ${type !== null && html`<code>${type}</code>`}`,
  };
  const columns = [...viewColumns(visit, LINE_COLUMNS), income];
  return html`<section><h2>${TEXTS.lines}</h2>${table(TEXTS.lines, columns, lines)}</section>`;
}

function paymentsText(payments: ReadContents["payments"]): Markup {
  return html`${payments.map(
    ({ method, amount }, index) =>
      html`${index > 0 && html`<br>`}${formatMoney(amount)} ${PAYMENT_WORDS[method]}`,
  )}`;
}

export function contentsSections(visit: Visit, { object, payments }: ReadContents): Markup {
  const { supplier, customer, original_marks: originals = [] } = object.document;
  const parties = termList([
    [TEXTS.supplier, partyText(supplier)],
    [TEXTS.customer, customer && partyText(customer)],
    [TEXTS.payments, paymentsText(payments)],
    [TEXTS.originals, originals.join(", ")],
    ...termsOf(furtherRows(object.document)),
  ]);
  return html`${linesSection(visit, object.lines)}
<section>${parties}</section>`;
}

interface Previewed {
  examination: Pick<Examination, "document" | "object" | "classified" | "number" | "notes">;
  merchantName: string;
  /** Shown after the type. */
  more?: readonly (readonly [Text, Content])[];
  notes?: readonly Text[];
}

function previewSections(visit: Visit, previewed: Previewed): Markup {
  const { document, classified, notes } = previewed.examination;
  const lines = contentsLines(document.lines, classified.lines);
  const warnings = [...(previewed.notes ?? []), ...joinWarnings(classified.warnings), ...notes];
  return html`<section>${factsOf(previewed)}</section>
${linesSection(visit, lines)}
${warningsSection(warnings)}`;
}

export function warningsSection(texts: readonly Text[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  const items = texts.map((text) => html`<li>${translated(text)}</li>`);
  return html`<section><h2>${TEXTS.warnings}</h2><ul>${items}</ul></section>`;
}

function factsOf({ examination, merchantName, more = [] }: Previewed): Markup {
  const { document, object, number, classified } = examination;
  const methods = classified.payments.map(({ method }) => PAYMENT_WORDS[method]);
  return termList([
    [TEXTS.type, typeName(document.type)],
    ...more,
    [TEXTS.merchant, merchantName],
    [TEXTS.customer, document.customer && partyText(document.customer)],
    [TEXTS.issueDate, dayOf(document.issue_date)],
    [TEXTS.number, previewedNumber(number)],
    [TEXTS.provider, providerName(object.provider)],
    [TEXTS.payments, joinTexts(methods, ", ")],
    [TEXTS.net, formatMoney(object.totals.net)],
    [TEXTS.vat, formatMoney(object.totals.vat)],
    [TEXTS.gross, html`<strong>${formatMoney(object.totals.gross)}</strong>`],
    ...termsOf(furtherRows(document)),
  ]);
}

interface Confirmation {
  /** Where the form posts, and where it goes back to be changed. */
  action: string;
  change: string;
  hidden: Iterable<readonly [string, string]>;
  button: Text;
  back: string;
}

export function previewPage(visit: Visit, previewed: Previewed, form: Confirmation): Page {
  const { action, change, hidden, button, back } = form;
  const { document, object } = previewed.examination;
  const gross = formatMoney(object.totals.gross);
  // docs/contract.md#confirmation-in-live-mode
  const asked = TEXTS.issueQuestion(previewed.merchantName, gross, formatDay(document.issue_date));
  const part = postForm(visit, {
    action,
    hidden,
    content: visit.mode === "live" && html`<p><strong>${asked}</strong></p>`,
    button,
    buttons: html`<button formaction="${change}">${TEXTS.change}</button>`,
    back,
  });
  const content = html`${previewSections(visit, previewed)}<section>${part}</section>`;
  return { kind: "page", title: TEXTS.preview, content };
}
