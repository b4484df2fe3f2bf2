/** The preview of a credit note, with the button that issues it. */
import { TEXTS } from "./messages.ts";
import { contentsLines } from "../../../src/documents/contents.ts";
import type { CreditPreview } from "../../../src/documents/credit.ts";
import { type CreditEntry, quantityField } from "./credit-entry.ts";
import type { CreditSource } from "./credit-source.ts";
import { lineColumns, partyText } from "./document-contents.ts";
import { typeName } from "./document-parts.ts";
import { dayOf, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { table, termList, translated } from "./parts.ts";
import type { Visit } from "./visit.ts";

export interface PreviewedCredit {
  source: CreditSource;
  entry: CreditEntry;
  preview: CreditPreview;
}

export function creditPreview(visit: Visit, credit: PreviewedCredit): Markup {
  const { translate } = visit;
  const { document, classified, missingOnPaper } = credit.preview;
  const lines = contentsLines(document.lines, classified.lines);
  const warnings = [...classified.warnings, ...missingOnPaper].map(
    (text) => html`<li>${translated(translate, text)}</li>`,
  );
  return html`<section>${factsOf(visit, credit)}</section>
<section><h2>${translate(TEXTS.lines)}</h2>${table(translate(TEXTS.lines), lineColumns(visit), lines)}</section>
${warnings.length > 0 && html`<section><h2>${translate(TEXTS.warnings)}</h2><ul>${warnings}</ul></section>`}
${confirmation(visit, credit)}`;
}

function factsOf(visit: Visit, { source, preview }: PreviewedCredit): Markup {
  const { translate, language } = visit;
  const { document, object, number } = preview;
  const name = number === null ? undefined : TEXTS.notReserved(`${number.series} ${number.number}`);
  return termList([
    [translate(TEXTS.type), typeName(translate, document.type)],
    [translate(TEXTS.creditedDocument), source.link],
    [translate(TEXTS.merchant), source.merchantName],
    [translate(TEXTS.customer), document.customer && partyText(document.customer, translate)],
    [translate(TEXTS.issueDate), dayOf(language, document.issue_date)],
    [translate(TEXTS.number), translate(name ?? TEXTS.givenByProvider)],
    [translate(TEXTS.provider), object.provider],
    [translate(TEXTS.net), formatMoney(language, object.totals.net)],
    [translate(TEXTS.vat), formatMoney(language, object.totals.vat)],
    [translate(TEXTS.gross), html`<strong>${formatMoney(language, object.totals.gross)}</strong>`],
  ]);
}

/** In live mode it asks with the merchant and the sum (docs/contract.md#confirmation-in-live-mode). */
function confirmation(visit: Visit, { source, entry, preview }: PreviewedCredit): Markup {
  const { translate, language, csrf, mode } = visit;
  const { path, back, merchantName } = source;
  const gross = formatMoney(language, preview.object.totals.gross);
  const hidden = Object.entries({
    csrf,
    key: entry.key,
    ...source.fields,
    ...shownFields(entry, preview),
  }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<section><form method="post" action="${path}" class="stack">${hidden}${
    mode === "live" && html`<p><strong>${translate(TEXTS.creditQuestion(merchantName, gross))}</strong></p>`
  }<div class="actions"><button class="primary">${translate(TEXTS.issueCreditNote)}</button><button formaction="${path}/change">${translate(TEXTS.change)}</button><a class="button" href="${back}">${translate(TEXTS.backUnchanged)}</a></div></form></section>`;
}

/** What is typed, and the date and amounts shown for what is not. */
function shownFields({ quantities }: CreditEntry, { document, parts }: CreditPreview) {
  const fields: Record<string, string> = { issue_date: document.issue_date };
  for (const [line, typed] of quantities) fields[quantityField(line)] = typed;
  for (const { line, net } of parts)
    if ((quantities.get(line) ?? "") === "") fields[`net-${line}`] = String(net);
  return fields;
}
