/** The form that credits a document: a quantity for each line, and the issue date. */
import { TEXTS } from "./messages.ts";
import type { Creditable } from "../../../src/documents/credit.ts";
import { formatThousandths } from "../../../src/domain/credit-cents.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type CreditEntry, quantityField } from "./credit-entry.ts";
import type { CreditSource } from "./credit-source.ts";
import { formatMoney, formatQuantity } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { inputField, type Trouble, troubleSummary } from "./form-trouble.ts";
import { type Column, hiddenFields, table } from "./parts.ts";
import type { Visit } from "./visit.ts";

export interface CreditForm {
  source: CreditSource;
  creditable: Creditable;
  entry: CreditEntry;
  trouble: Trouble | undefined;
}

const HINT_ID = "quantity-hint";

/** The form has `novalidate` because the server reports mistakes in the page's language, all at once. */
export function creditForm(visit: Visit, form: CreditForm): Markup {
  const { translate, csrf, appliance } = visit;
  const { source, creditable, entry } = form;
  const names = hiddenFields(Object.entries(source.fields));
  const lines = table(translate(TEXTS.lines), columns(visit, form), creditable.left);
  return html`${form.trouble !== undefined && troubleSummary(visit, form.trouble, fieldName)}<section><form method="post" action="${source.path}/preview" class="stack" data-keep novalidate>
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="key" value="${entry.key}">${names}
<p class="hint" id="${HINT_ID}">${translate(TEXTS.quantityHint)}</p>
${lines}
<div class="short"><label for="issue_date">${translate(TEXTS.issueDate)}</label>${inputField(
    visit,
    form.trouble,
    {
      name: "issue_date",
      type: "date",
      value: entry.issueDate,
      more: html` max="${appliance.clock.today()}"`,
    },
  )}</div>
<div class="actions"><button class="primary">${translate(TEXTS.preview)}</button><a class="button" href="${source.back}">${translate(TEXTS.backUnchanged)}</a></div>
</form></section>`;
}

type LineLeft = Creditable["left"][number];

function columns(visit: Visit, form: CreditForm): Column<LineLeft>[] {
  const { translate, language } = visit;
  const { lines } = form.creditable;
  return [
    { head: translate(TEXTS.line), cell: ({ line }) => line, isNumber: true },
    { head: translate(TEXTS.description), cell: ({ line }) => lines[line - 1]!.description },
    {
      head: translate(TEXTS.unitPrice),
      cell: ({ line }) => formatMoney(language, lines[line - 1]!.unit_price),
      isNumber: true,
    },
    {
      head: translate(TEXTS.quantityLeft),
      cell: ({ quantity }) => formatQuantity(language, formatThousandths(quantity)),
      isNumber: true,
    },
    { head: translate(TEXTS.netLeft), cell: ({ net }) => formatMoney(language, net), isNumber: true },
    { head: translate(TEXTS.quantityToCredit), cell: (left) => quantityCell(visit, form, left) },
  ];
}

function quantityCell(visit: Visit, form: CreditForm, { line, net }: LineLeft): Markup {
  const { translate } = visit;
  if (net === 0) return html`<span class="soft">${translate(TEXTS.creditedInFull)}</span>`;
  const name = quantityField(line);
  const value = form.entry.quantities.get(line) ?? "";
  const more = html` inputmode="decimal" maxlength="20"`;
  return html`<label class="unseen" for="${name}">${translate(TEXTS.quantityOfLine(line))}</label>${inputField(
    visit,
    form.trouble,
    { name, value, more, hint: HINT_ID },
  )}`;
}

function fieldName(name: string): Text {
  return name === "issue_date" ? TEXTS.issueDate : TEXTS.lineNumber(Number(name.split("-")[1]));
}
