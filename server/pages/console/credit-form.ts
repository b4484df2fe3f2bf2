/**
 * The form that credits a document, with a quantity for each line and the issue date, what it asks for, and the form that asks for a
 * document that was not issued here: docs/contract.md#console-form-for-a-credit-note.
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

/**
 * As it was typed: `issue_date`, and `quantity-2` for line 2. `net-2`, in cents, is what the preview showed for a line without a quantity:
 * it is issued as shown, even if more is left by then.
 */
type Entry = Visit["form"];

export interface CreditForm {
  source: CreditSource;
  creditable: Creditable;
  entry: Entry;
  trouble: Trouble | undefined;
}

const HINT_ID = "quantity-hint";

export function creditForm(visit: Visit, form: CreditForm): Markup {
  const { source, creditable, entry, trouble } = form;
  const day = formField(trouble, {
    name: "issue_date",
    label: TEXTS.issueDate,
    type: "date",
    value: typed(entry, "issue_date"),
    more: html` max="${visit.appliance.clock.today()}"`,
    look: "short",
  });
  const part = postForm(visit, {
    action: `${source.path}/preview`,
    hidden: [["key", readFormKey(entry)], ...Object.entries(source.names)],
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

function quantityCell({ entry, trouble }: CreditForm, { line, net }: LineLeft): Markup {
  if (net === 0) return html`<span class="soft">${TEXTS.creditedInFull}</span>`;
  const name = `quantity-${line}`;
  const more = html` inputmode="decimal" maxlength="20"`;
  return html`<label class="unseen" for="${name}">${TEXTS.quantityOfLine(line)}</label>${control(trouble, { name, value: typed(entry, name), more, hint: HINT_ID })}`;
}

function fieldName(name: string): Text {
  return name === "issue_date" ? TEXTS.issueDate : TEXTS.lineNumber(Number(name.split("-")[1]));
}

function typed(entry: Entry, name: string): string {
  return (entry.get(name) ?? "").trim();
}

/** The fields of a preview: what is typed, and the date and amounts shown for what is not. */
export function shownFields(entry: Entry, { document, parts }: CreditPreview): Entry {
  const left = parts.filter(({ line }) => typed(entry, `quantity-${line}`) === "");
  return new Map([
    ...[...entry].filter(([name]) => name !== "csrf"),
    ["key", readFormKey(entry)],
    ["issue_date", document.issue_date],
    ...left.map(({ line, net }) => [`net-${line}`, String(net)] as const),
  ]);
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

/** Depends on the form alone, so that a form submitted twice is the same request twice. Throws `validation_failed`. */
export function bodyOf(entry: Entry): CreditBody {
  const lines: CreditLine[] = [];
  const problems: Problem[] = [];
  let isEverything = true;
  for (const field of entry.keys()) {
    const line = Number(/^quantity-([1-9][0-9]{0,3})$/.exec(field)?.[1]);
    if (Number.isNaN(line)) continue;
    const quantity = typed(entry, field).replace(",", ".");
    const net = entry.get(`net-${line}`);
    if (quantity !== "" || net !== undefined) isEverything = false;
    if (quantity === "") lines.push({ line, ...(net === undefined ? {} : { net: Number(net) }) });
    else if (QUANTITY_FORM.test(quantity)) lines.push({ line, quantity });
    else if (!/^0+(?:\.0+)?$/.test(quantity)) problems.push({ path: field, message: TEXTS.quantityMistake });
  }
  if (problems.length > 0) throw validationError(problems);
  if (!isEverything && lines.length === 0)
    throw validationError([{ path: "", message: TEXTS.everyLineLeftOut }]);
  const day = typed(entry, "issue_date");
  return { ...(day === "" ? {} : { issue_date: day }), ...(isEverything ? {} : { lines }) };
}

/** The form's field for a path such as `lines[1].quantity` of the body. */
export function fieldOf(path: string, { lines = [] }: CreditBody): string | undefined {
  const [, index] = /^lines\[(\d+)\]/.exec(path) ?? [];
  if (index !== undefined) return `quantity-${lines[Number(index)]!.line}`;
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
