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
import type { Text } from "../../../src/foundation/text.ts";
import { typeName } from "./document-parts.ts";
import { postForm } from "./forms.ts";

type Party = CanonicalDocument["supplier"];

function partyText({ tax_id: taxId, name, address, branch }: Party, translate: Visit["translate"]): Markup {
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

function lineColumns({ translate, language }: Visit): Column<Line>[] {
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
function furtherTerms({ translate, language }: Visit, document: CanonicalDocument): [string, Content][] {
  return furtherFacts(document).map((fact) => {
    const label = translate(fact.label);
    if ("cents" in fact) return [label, formatMoney(language, fact.cents)];
    return [label, fact.isDay ? dayOf(language, fact.text) : fact.text];
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

interface Previewed {
  examination: Pick<Examination, "document" | "object" | "classified" | "number" | "notes">;
  merchantName: string;
  /** Shown after the type. */
  more?: readonly (readonly [string, Content])[];
  /** Further warnings. */
  notes?: readonly Text[];
}

function previewSections(visit: Visit, previewed: Previewed): Markup {
  const { translate } = visit;
  const { document, classified, notes } = previewed.examination;
  const lines = contentsLines(document.lines, classified.lines);
  const warnings = [...(previewed.notes ?? []), ...joinWarnings(classified.warnings), ...notes].map(
    (text) => html`<li>${translated(translate, text)}</li>`,
  );
  return html`<section>${factsOf(visit, previewed)}</section>
<section><h2>${translate(TEXTS.lines)}</h2>${table(translate(TEXTS.lines), lineColumns(visit), lines)}</section>
${warnings.length > 0 && html`<section><h2>${translate(TEXTS.warnings)}</h2><ul>${warnings}</ul></section>`}`;
}

function factsOf(visit: Visit, { examination, merchantName, more = [] }: Previewed): Markup {
  const { translate, language } = visit;
  const { document, object, number, classified } = examination;
  const name = number === null ? undefined : TEXTS.notReserved(`${number.series} ${number.number}`);
  const methods = classified.payments.map(({ method }) => translate(PAYMENT_WORDS[method]));
  return termList([
    [translate(TEXTS.type), typeName(translate, document.type)],
    ...more,
    [translate(TEXTS.merchant), merchantName],
    [translate(TEXTS.customer), document.customer && partyText(document.customer, translate)],
    [translate(TEXTS.issueDate), dayOf(language, document.issue_date)],
    [translate(TEXTS.number), translate(name ?? TEXTS.givenByProvider)],
    [translate(TEXTS.provider), providerName(object.provider)],
    [translate(TEXTS.payments), methods.join(", ")],
    [translate(TEXTS.net), formatMoney(language, object.totals.net)],
    [translate(TEXTS.vat), formatMoney(language, object.totals.vat)],
    [translate(TEXTS.gross), html`<strong>${formatMoney(language, object.totals.gross)}</strong>`],
    ...furtherTerms(visit, document),
  ]);
}

interface Confirmation {
  /** Where the form posts, and where it goes back to be changed. */
  action: string;
  change: string;
  hidden: Iterable<readonly [string, string]>;
  /** Asked in live mode, with the merchant, the sum and the date (docs/contract.md#confirmation-in-live-mode). */
  question(merchant: string, gross: string, day: string): Text;
  button: Text;
  back: string;
}

/** A preview with the button that issues what it shows. */
export function previewToConfirm(visit: Visit, previewed: Previewed, form: Confirmation): Markup {
  const { translate, language, mode } = visit;
  const { action, change, hidden, question, button, back } = form;
  const { document, object } = previewed.examination;
  const gross = formatMoney(language, object.totals.gross);
  const asked = question(previewed.merchantName, gross, formatDay(language, document.issue_date));
  const part = postForm(visit, {
    action,
    hidden,
    content: mode === "live" && html`<p><strong>${translate(asked)}</strong></p>`,
    button: translate(button),
    buttons: html`<button formaction="${change}">${translate(TEXTS.change)}</button>`,
    back,
  });
  return html`${previewSections(visit, previewed)}<section>${part}</section>`;
}
