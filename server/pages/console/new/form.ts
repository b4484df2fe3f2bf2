/** The form for a new document, with its lines and running totals. Every button of it is a submit, so it works without scripts. */
import {
  PAYMENT_METHODS,
  PAYMENT_WORDS,
  type PaymentMethod,
  UNIT_WORDS,
} from "../../../../src/domain/document-codes.ts";
import { computeExactTotals, type PricedLine } from "../../../../src/domain/totals.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import type { CustomerObject } from "../../../../src/merchants/customers.ts";
import {
  type ColumnName,
  fieldOf as fieldAt,
  FIELDS,
  fieldsIn,
  FILE_COLUMNS,
  maxLength,
} from "../../../../src/intake/table-fields.ts";
import { html, type Markup } from "../../markup.ts";
import { ASSETS } from "../../assets.ts";
import { typeName, VAT_OPTIONS } from "../document-parts.ts";
import { type Field, formField, type Trouble, troubleSummary } from "../forms.ts";
import { TEXTS } from "../messages.ts";
import type { Visit } from "../visit.ts";
import { customerNumber } from "./filled-in.ts";
import {
  emptyRow,
  type FieldName,
  type NewEntry,
  OTHER_PAYMENTS_MAX,
  paymentFields,
  type Row,
  rowField,
} from "./entry.ts";
import { hiddenFields, type Option } from "../parts.ts";
import { formatMoney } from "../format.ts";
import { describeExemption } from "../../../../src/paper/labels.ts";
import { NEW_TYPES } from "../../../../src/documents/new-document.ts";

export interface NewForm {
  entry: NewEntry;
  merchantName: string;
  customers: readonly CustomerObject[];
  /** Those that can be read. */
  lines: readonly PricedLine[];
  trouble: Trouble | undefined;
  notes: readonly Text[];
  /** The field that has the focus. */
  focus: string | undefined;
}

/** `novalidate`, because the server reports mistakes in the page's language, all at once. Its first button is that of the Enter key. */
export function newForm(visit: Visit, form: NewForm): Markup {
  const { csrf } = visit;
  const { entry, trouble, notes } = form;
  const names = [
    "merchant",
    "provider",
    "customer_branch",
    "former",
    "former_name",
    "former_address",
  ] as const;
  const hidden = hiddenFields([
    ["csrf", csrf],
    ["key", entry.key],
    ...names.map((name) => [name, entry.fields[name]] as const),
  ]);
  return html`${trouble !== undefined && troubleSummary(trouble, labelOf)}<div id="notes" role="status">${
    notes.length > 0 && html`<div class="note">${notes.map((note) => html`<p>${note}</p>`)}</div>`
  }</div><form method="post" action="/console/new/preview" id="new" novalidate>
<button class="unseen" tabindex="-1" aria-hidden="true">${TEXTS.preview}</button>${hidden}
${headPart(visit, form)}
${customerPart(form)}
<section><h2>${TEXTS.lines}</h2><div class="stack">${pricesPart(form)}${linesPart(form)}${totalsPart(form.lines)}</div></section>
${endPart(form)}
</form><script src="/${ASSETS.newScript}" defer></script>`;
}

function headPart(visit: Visit, form: NewForm): Markup {
  const { appliance } = visit;
  const types = NEW_TYPES.map((value) => ({ value, text: typeName(value) }));
  const today = html` max="${appliance.clock.today()}"`;
  return html`<section><div class="stack"><p>${TEXTS.merchant}: <strong>${form.merchantName}</strong> <button class="plain" formaction="${CHANGE_PATH}" name="act" value="merchant">${TEXTS.otherMerchant}</button></p>
<div class="fields">${place(form, "type", { options: types })}${place(form, "issue_date", { type: "date", more: today })}</div></div></section>`;
}

function customerPart(form: NewForm): Markup {
  const offered = form.customers.map(
    ({ country, code, name }) => html`<option value="${customerNumber({ country, code })}">${name}</option>`,
  );
  const more = html` list="customers" maxlength="${maxLength("customer_tax_id")}" spellcheck="false"`;
  return html`<section><h2>${TEXTS.customer}</h2><div class="stack"><p class="hint" id="customer-hint">${TEXTS.customerHint}</p>
<div class="fields">${place(form, "customer", { more, hint: "customer-hint" })}<div class="beside"><button formaction="${CHANGE_PATH}" name="act" value="find">${TEXTS.findCustomer}</button></div></div>
<div class="fields address-fields">${fieldsIn("customer").map((column) => columnPlace(form, column))}</div>
<datalist id="customers">${offered}</datalist></div></section>`;
}

function pricesPart(form: NewForm): Markup {
  const options = [
    { value: "net", text: TEXTS.pricesNet },
    { value: "gross", text: TEXTS.pricesGross },
  ];
  return place(form, "prices", { options, look: "short" });
}

function endPart(form: NewForm): Markup {
  const { fields } = form.entry;
  const methods = (Object.keys(PAYMENT_METHODS) as PaymentMethod[]).map((value) => ({
    value,
    text: PAYMENT_WORDS[value],
  }));
  const rare = [...fieldsIn("more").map(nameOf), "branch" as const];
  const isOpen = rare.some((name) => fields[name] !== "" || form.trouble?.mistakes.has(name) === true);
  return html`<section><div class="stack"><div class="fields">${place(form, "payment", { options: methods })}</div>${otherPayments(form, methods)}
<details${isOpen && html` open`}><summary>${TEXTS.moreFields}</summary><div class="fields">${fieldsIn("more").map((column) => columnPlace(form, column))}${place(form, "branch", { more: html` inputmode="numeric" maxlength="4"` })}</div></details>
<div class="actions"><button class="primary">${TEXTS.preview}</button><a class="button" href="/console/documents">${TEXTS.backUnchanged}</a></div></div></section>`;
}

const DECIMAL = html` inputmode="decimal" maxlength="30"`;

/** The further ways in which it was paid, each with its amount. */
function otherPayments({ entry, trouble }: NewForm, methods: readonly Option[]): Markup {
  const options = [{ value: "", text: "" }, ...methods];
  const rows = Array.from({ length: OTHER_PAYMENTS_MAX }, (_, index) => {
    const names = paymentFields(index);
    const { method = "", amount = "" } = entry.payments[index] ?? {};
    const part = (name: string, value: string, more: Partial<Field>) =>
      formField(trouble, { name, value, label: labelOf(name), ...more });
    return html`<div class="fields">${part(names.method, method, { options })}${part(names.amount, amount, { more: DECIMAL })}</div>`;
  });
  const isOpen = entry.payments.some(({ method, amount }) => method + amount !== "");
  return html`<details${isOpen && html` open`}><summary>${TEXTS.otherPayments}</summary><div class="stack"><p class="hint">${TEXTS.otherPaymentsHint}</p>${rows}</div></details>`;
}

function place(form: NewForm, name: FieldName, more: Partial<Field>): Markup {
  const label = labelOf(name);
  return formField(form.trouble, { name, value: form.entry.fields[name], label, ...more });
}

function nameOf(column: ColumnName): FieldName {
  return fieldAt(column).form!.name as FieldName;
}

/** A field of the table, as long as the API takes it. */
function columnPlace(form: NewForm, column: ColumnName): Markup {
  const type = fieldAt(column).sheet === "day" ? "date" : "text";
  const most = maxLength(column);
  return place(form, nameOf(column), { type, more: most !== undefined && html` maxlength="${most}"` });
}

const LABELS: ReadonlyMap<string, Text> = new Map([
  ["prices", TEXTS.prices],
  ["branch", TEXTS.branch],
  ...FILE_COLUMNS.flatMap((column): [string, Text][] => {
    const { form } = fieldAt(column);
    return form === undefined ? [] : [[form.name, form.label]];
  }),
]);

/** The label of a field, with the line that it is in. */
function labelOf(name: string): Text {
  const [, kind, which = ""] = /^(payment|paid)_([0-9]+)$/.exec(name) ?? [];
  if (kind !== undefined) return kind === "paid" ? TEXTS.paidNumber(which) : TEXTS.paymentNumber(which);
  const [, part = "", number] = /^([a-z]+)-([0-9]+)$/.exec(name) ?? [];
  if (number === undefined) return LABELS.get(name) ?? TEXTS.details;
  const line = TEXTS.lineNumber(Number(number));
  const label = LABELS.get(part) ?? TEXTS.details;
  return { en: `${line.en}, ${label.en}`, el: `${line.el}, ${label.el}` };
}

export const CHANGE_PATH = "/console/new/change";
const EXEMPTIONS = Array.from({ length: 31 }, (_, index) => index + 1);

function linesPart(form: NewForm): Markup {
  const causes = EXEMPTIONS.map(
    (cause) => html`<option value="${cause}">${describeExemption(cause)}</option>`,
  );
  return html`<div id="rows" data-moved="${TEXTS.lineMoved}">${form.entry.rows.map((row, index) => rowPart(form, row, index + 1))}</div>
<template id="row">${rowPart({ trouble: undefined, focus: undefined }, emptyRow("standard"), 0)}</template>
<datalist id="exemptions">${causes}</datalist>
<div class="actions"><button formaction="${CHANGE_PATH}" name="act" value="add">${TEXTS.addLine}</button></div>
<p class="hint" id="keys" hidden>${TEXTS.lineKeys}</p>`;
}

function rowPart({ trouble, focus }: Pick<NewForm, "trouble" | "focus">, row: Row, number: number): Markup {
  const cell = (column: LineColumn, given: Pick<Field, "more" | "options">): Markup => {
    const { name: look, label } = FIELDS[column].form;
    const name = rowField(look, number);
    const more = html`${given.more}${name === focus && html` autofocus`}`;
    return formField(trouble, { name, value: row[look], label, look, ...given, more });
  };
  return html`<div class="line" role="group" aria-label="${TEXTS.lineNumber(number)}">
${cell("description", { more: html` maxlength="${maxLength("description")}"` })}
${cell("quantity", { more: DECIMAL })}
${cell("unit", { options: UNIT_OPTIONS })}
${cell("unit_price", { more: DECIMAL })}
${cell("vat_category", { options: VAT_OPTIONS })}
${cell("vat_exemption", { more: html` inputmode="numeric" maxlength="2" list="exemptions"` })}
<div class="moves">${moves(number)}</div>
<input type="hidden" name="${rowField("income", number)}" value="${row.income}">${
    row.income !== "" && html`<p class="hint income">${TEXTS.classification}: <code>${row.income}</code></p>`
  }
</div>
`;
}

type LineColumn = "description" | "quantity" | "unit" | "unit_price" | "vat_category" | "vat_exemption";

function moves(number: number): Markup[] {
  const buttons = [
    ["up", "↑", TEXTS.moveUp(number)],
    ["down", "↓", TEXTS.moveDown(number)],
    ["remove", "✕", TEXTS.removeLine(number)],
  ] as const;
  return buttons.map(
    ([act, sign, label]) =>
      html`<button formaction="${CHANGE_PATH}" name="act" value="${act}-${number}" aria-label="${label}" title="${label}">${sign}</button>`,
  );
}

const UNIT_OPTIONS: readonly Option[] = Object.entries(UNIT_WORDS).map(([value, text]) => ({ value, text }));

/** Replaced by the script while a person types. */
export function totalsPart(lines: readonly PricedLine[]): Markup {
  const { net, vat, gross } = computeExactTotals(lines);
  return html`<p id="totals" role="status">${TEXTS.net} ${formatMoney(net)} · ${TEXTS.vat} ${formatMoney(vat)} · ${TEXTS.gross} <strong>${formatMoney(gross)}</strong></p>`;
}
