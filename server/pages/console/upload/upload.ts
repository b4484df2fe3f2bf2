/** Issuing a file of documents in the console: docs/contract.md#console-upload. */
import { AppError } from "../../../../src/foundation/errors.ts";
import { REQUIRED } from "../../../../src/foundation/messages.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import type { TableFormat } from "../../../../src/intake/open-table.ts";
import { forgetMap } from "../../../../src/intake/column-map.ts";
import { getMerchant } from "../../../../src/merchants/merchants.ts";
import { merchantOptions } from "../document-parts.ts";
import { TEXTS } from "../messages.ts";
import { html, type Markup } from "../../markup.ts";
import { problemPage, refuseWhileHeld } from "../problems.ts";
import { get, getForm, type Page, post, type Reply, type Route, type Visit } from "../visit.ts";
import { columnsForm, readAnswers } from "./columns-form.ts";
import { documentsOf, previewPart, refusalText, resultPart } from "./preview-part.ts";
import {
  acceptUpload,
  checkUpload,
  findUpload,
  keepUpload,
  readColumns,
  type Upload,
} from "./read-upload.ts";
import { csvCell } from "../../../../src/books/report-sheets.ts";
import { BYTE_ORDER_MARK, csvRow } from "../../../../src/foundation/csv.ts";
import { alert } from "../parts.ts";
import {
  type Field,
  formField,
  FORM_KEY,
  newFormKey,
  postForm,
  type Trouble,
  troubleSummary,
} from "../forms.ts";

const START = "/console/upload";

function pathOf({ key }: Upload, page = ""): string {
  return `${START}/${key}${page}`;
}

async function startPage(visit: Visit): Promise<Page> {
  return { kind: "page", title: TEXTS.uploadTitle, content: await fileForm(visit, visit.merchant?.id ?? "") };
}

async function fileForm(visit: Visit, merchant: string, trouble?: Trouble): Promise<Markup> {
  const offered = await merchantOptions(visit);
  const options = offered.length === 1 ? offered : [{ value: "", text: "" }, ...offered];
  const labels = { merchant: TEXTS.merchant, file: TEXTS.uploadFile };
  const part = (name: keyof typeof labels, more: Partial<Field>) =>
    formField(trouble, { name, label: labels[name], value: merchant, look: "narrow", ...more });
  const form = postForm(visit, {
    action: START,
    hidden: [["key", newFormKey()]],
    content: html`<p class="hint">${TEXTS.uploadNote}</p>
${part("merchant", { options })}
${part("file", { type: "file", more: html` accept=".csv,.xlsx"` })}`,
    button: TEXTS.uploadRead,
    isKept: true,
    takesFile: true,
  });
  return html`${trouble && troubleSummary(trouble, (name) => labels[name as keyof typeof labels])}<section>${form}</section>`;
}

const FORMATS: readonly (readonly [ending: RegExp, format: TableFormat])[] = [
  [/\.csv$/i, "csv"],
  [/\.xlsx$/i, "xlsx"],
];

async function receive(visit: Visit): Promise<Reply> {
  const { appliance, mode, form, file } = visit;
  const merchant = form.get("merchant") ?? "";
  const format = FORMATS.find(([ending]) => ending.test(file?.name ?? ""))?.[1];
  const key = form.get("key") ?? "";
  if (file === undefined || format === undefined || merchant === "" || !FORM_KEY.test(key)) {
    const mistakes = new Map<string, Text>();
    if (merchant === "") mistakes.set("merchant", REQUIRED);
    if (format === undefined) mistakes.set("file", TEXTS.uploadNoFile);
    const content = await fileForm(visit, merchant, { status: 400, mistakes });
    return { kind: "page", status: 400, title: TEXTS.uploadTitle, content };
  }
  const { id: merchantId } = await getMerchant(appliance, merchant);
  keepUpload(appliance, { key, mode, merchantId, name: file.name, format, bytes: file.bytes });
  return { kind: "redirect", to: `${START}/${key}` };
}

type Act = (visit: Visit, upload: Upload) => Promise<Reply>;

/** A page about the upload of the path; says what to do if it is no longer kept. */
function aboutUpload(act: Act): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    const upload = findUpload(visit.appliance, visit.mode, visit.params["key"] ?? "");
    if (upload === undefined) return gonePage(visit);
    try {
      return await act(visit, upload);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return problemPage(visit, error, START);
    }
  };
}

/** Offers the form again, except to those who only look. */
async function gonePage(visit: Visit): Promise<Page> {
  const { isReadOnly } = visit;
  const note = alert(html`<p>${TEXTS.uploadGone}</p>`);
  const form = !isReadOnly && (await fileForm(visit, ""));
  return { kind: "page", status: 404, title: TEXTS.uploadTitle, content: html`${note}${form}` };
}

const showUpload: Act = async (visit, upload) => {
  if (upload.issued !== undefined) return { kind: "redirect", to: pathOf(upload, "/result") };
  return shown(visit, upload);
};

async function shown(visit: Visit, upload: Upload, mistake?: Text): Promise<Page> {
  const { appliance } = visit;
  // Another submission may issue the file, and empty it, while this one reads it.
  const file = { ...upload };
  const columns = await readColumns(appliance, file);
  const { unknown, missing } = columns.check;
  const status = mistake === undefined ? 200 : 400;
  const canAsk =
    unknown.length > 0 || missing.some((column) => column === "type" || column === "vat_category");
  if (canAsk) {
    const content = columnsForm(visit, { upload, columns, action: pathOf(upload, "/columns"), mistake });
    return { kind: "page", status, title: upload.name, content };
  }
  const merchant = await getMerchant(appliance, upload.merchantId);
  const checked = await checkUpload(appliance, file, merchant, columns.map);
  if (upload.issued === undefined) upload.checked = checked;
  const action = pathOf(upload, "/issue");
  const content = previewPart(visit, { upload, columns, ...checked, action, mistake });
  return { kind: "page", status, title: upload.name, content };
}

const chooseColumns: Act = async (visit, upload) => {
  const mistake = upload.issued === undefined ? await readAnswers(visit, upload) : undefined;
  if (mistake !== undefined) return shown(visit, upload, mistake);
  return { kind: "redirect", to: pathOf(upload) };
};

const forgetColumns: Act = async (visit, upload) => {
  await forgetMap(visit.appliance, upload.merchantId);
  return { kind: "redirect", to: pathOf(upload) };
};

const issue: Act = async (visit, upload) => {
  const { appliance, mode, form } = visit;
  refuseWhileHeld(visit);
  if (upload.issued === undefined) {
    const { checked } = upload;
    // Another page may have shown it since, with columns of another meaning.
    if (checked === undefined || form.get("shown") !== checked.id)
      return shown(visit, upload, TEXTS.uploadChanged);
    if (mode === "live" && form.get("confirm") !== "yes")
      return shown(visit, upload, TEXTS.uploadNotConfirmed);
    upload.issued = acceptUpload(appliance, upload, checked);
  }
  await upload.issued;
  return { kind: "redirect", to: pathOf(upload, "/result") };
};

const showResult: Act = async (visit, upload) => {
  if (upload.issued === undefined) return { kind: "redirect", to: pathOf(upload) };
  const content = await resultPart(visit, {
    verdicts: await upload.issued,
    path: pathOf(upload),
    until: upload.until,
  });
  return { kind: "page", title: upload.name, content };
};

const report: Act = async (visit, upload) => {
  if (upload.issued === undefined) return { kind: "redirect", to: pathOf(upload) };
  return reportFile(visit, await upload.issued);
};

const CONTINUE = "/upload/continue";
const CHANGE = "/upload/:key/change";

export const UPLOAD_ROUTES: readonly Route[] = [
  getForm("/upload", startPage),
  { ...post("/upload", receive, CONTINUE), takesFile: true },
  post(CONTINUE, receive, CONTINUE),
  getForm("/upload/:key", aboutUpload(showUpload)),
  post("/upload/:key/columns", aboutUpload(chooseColumns), CHANGE),
  post("/upload/:key/forget", aboutUpload(forgetColumns)),
  post("/upload/:key/issue", aboutUpload(issue), CHANGE),
  post(CHANGE, aboutUpload(showUpload), CHANGE),
  get("/upload/:key/result", aboutUpload(showResult)),
  get("/upload/:key/report", aboutUpload(report)),
];

/** The report of an upload as CSV, with the columns of `documents issue --report`. */
const COLUMNS = ["reference", "id", "status", "series", "number", "mark", "error"];

async function reportFile(visit: Visit, verdicts: readonly Verdict[]): Promise<Reply> {
  const documentOf = await documentsOf(visit, verdicts);
  const rows = verdicts.map((verdict) => {
    const { id, status, series, number, mark, error } = documentOf(verdict) ?? {};
    const why = verdict.outcome === "refused" ? refusalText(verdict).en : error?.message;
    const cells = [verdict.reference, id, status ?? verdict.outcome, series, number, mark, why];
    return cells.map((cell) => csvCell(cell ?? null));
  });
  const text = [COLUMNS, ...rows].map((cells) => csvRow(cells, ";")).join("");
  const body = new Uint8Array(Buffer.from(`${BYTE_ORDER_MARK}${text}`));
  return { kind: "file", type: "text/csv; charset=utf-8", name: "report.csv", body };
}
