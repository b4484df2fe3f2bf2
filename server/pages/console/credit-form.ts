/**
 * The form that credits a document, with a quantity for each line and the issue date, what a person entered in it, and the form that asks
 * for a document that was not issued here: docs/contract.md#console-form-for-a-credit-note.
 */
import { TEXTS } from "./messages.ts";
import type { Creditable, CreditPreview } from "../../../src/documents/credit.ts";
import { formatThousandths } from "../../../src/domain/credit-cents.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type CreditSource, ELSEWHERE_PATH, readNames } from "./credit-source.ts";
import { formatMoney, formatQuantity } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import {
  control,
  formField,
  postForm,
  readFormKey,
  type Trouble,
  troubleOf,
  troubleStatus,
  troubleSummary,
} from "./forms.ts";
import { alert, type Column, errorText, table } from "./parts.ts";
import type { Page, Visit } from "./visit.ts";
import { QUANTITY_FORM } from "../../../src/domain/document-codes.ts";
import { AppError, type Problem, validationError } from "../../../src/foundation/errors.ts";
import { merchantOptions } from "./document-parts.ts";

export interface CreditForm {
  source: CreditSource;
  creditable: Creditable;
  entry: CreditEntry;
  trouble: Trouble | undefined;
}

const HINT_ID = "quantity-hint";

export function creditForm(visit: Visit, form: CreditForm): Markup {
  const { appliance } = visit;
  const { source, creditable, entry, trouble } = form;
  const day = formField(trouble, {
    name: "issue_date",
    label: TEXTS.issueDate,
    type: "date",
    value: entry.issueDate,
    more: html` max="${appliance.clock.today()}"`,
    look: "short",
  });
  const part = postForm(visit, {
    action: `${source.path}/preview`,
    hidden: [["key", entry.key], ...Object.entries(source.fields)],
    content: html`<p class="hint" id="${HINT_ID}">${TEXTS.quantityHint}</p>
${table(TEXTS.lines, columns(form), creditable.left)}
${day}`,
    button: TEXTS.preview,
    back: source.back,
    isKept: true,
  });
  return html`${trouble !== undefined && troubleSummary(trouble, fieldName)}<section>${part}</section>`;
}

type LineLeft = Creditable["left"][number];

function columns(form: CreditForm): Column<LineLeft>[] {
  const { lines } = form.creditable;
  return [
    { head: TEXTS.line, cell: ({ line }) => line, isNumber: true },
    { head: TEXTS.description, cell: ({ line }) => lines[line - 1]!.description },
    { head: TEXTS.unitPrice, cell: ({ line }) => formatMoney(lines[line - 1]!.unit_price), isNumber: true },
    {
      head: TEXTS.quantityLeft,
      cell: ({ quantity }) => formatQuantity(formatThousandths(quantity)),
      isNumber: true,
    },
    { head: TEXTS.netLeft, cell: ({ net }) => formatMoney(net), isNumber: true },
    { head: TEXTS.quantityToCredit, cell: (left) => quantityCell(form, left) },
  ];
}

function quantityCell(form: CreditForm, { line, net }: LineLeft): Markup {
  if (net === 0) return html`<span class="soft">${TEXTS.creditedInFull}</span>`;
  const name = quantityField(line);
  const value = form.entry.quantities.get(line) ?? "";
  const more = html` inputmode="decimal" maxlength="20"`;
  return html`<label class="unseen" for="${name}">${TEXTS.quantityOfLine(line)}</label>${control(form.trouble, { name, value, more, hint: HINT_ID })}`;
}

function fieldName(name: string): Text {
  return name === "issue_date" ? TEXTS.issueDate : TEXTS.lineNumber(Number(name.split("-")[1]));
}

export interface CreditEntry {
  key: string;
  issueDate: string;
  /** As typed, by the number of the line. */
  quantities: ReadonlyMap<number, string>;
  /** What the preview showed for lines without a quantity, in cents: they are issued as shown, even if more is left by then. */
  nets: ReadonlyMap<number, number>;
}

interface CreditLine {
  line: number;
  quantity?: string;
  net?: number;
}

/** The body of `creditDocument`. */
export interface CreditBody {
  issue_date?: string;
  lines?: CreditLine[];
}

export function emptyEntry(today: string, key: string): CreditEntry {
  return { key, issueDate: today, quantities: new Map(), nets: new Map() };
}

export function readEntry(form: ReadonlyMap<string, string>): CreditEntry {
  const quantities = new Map<number, string>();
  const nets = new Map<number, number>();
  for (const [name, value] of form) {
    const [, kind, line] = /^(quantity|net)-([1-9][0-9]{0,3})$/.exec(name) ?? [];
    if (kind === "quantity") quantities.set(Number(line), value.trim());
    if (kind === "net" && /^[0-9]{1,16}$/.test(value)) nets.set(Number(line), Number(value));
  }
  return {
    key: readFormKey(form),
    issueDate: (form.get("issue_date") ?? "").trim(),
    quantities,
    nets,
  };
}

/** What is typed, and the date and amounts shown for what is not. */
export function shownFields({ quantities }: CreditEntry, { document, parts }: CreditPreview) {
  const fields: Record<string, string> = { issue_date: document.issue_date };
  for (const [line, typed] of quantities) fields[quantityField(line)] = typed;
  for (const { line, net } of parts)
    if ((quantities.get(line) ?? "") === "") fields[`net-${line}`] = String(net);
  return fields;
}

/** Depends on the form alone, so that a form submitted twice is the same request twice. Throws `validation_failed`. */
export function bodyOf({ issueDate, quantities, nets }: CreditEntry): CreditBody {
  const lines: CreditLine[] = [];
  const problems: Problem[] = [];
  for (const [line, typed] of quantities) {
    const quantity = typed.replace(",", ".");
    const net = nets.get(line);
    if (typed === "") lines.push({ line, ...(net === undefined ? {} : { net }) });
    else if (QUANTITY_FORM.test(quantity)) lines.push({ line, quantity });
    else if (!/^0+(?:\.0+)?$/.test(quantity))
      problems.push({ path: quantityField(line), message: TEXTS.quantityMistake });
  }
  if (problems.length > 0) throw validationError(problems);
  if (quantities.size > 0 && lines.length === 0)
    throw validationError([{ path: "", message: TEXTS.everyLineLeftOut }]);
  const isEverything = [...quantities.values()].every((typed) => typed === "") && nets.size === 0;
  return { ...(issueDate === "" ? {} : { issue_date: issueDate }), ...(isEverything ? {} : { lines }) };
}

function quantityField(line: number): string {
  return `quantity-${line}`;
}

export function creditTrouble(error: AppError, { lines = [] }: CreditBody): Trouble {
  return troubleOf(error, (path) => fieldOf(path, lines));
}

/** The form's field for a path such as `lines[1].quantity`. */
function fieldOf(path: string, lines: readonly CreditLine[]): string | undefined {
  const [, index] = /^lines\[(\d+)\]/.exec(path) ?? [];
  if (index !== undefined) return quantityField(lines[Number(index)]!.line);
  if (path === "document.issue_date") return "issue_date";
  return path === "issue_date" || path.startsWith("quantity-") ? path : undefined;
}

/** With `error`, why the document that was asked for cannot be credited. */
export async function markForm(visit: Visit, error?: AppError): Promise<Page> {
  const { mark, merchant } = readNames(visit);
  const options = await merchantOptions(visit);
  const trouble = error && troubleOf(error, (path) => (path === "mark" ? path : undefined));
  const label = TEXTS.mark;
  const more = html` inputmode="numeric" maxlength="19"`;
  const part = postForm(visit, {
    action: `${ELSEWHERE_PATH}/lines`,
    hidden: [["key", readFormKey(visit.form)]],
    content: html`<p>${TEXTS.creditElsewhereNote}</p>
${formField(trouble, { name: "merchant", label: TEXTS.merchant, value: merchant, options })}
${formField(trouble, { name: "mark", label, value: mark, more })}`,
    button: TEXTS.readLines,
    back: "/console/documents",
    isKept: true,
  });
  return {
    kind: "page",
    title: TEXTS.creditElsewhere,
    content: html`${error !== undefined && alert(html`<p>${errorText(error.toOutcomeError())}</p>`)}<section class="narrow">${part}</section>`,
    ...troubleStatus(trouble),
  };
}
