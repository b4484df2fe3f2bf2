/** Shows what would be issued: details, lines and warnings (docs/contract.md#preview). */
import { joinWarnings } from "../../../src/foundation/stored-texts.ts";
import { PAYMENT_WORDS, providerName } from "../../../src/domain/document-codes.ts";
import { TEXTS } from "./messages.ts";
import { contentsLines } from "../../../src/documents/contents.ts";
import type { Examination } from "../../../src/documents/preview.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { furtherTerms, lineColumns, partyText } from "./document-contents.ts";
import { typeName } from "./document-parts.ts";
import { dayOf, formatMoney } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { table, termList, translated } from "./parts.ts";
import type { Visit } from "./visit.ts";

export interface Previewed {
  examination: Pick<Examination, "document" | "object" | "classified" | "number" | "notes">;
  merchantName: string;
  /** Shown after the type. */
  more?: readonly (readonly [string, Content])[];
  /** Further warnings. */
  notes?: readonly Text[];
}

export function previewSections(visit: Visit, previewed: Previewed): Markup {
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
