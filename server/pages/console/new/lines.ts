/** The lines of the form for a new document, and its running totals. */
import {
  UNIT_WORDS,
  VAT_CATEGORIES,
  VAT_WORDS,
  type VatCategory,
} from "../../../../src/domain/document-codes.ts";
import { computeExactTotals, type PricedLine } from "../../../../src/domain/totals.ts";
import { describeExemption } from "../../../../src/paper/labels.ts";
import { FIELDS, maxLength } from "../../../../src/intake/table-fields.ts";
import { type Content, html, type Markup } from "../../markup.ts";
import { formatMoney } from "../format.ts";
import { inputField, menuField, type Trouble } from "../form-trouble.ts";
import { TEXTS } from "../messages.ts";
import type { Visit } from "../visit.ts";
import { type Row, type RowField, rowField } from "./entry.ts";

export const CHANGE_PATH = "/console/new/change";
const EXEMPTIONS = Array.from({ length: 31 }, (_, index) => index + 1);

export function linesPart(
  visit: Visit,
  { rows, trouble, focus }: { rows: readonly Row[]; trouble: Trouble | undefined; focus: string | undefined },
): Markup {
  const { translate } = visit;
  const causes = EXEMPTIONS.map(
    (cause) => html`<option value="${cause}">${translate(describeExemption(cause))}</option>`,
  );
  return html`<div id="rows" data-moved="${translate(TEXTS.lineMoved)}">${rows.map((row, index) => rowPart(visit, { row, number: index + 1, trouble, focus }))}</div>
<datalist id="exemptions">${causes}</datalist>
<div class="actions"><button formaction="${CHANGE_PATH}" name="act" value="add">${translate(TEXTS.addLine)}</button></div>
<p class="hint" id="keys" hidden>${translate(TEXTS.lineKeys)}</p>`;
}

type LineColumn = "description" | "quantity" | "unit" | "unit_price" | "vat_category" | "vat_exemption";

interface RowParts {
  row: Row;
  number: number;
  trouble: Trouble | undefined;
  focus: string | undefined;
}

function rowPart(visit: Visit, { row, number, trouble, focus }: RowParts): Markup {
  const { translate } = visit;
  const labelled = (column: LineColumn, control: Markup): Markup => {
    const { name, label } = FIELDS[column].form;
    return html`<div class="${name}"><label for="${rowField(name, number)}">${translate(label)}</label>${control}</div>`;
  };
  const input = (field: RowField, more: Content): Markup => {
    const name = rowField(field, number);
    const focused = name === focus && html` autofocus`;
    return inputField(visit, trouble, { name, value: row[field], more: html`${more}${focused}` });
  };
  const menu = (field: RowField, options: { value: string; text: string }[]): Markup =>
    menuField(visit, trouble, { name: rowField(field, number), value: row[field], options });
  const decimal = html` inputmode="decimal" maxlength="30"`;
  return html`<div class="line" role="group" aria-label="${translate(TEXTS.lineNumber(number))}">
${labelled("description", input("description", html` maxlength="${maxLength("description")}"`))}
${labelled("quantity", input("quantity", decimal))}
${labelled("unit", menu("unit", units(visit)))}
${labelled("unit_price", input("price", decimal))}
${labelled("vat_category", menu("vat", categories(visit)))}
${labelled("vat_exemption", input("exemption", html` inputmode="numeric" maxlength="2" list="exemptions"`))}
<div class="moves">${moves(visit, number)}</div>
<input type="hidden" name="${rowField("income", number)}" value="${row.income}">${
    row.income !== "" &&
    html`<p class="hint income">${translate(TEXTS.classification)}: <code>${row.income}</code></p>`
  }
</div>
`;
}

function moves({ translate }: Visit, number: number): Markup[] {
  const buttons = [
    ["up", "↑", TEXTS.moveUp(number)],
    ["down", "↓", TEXTS.moveDown(number)],
    ["remove", "✕", TEXTS.removeLine(number)],
  ] as const;
  return buttons.map(
    ([act, sign, label]) =>
      html`<button formaction="${CHANGE_PATH}" name="act" value="${act}-${number}" aria-label="${translate(label)}" title="${translate(label)}">${sign}</button>`,
  );
}

function units({ translate }: Visit) {
  return Object.entries(UNIT_WORDS).map(([value, word]) => ({ value, text: translate(word) }));
}

function categories({ translate }: Visit) {
  return Object.entries(VAT_CATEGORIES).map(([value, { ratePercent }]) => ({
    value,
    text: `${ratePercent}% ${translate(VAT_WORDS[value as VatCategory])}`,
  }));
}

/** Replaced by the script while a person types. */
export function totalsPart({ translate, language }: Visit, lines: readonly PricedLine[]): Markup {
  const { net, vat, gross } = computeExactTotals(lines);
  return html`<p id="totals" role="status">${translate(TEXTS.net)} ${formatMoney(language, net)} · ${translate(TEXTS.vat)} ${formatMoney(language, vat)} · ${translate(TEXTS.gross)} <strong>${formatMoney(language, gross)}</strong></p>`;
}
