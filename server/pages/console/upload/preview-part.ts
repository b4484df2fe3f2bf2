/** Shows every document of an upload: before it is issued with its problems, and afterwards with what became of it. */
import { FIELDS } from "../../../../src/intake/table-fields.ts";
import { listProblems } from "../../../../src/foundation/errors.ts";
import { sameInBoth, type Text } from "../../../../src/foundation/text.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import { describeForm } from "../../../../src/intake/csv.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import { html, type Markup } from "../../markup.ts";
import { dayOf, formatCount, formatDays, formatMoney, timeOf } from "../format.ts";
import { TEXTS } from "../messages.ts";
import { actionButton, live, table, termList, translated } from "../parts.ts";
import type { Visit } from "../visit.ts";
import type { Columns, Upload } from "./read-upload.ts";
import { getDocuments } from "../../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../../src/journal/document-object.ts";
import { documentLink, statusOf } from "../document-parts.ts";
import { postForm } from "../forms.ts";

interface Preview {
  upload: Upload;
  columns: Columns;
  merchant: MerchantObject;
  verdicts: readonly Verdict[];
  action: string;
  mistake: Text | undefined;
}

export function previewPart(visit: Visit, preview: Preview): Markup {
  const { translate, language } = visit;
  const summary = summarise(preview.verdicts);
  const { count, invalid, dates } = summary;
  const counts = TEXTS.uploadCounts(formatCount(language, count), formatCount(language, invalid));
  return html`${formPart(visit, preview.upload, preview.columns)}<section class="stack"><p>${translate(counts)}</p>${termList(
    [
      [translate(TEXTS.merchant), preview.merchant.name],
      [translate(TEXTS.uploadDates), dates && formatDays(language, dates)],
    ],
  )}${issueForm(visit, preview, summary)}${forgetButton(visit, preview)}</section>
<section class="listing">${verdictTable(visit, preview.verdicts, summary)}</section>`;
}

/** What was detected about the file. */
export function formPart({ translate, language }: Visit, upload: Upload, { head, check }: Columns): Markup {
  const detected = head.detected;
  const form =
    detected === undefined ? TEXTS.uploadWorkbook : describeForm({ ...detected, decimalSign: undefined });
  const columns = [...check.places].map(([column, place]) => {
    const cell = head.cells[place] ?? "";
    const meaning = translate(FIELDS[column].words);
    return cell === meaning ? cell : `${cell} = ${meaning}`;
  });
  return html`<section>${termList([
    [translate(TEXTS.uploadFile), upload.name],
    [translate(TEXTS.uploadForm), translate(form)],
    [translate(TEXTS.uploadColumns), columns.join(", ")],
    [translate(TEXTS.uploadKept), timeOf(language, upload.until)],
  ])}</section>`;
}

interface Summary {
  count: number;
  gross: bigint;
  invalid: number;
  /** The earliest and the latest issue date; undefined if no document is valid. */
  dates: readonly [string, string] | undefined;
}

function summarise(verdicts: readonly Verdict[]): Summary {
  const valid = verdicts.filter((verdict) => verdict.outcome === "valid");
  const gross = valid.reduce((sum, { check }) => sum + BigInt(check.totals.gross), 0n);
  const [first, ...rest] = valid.map(({ check }) => check.issue_date).sort();
  const dates = first === undefined ? undefined : ([first, rest.at(-1) ?? first] as const);
  return { count: valid.length, gross, invalid: verdicts.length - valid.length, dates };
}

/** Where columns were chosen before, to choose them again. */
function forgetButton(visit: Visit, { columns, action }: Preview): Markup | undefined {
  const { map } = columns;
  if (Object.keys(map.columns).length + map.ignore.length + Object.keys(map.defaults).length === 0)
    return undefined;
  return actionButton(visit, {
    action: action.replace(/issue$/, "forget"),
    label: visit.translate(TEXTS.uploadForget),
  });
}

function issueForm(
  visit: Visit,
  { action, merchant, mistake }: Preview,
  { count, gross, dates }: Summary,
): Markup {
  const { translate, language, mode } = visit;
  const other = html`<a class="button" href="/console/upload">${translate(TEXTS.uploadOther)}</a>`;
  if (dates === undefined) return html`<p class="actions">${other}</p>`;
  const documents = TEXTS.uploadDocumentCount(count, formatCount(language, count));
  const question = TEXTS.uploadConfirm(merchant.name, documents, {
    sum: formatMoney(language, gross),
    days: formatDays(language, dates),
  });
  const trouble = mistake && html` aria-invalid="true" aria-describedby="confirm-mistake" autofocus`;
  const confirm =
    mode === "live" &&
    html`<p><label><input type="checkbox" class="tick" name="confirm" value="yes"${trouble}> ${translate(question)}</label>${
      mistake !== undefined && html`<p class="mistake" id="confirm-mistake">${translate(mistake)}</p>`
    }</p>`;
  return postForm(visit, {
    action,
    hidden: [["shown", shownOf({ count, gross })]],
    content: confirm,
    button: translate(TEXTS.uploadIssue(documents)),
    buttons: other,
  });
}

function verdictTable(visit: Visit, verdicts: readonly Verdict[], { gross }: Summary): Markup {
  const { translate, language } = visit;
  // Those that need a person come first.
  const ordered = verdicts.toSorted((left, right) => rankOf(left) - rankOf(right));
  return table<Verdict>(
    translate(TEXTS.uploadDocuments),
    [
      {
        head: translate(TEXTS.uploadPlace),
        cell: ({ place }) => translate(place),
        isFirm: true,
        total: translate(TEXTS.total),
      },
      { head: translate(TEXTS.uploadReference), cell: ({ reference }) => reference, isFirm: true },
      { head: translate(TEXTS.number), cell: numberOf, isFirm: true },
      {
        head: translate(TEXTS.type),
        cell: (verdict) => verdict.outcome === "valid" && verdict.check.type,
        isFirm: true,
      },
      {
        head: translate(TEXTS.date),
        cell: (verdict) => verdict.outcome === "valid" && dayOf(language, verdict.check.issue_date),
        isFirm: true,
      },
      { head: translate(TEXTS.customer), cell: customerOf, isLong: true },
      {
        head: translate(TEXTS.gross),
        cell: (verdict) => verdict.outcome === "valid" && formatMoney(language, verdict.check.totals.gross),
        isNumber: true,
        total: formatMoney(language, gross),
      },
      { head: translate(TEXTS.uploadResult), cell: (verdict) => resultOf(visit, verdict) },
    ],
    ordered,
  );
}

/** The name, or the number of one without a name. */
function customerOf(verdict: Verdict): string | undefined {
  return verdict.outcome === "valid" ? (verdict.customer?.name ?? verdict.customer?.tax_id.code) : undefined;
}

/** As the file gives it. */
function numberOf(verdict: Verdict): string | undefined {
  if (verdict.outcome !== "valid") return undefined;
  return [verdict.series, verdict.number].filter((part) => part !== undefined).join(" ");
}

function rankOf({ outcome }: Verdict): number {
  return outcome === "refused" ? 0 : 1;
}

function resultOf({ translate }: Visit, verdict: Verdict): Markup {
  if (verdict.outcome !== "refused") return html`${translate(TEXTS.uploadValid)}`;
  return html`<span class="error-text"><strong>${translate(TEXTS.uploadInvalid)}</strong><br>${translated(translate, refusalText(verdict))}</span>`;
}

/** Whether the form was shown with these documents. */
export function isWhatWasShown({ form }: Visit, verdicts: readonly Verdict[]): boolean {
  return form.get("shown") === shownOf(summarise(verdicts));
}

function shownOf({ count, gross }: { count: number; gross: bigint }): string {
  return `${count}:${gross}`;
}

/** Every problem of a document that was refused. */
export function refusalText({ error }: Extract<Verdict, { outcome: "refused" }>): Text {
  return error.problems.length === 0
    ? (error.text ?? sameInBoth(error.message))
    : listProblems(error.problems);
}

export interface RowOutcome {
  verdict: Verdict;
  /** Null for one that was refused before it was accepted. */
  document: DocumentObject | null;
}

export async function outcomesOf(
  { appliance, mode }: Visit,
  verdicts: readonly Verdict[],
): Promise<RowOutcome[]> {
  const ids = verdicts.flatMap((verdict) => ("id" in verdict ? [verdict.id] : []));
  const documents = await getDocuments(appliance, mode, ids);
  return verdicts.map((verdict) => ({
    verdict,
    document: "id" in verdict ? (documents.get(verdict.id) ?? null) : null,
  }));
}

/** The script refreshes it; without scripts the link does. */
export async function resultPart(
  visit: Visit,
  { verdicts, path, until }: { verdicts: readonly Verdict[]; path: string; until: string },
): Promise<Markup> {
  const { translate, language } = visit;
  const outcomes = await outcomesOf(visit, verdicts);
  const accepted = outcomes.filter(({ document }) => document !== null);
  const open = accepted.filter(({ document }) => document?.status === "pending").length;
  const progress = TEXTS.uploadProgress(
    formatCount(language, accepted.length - open),
    formatCount(language, accepted.length),
  );
  const refresh =
    open > 0 && html`<a class="button" href="${path}/result">${translate(TEXTS.uploadRefresh)}</a>`;
  return live(
    "result",
    html`<section><p>${translate(progress)}</p><p class="hint">${translate(TEXTS.uploadKept)} ${timeOf(language, until)}</p><p class="actions">${refresh}<a class="button" href="${path}/report" download>${translate(TEXTS.uploadReport)}</a><a class="button" href="/console/upload">${translate(TEXTS.uploadOther)}</a></p></section>
<section class="listing">${outcomeTable(visit, outcomes)}</section>`,
  );
}

function outcomeTable(visit: Visit, outcomes: readonly RowOutcome[]): Markup {
  const { translate } = visit;
  return table<RowOutcome>(
    translate(TEXTS.uploadDocuments),
    [
      { head: translate(TEXTS.uploadPlace), cell: ({ verdict }) => translate(verdict.place), isFirm: true },
      { head: translate(TEXTS.uploadReference), cell: ({ verdict }) => verdict.reference },
      {
        head: translate(TEXTS.document),
        cell: ({ document }) => document !== null && documentLink(translate, document),
      },
      { head: translate(TEXTS.mark), cell: ({ document }) => document?.mark, isFirm: true },
      { head: translate(TEXTS.uploadResult), cell: (outcome) => outcomeOf(visit, outcome) },
    ],
    outcomes,
  );
}

function outcomeOf({ translate }: Visit, { verdict, document }: RowOutcome): Markup {
  if (verdict.outcome === "refused")
    return html`<span class="error-text">${translated(translate, refusalText(verdict))}</span>`;
  const before =
    verdict.outcome === "accepted_before" &&
    html`<br><span class="soft">${translate(TEXTS.uploadBefore)}</span>`;
  return html`${document !== null && statusOf(translate, document)}${before}`;
}
