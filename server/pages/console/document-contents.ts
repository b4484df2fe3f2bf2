/** Shows what a document says, or would say (docs/contract.md#preview): parties, lines, payments. It never changes, so this part of the page is not refreshed. */
import { TEXTS } from "./messages.ts";
import type { CanonicalDocument } from "../../../src/domain/canonical-document.ts";
import { contentsLines, type DocumentContents, type ReadContents } from "../../../src/documents/contents.ts";
import { PAYMENT_WORDS, providerName, VAT_CATEGORIES } from "../../../src/domain/document-codes.ts";
import { furtherFacts } from "../../../src/operations/document-view.ts";
import { dayOf, formatDay, formatMoney, formatQuantity } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { type Column, table, termList, translated } from "./parts.ts";
import type { Visit } from "./visit.ts";
import { joinWarnings } from "../../../src/foundation/stored-texts.ts";
import type { Examination } from "../../../src/documents/preview.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import { typeName } from "./document-parts.ts";
import { postForm } from "./forms.ts";

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

type Line = DocumentContents["lines"][number];

const LINE_COLUMNS: readonly Column<Line>[] = [
  { head: TEXTS.description, cell: (line) => line.description },
  { head: TEXTS.quantity, cell: (line) => formatQuantity(line.quantity), isNumber: true },
  { head: TEXTS.unitPrice, cell: (line) => formatMoney(line.unit_price), isNumber: true },
  {
    head: TEXTS.vatCategory,
    cell: (line) => `${VAT_CATEGORIES[line.vat_category].ratePercent} %`,
    isNumber: true,
  },
  { head: TEXTS.net, cell: (line) => formatMoney(line.net), isNumber: true },
  { head: TEXTS.vat, cell: (line) => formatMoney(line.vat), isNumber: true },
  {
    head: TEXTS.classification,
    cell: ({ classification: { category, type } }) =>
      html`<code>${category}</code> ${type !== null && html`<code>${type}</code>`}`,
  },
];

function paymentsText(payments: ReadContents["payments"]): Markup {
  return html`${payments.map(
    ({ method, amount }, index) =>
      html`${index > 0 && html`<br>`}${formatMoney(amount)} ${PAYMENT_WORDS[method]}`,
  )}`;
}

/** What few documents have, for a list of terms. */
function furtherTerms(document: CanonicalDocument): [Text, Content][] {
  return furtherFacts(document).map((fact) => {
    if ("cents" in fact) return [fact.label, formatMoney(fact.cents)];
    return [fact.label, fact.isDay ? dayOf(fact.text) : fact.text];
  });
}

export function contentsSections({ object, payments }: ReadContents): Markup {
  const { supplier, customer, original_marks: originals = [] } = object.document;
  const parties = termList([
    [TEXTS.supplier, partyText(supplier)],
    [TEXTS.customer, customer && partyText(customer)],
    [TEXTS.payments, paymentsText(payments)],
    [TEXTS.originals, originals.join(", ")],
    ...furtherTerms(object.document),
  ]);
  return html`<section><h2>${TEXTS.lines}</h2>${table(TEXTS.lines, LINE_COLUMNS, object.lines)}</section>
<section>${parties}</section>`;
}

interface Previewed {
  examination: Pick<Examination, "document" | "object" | "classified" | "number" | "notes">;
  merchantName: string;
  /** Shown after the type. */
  more?: readonly (readonly [Text, Content])[];
  /** Further warnings. */
  notes?: readonly Text[];
}

function previewSections(previewed: Previewed): Markup {
  const { document, classified, notes } = previewed.examination;
  const lines = contentsLines(document.lines, classified.lines);
  const warnings = [...(previewed.notes ?? []), ...joinWarnings(classified.warnings), ...notes].map(
    (text) => html`<li>${translated(text)}</li>`,
  );
  return html`<section>${factsOf(previewed)}</section>
<section><h2>${TEXTS.lines}</h2>${table(TEXTS.lines, LINE_COLUMNS, lines)}</section>
${warnings.length > 0 && html`<section><h2>${TEXTS.warnings}</h2><ul>${warnings}</ul></section>`}`;
}

function factsOf({ examination, merchantName, more = [] }: Previewed): Markup {
  const { document, object, number, classified } = examination;
  const name = number === null ? undefined : TEXTS.notReserved(`${number.series} ${number.number}`);
  const methods = classified.payments.map(({ method }) => PAYMENT_WORDS[method]);
  return termList([
    [TEXTS.type, typeName(document.type)],
    ...more,
    [TEXTS.merchant, merchantName],
    [TEXTS.customer, document.customer && partyText(document.customer)],
    [TEXTS.issueDate, dayOf(document.issue_date)],
    [TEXTS.number, name ?? TEXTS.givenByProvider],
    [TEXTS.provider, providerName(object.provider)],
    [TEXTS.payments, joinTexts(methods, ", ")],
    [TEXTS.net, formatMoney(object.totals.net)],
    [TEXTS.vat, formatMoney(object.totals.vat)],
    [TEXTS.gross, html`<strong>${formatMoney(object.totals.gross)}</strong>`],
    ...furtherTerms(document),
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

/** A preview with the button that issues what it shows. */
export function previewToConfirm(visit: Visit, previewed: Previewed, form: Confirmation): Markup {
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
  return html`${previewSections(previewed)}<section>${part}</section>`;
}
