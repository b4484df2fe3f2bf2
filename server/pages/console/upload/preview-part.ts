/** Shows every document of an upload: before it is issued with its problems, and afterwards with what became of it. */
import { FIELDS } from "../../../../src/intake/table-fields.ts";
import { listProblems } from "../../../../src/foundation/errors.ts";
import { joinTexts, type Text } from "../../../../src/foundation/text.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import { describeForm } from "../../../../src/intake/csv.ts";
import { type Content, html, type Markup } from "../../markup.ts";
import { dayOf, formatCount, formatDays, formatMoney, timeOf } from "../format.ts";
import { TEXTS } from "../messages.ts";
import { actionButton, alert, live, table, termList, translated } from "../parts.ts";
import type { Visit } from "../visit.ts";
import type { Checked, Columns, Upload } from "./read-upload.ts";
import { getDocuments } from "../../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../../src/journal/document-object.ts";
import { documentLink, statusOf } from "../document-parts.ts";
import { postForm } from "../forms.ts";

interface Preview extends Pick<Checked, "id" | "merchant" | "verdicts"> {
  upload: Upload;
  columns: Columns;
  action: string;
  mistake: Text | undefined;
}

export function previewPart(visit: Visit, preview: Preview): Markup {
  const summary = summarise(preview.verdicts);
  const { count, invalid, dates } = summary;
  const counts = TEXTS.uploadCounts(formatCount(count), formatCount(invalid));
  const { mistake } = preview;
  const isChanged = mistake !== undefined && mistake !== TEXTS.uploadNotConfirmed;
  return html`${isChanged && alert(html`<p>${mistake}</p>`)}${formPart(preview.upload, preview.columns)}<section class="stack"><p>${counts}</p>${termList(
    [
      [TEXTS.merchant, preview.merchant.name],
      [TEXTS.uploadDates, dates && formatDays(dates)],
    ],
  )}${issueForm(visit, preview, summary)}${forgetButton(visit, preview)}</section>
<section class="listing">${verdictTable(preview.verdicts, summary)}</section>`;
}

export function formPart(upload: Upload, { head, check }: Columns): Markup {
  const detected = head.detected;
  const form =
    detected === undefined ? TEXTS.uploadWorkbook : describeForm({ ...detected, decimalSign: undefined });
  const columns = [...check.places].map(([column, place]) => {
    const cell = head.cells[place] ?? "";
    const { en, el } = FIELDS[column].words;
    return { en: cell === en ? cell : `${cell} = ${en}`, el: cell === el ? cell : `${cell} = ${el}` };
  });
  return html`<section>${termList([
    [TEXTS.uploadFile, upload.name],
    [TEXTS.uploadForm, form],
    [TEXTS.uploadColumns, joinTexts(columns, ", ")],
    [TEXTS.uploadKept, timeOf(upload.until)],
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
  return actionButton(visit, { action: action.replace(/issue$/, "forget"), label: TEXTS.uploadForget });
}

function issueForm(
  visit: Visit,
  { id, action, merchant, mistake }: Preview,
  { count, gross, dates }: Summary,
): Markup {
  const { mode } = visit;
  const other = html`<a class="button" href="/console/upload">${TEXTS.uploadOther}</a>`;
  if (dates === undefined) return html`<p class="actions">${other}</p>`;
  const documents = TEXTS.uploadDocumentCount(count, formatCount(count));
  const question = TEXTS.uploadConfirm(merchant.name, documents, {
    sum: formatMoney(gross),
    days: formatDays(dates),
  });
  const isUnconfirmed = mistake === TEXTS.uploadNotConfirmed;
  const trouble = isUnconfirmed && html` aria-invalid="true" aria-describedby="confirm-mistake" autofocus`;
  const confirm =
    mode === "live" &&
    html`<p><label><input type="checkbox" class="tick" name="confirm" value="yes"${trouble}> ${question}</label>${
      isUnconfirmed && html`<p class="mistake" id="confirm-mistake">${mistake}</p>`
    }</p>`;
  return postForm(visit, {
    action,
    hidden: [["shown", id]],
    content: confirm,
    button: TEXTS.uploadIssue(documents),
    buttons: other,
  });
}

function verdictTable(verdicts: readonly Verdict[], { gross }: Summary): Markup {
  // Those that need a person come first.
  const rank = ({ outcome }: Verdict) => (outcome === "refused" ? 0 : 1);
  const ordered = verdicts.toSorted((left, right) => rank(left) - rank(right));
  const ofValid =
    (show: (verdict: Extract<Verdict, { outcome: "valid" }>) => Content) =>
    (verdict: Verdict): Content =>
      verdict.outcome === "valid" && show(verdict);
  return table<Verdict>(
    TEXTS.uploadDocuments,
    [
      { head: TEXTS.uploadPlace, cell: ({ place }) => place, isFirm: true, total: TEXTS.total },
      { head: TEXTS.reference, cell: ({ reference }) => reference, isFirm: true },
      {
        head: TEXTS.number,
        cell: ofValid(({ series, number }) =>
          [series, number].filter((part) => part !== undefined).join(" "),
        ),
        isFirm: true,
      },
      { head: TEXTS.type, cell: ofValid(({ check }) => check.type), isFirm: true },
      { head: TEXTS.date, cell: ofValid(({ check }) => dayOf(check.issue_date)), isFirm: true },
      {
        head: TEXTS.customer,
        cell: ofValid(({ customer }) => customer?.name ?? customer?.tax_id.code),
        isLong: true,
      },
      {
        head: TEXTS.gross,
        cell: ofValid(({ check }) => formatMoney(check.totals.gross)),
        isNumber: true,
        total: formatMoney(gross),
      },
      {
        head: TEXTS.uploadResult,
        cell: (verdict) => (verdict.outcome === "refused" ? refusalPart(verdict) : TEXTS.uploadValid),
      },
    ],
    ordered,
  );
}

type Refused = Extract<Verdict, { outcome: "refused" }>;

function refusalPart(verdict: Refused): Markup {
  return html`<span class="error-text">${translated(refusalText(verdict))}</span>`;
}

export function refusalText({ error }: Refused): Text {
  return error.problems.length === 0 ? error.text : listProblems(error.problems);
}

/** Finds the document of a verdict; undefined for one that was refused before it was accepted. */
type DocumentOf = (verdict: Verdict) => DocumentObject | undefined;

export async function documentsOf(
  { appliance, mode }: Visit,
  verdicts: readonly Verdict[],
): Promise<DocumentOf> {
  const ids = verdicts.flatMap((verdict) => ("id" in verdict ? [verdict.id] : []));
  const documents = await getDocuments(appliance, mode, ids);
  return (verdict) => ("id" in verdict ? documents.get(verdict.id) : undefined);
}

/** The script refreshes it; without scripts the link does. */
export async function resultPart(
  visit: Visit,
  { verdicts, path, until }: { verdicts: readonly Verdict[]; path: string; until: string },
): Promise<Markup> {
  const documentOf = await documentsOf(visit, verdicts);
  const accepted = verdicts.map(documentOf).filter((document) => document !== undefined);
  const open = accepted.filter(({ status }) => status === "pending").length;
  const progress =
    accepted.length > 0 &&
    html`<p>${TEXTS.uploadProgress(formatCount(accepted.length - open), formatCount(accepted.length))}</p>`;
  const refused = verdicts.length - accepted.length;
  const next = refused > 0 && html`<p class="problem">${TEXTS.uploadRefused(formatCount(refused))}</p>`;
  const refresh = open > 0 && html`<a class="button" href="${path}/result">${TEXTS.reload}</a>`;
  return live(
    "result",
    html`<section class="stack">${progress}${next}<p class="hint">${TEXTS.uploadKept} ${timeOf(until)}</p><p class="actions">${refresh}<a class="button" href="${path}/report" download>${TEXTS.uploadReport}</a><a class="button" href="/console/upload">${TEXTS.uploadOther}</a></p></section>
<section class="listing">${outcomeTable(verdicts, documentOf)}</section>`,
  );
}

function outcomeTable(verdicts: readonly Verdict[], documentOf: DocumentOf): Markup {
  const ofDocument = (show: (document: DocumentObject) => Content) => (verdict: Verdict) => {
    const document = documentOf(verdict);
    return document && show(document);
  };
  return table<Verdict>(
    TEXTS.uploadDocuments,
    [
      { head: TEXTS.uploadPlace, cell: ({ place }) => place, isFirm: true },
      { head: TEXTS.reference, cell: ({ reference }) => reference },
      { head: TEXTS.document, cell: ofDocument(documentLink) },
      { head: TEXTS.mark, cell: ofDocument(({ mark }) => mark), isFirm: true },
      {
        head: TEXTS.uploadResult,
        cell: (verdict) =>
          verdict.outcome === "refused"
            ? refusalPart(verdict)
            : html`${ofDocument(statusOf)(verdict)}${verdict.outcome === "accepted_before" && html`<br><span class="soft">${TEXTS.uploadBefore}</span>`}`,
      },
    ],
    verdicts,
  );
}
