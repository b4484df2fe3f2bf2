/** The page of reports: VAT and income of a period, with a chart, and their files. */
import { TEXTS } from "./messages.ts";
import type { Appliance } from "../../../src/appliance.ts";
import { countDocuments } from "../../../src/books/counted-documents.ts";
import { greekHead, greekSheets, readClients } from "../../../src/operations/greek-files.ts";
import {
  encodeCsv,
  encodeWorkbook,
  incomeSheets,
  type Sheet,
  vatSheets,
} from "../../../src/books/report-sheets.ts";
import {
  buildIncomeReport,
  buildVatByMonth,
  buildVatReport,
  type IncomeReport,
  type MerchantVat,
  suspensionNote,
  type VatByMonth,
  type VatReport,
} from "../../../src/books/period-reports.ts";
import { getMerchant, listMerchants } from "../../../src/merchants/merchants.ts";
import { archivePdfs } from "../../../src/paper/pdf-files.ts";
import { incomeTable, type ReportTable, vatTables } from "../../../src/operations/report-view.ts";
import { requiredField, wordField } from "../../../src/operations/field.ts";
import { CLOSING_ROUTES, closingSection } from "./merchant-settings.ts";
import { addressOf, type Days, PERIOD_FIELDS, periodForm, periodOf } from "./period.ts";
import { readQuery } from "./list-page.ts";
import { formatMoney, formatMonth } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { viewColumns } from "./operation-pages.ts";
import { table } from "./parts.ts";
import { barChart } from "./chart.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

/** Limits the merchants whose names are read. */
const NAMES_MAX = 100;

async function reportsPage(visit: Visit): Promise<Reply> {
  const { appliance } = visit;
  const period = periodOf(visit, readQuery(visit, PERIOD_FIELDS));
  const documents = await countDocuments(appliance, period);
  const report = buildVatReport(documents, period);
  const income = buildIncomeReport(documents, period);
  const months = buildVatByMonth(documents, period);
  const { data: merchants } = await listMerchants(appliance, { limit: NAMES_MAX });
  const names: Names = new Map(merchants.map(({ external_id: id, name }) => [id, name]));
  const content =
    report.merchants.length === 0
      ? html`<section><p class="empty">${TEXTS.nothingIssued}</p></section>`
      : html`${months.rates.length > 0 && chartSection(months)}${vatSection(visit, named(report, names))}${incomeSection(visit, named(income, names))}${files(visit, period)}`;
  const { merchantId } = period;
  const closing =
    merchantId !== undefined &&
    (await closingSection(visit, await getMerchant(appliance, merchantId), period.through));
  return {
    kind: "page",
    title: TEXTS.reports,
    content: html`${periodForm(visit, period, ["merchant"])}${content}${closing}`,
  };
}

/** By external id. */
type Names = ReadonlyMap<string, string>;

/** The report with the names of the merchants. Those beyond the newest keep their external ids. */
function named<Part extends { merchant: string }, Report extends { merchants: readonly Part[] }>(
  report: Report,
  names: Names,
): Report {
  const merchants = report.merchants.map((part) => ({
    ...part,
    merchant: names.get(part.merchant) ?? part.merchant,
  }));
  return { ...report, merchants };
}

function chartSection({ rates, months }: VatByMonth): Markup {
  const chart = barChart({
    id: "vat-months",
    heading: TEXTS.vatByMonth,
    items: months,
    head: TEXTS.month,
    nameOf: ({ month }) => formatMonth(month),
    series: rates.map((rate, index) => ({
      name: `${rate} %`,
      valueOf: ({ vat }: VatByMonth["months"][number]) => vat[index]!,
    })),
    format: formatMoney,
  });
  return html`<section><h2>${TEXTS.vatByMonth}</h2>${chart}</section>`;
}

function vatSection(visit: Visit, { merchants, totals }: VatReport): Markup {
  const total = html`<p><strong>${TEXTS.total}: ${formatMoney(totals.net)} + ${TEXTS.vat} ${formatMoney(totals.vat)}</strong></p>`;
  return html`<section><h2>${TEXTS.vat}</h2>${merchants.map((merchant) => merchantVat(visit, merchant))}${total}<p class="hint">${TEXTS.reportNote}</p></section>`;
}

function merchantVat(visit: Visit, merchant: MerchantVat): Markup {
  const { vat_payment_suspension: suspended } = merchant;
  const tables = vatTables(merchant).map((one) => reportTable(visit, merchant.merchant, one));
  return html`<h3>${merchant.merchant}</h3>${tables}${
    suspended !== undefined && html`<p class="hint">${suspensionNote(suspended)}</p>`
  }`;
}

/** The caption for screen readers is the merchant and the head of the first column. */
function reportTable(visit: Visit, merchant: string, { columns, rows }: ReportTable): Markup {
  const shown = viewColumns(visit, columns);
  return table(html`${merchant}: ${shown[0]!.head}`, shown, rows);
}

function incomeSection(visit: Visit, { merchants, totals }: IncomeReport): Markup {
  const parts = merchants.map(
    ({ merchant, rows }) => html`<h3>${merchant}</h3>${reportTable(visit, merchant, incomeTable(rows))}`,
  );
  return html`<section><h2>${TEXTS.incomeReport}</h2>${parts}<p><strong>${TEXTS.total}: ${formatMoney(totals.net)}</strong></p></section>`;
}

function files(visit: Visit, days: Days): Markup {
  const file = (report: string, format: string, label: Content) =>
    html`<a class="button" href="/console/reports/file?${addressOf(visit, days)}&report=${report}&format=${format}" download>${label}</a>`;
  const both = (report: string, name: Text) =>
    html`${file(report, "xlsx", html`${name} · Excel`)}${file(report, "csv", html`${name} · CSV`)}`;
  const links = html`${both("vat", TEXTS.vat)}${both("income", TEXTS.incomeReport)}`;
  return html`<section><h2>${TEXTS.download}</h2><div class="actions">${links}<a class="button" href="/console/reports/pdfs?${addressOf(visit, days)}" download>${TEXTS.pdfFiles}</a></div></section>`;
}

const FILE_FIELDS = {
  ...PERIOD_FIELDS,
  report: requiredField(wordField(["vat", "income"], "The report.")),
  format: requiredField(wordField(["csv", "xlsx"], "The file's format.")),
} as const;

const FILE_TYPES = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

async function reportFile(visit: Visit): Promise<Reply> {
  const { report, format, ...asked } = readQuery(visit, FILE_FIELDS);
  const period = periodOf(visit, asked);
  const documents = await countDocuments(visit.appliance, period);
  const sheets =
    report === "vat"
      ? vatSheets(buildVatReport(documents, period))
      : incomeSheets(buildIncomeReport(documents, period));
  return sheetsFile(visit, sheets, { name: `${report}-${period.from}-${period.through}`, format });
}

/** Sheets as a file in the language of the page. */
export async function sheetsFile(
  { appliance, language }: Visit,
  sheets: readonly Sheet[],
  { name, format }: { name: string; format: keyof typeof FILE_TYPES },
): Promise<Reply> {
  const isGreek = language === "el";
  const shown = isGreek ? greekSheets(sheets, await readClients(appliance)) : sheets;
  const csv = () => encodeCsv(shown, isGreek ? greekHead("section") : "section");
  const body = format === "csv" ? new TextEncoder().encode(csv()) : await encodeWorkbook(shown);
  return { kind: "file", type: FILE_TYPES[format], name: `${name}.${format}`, body };
}

async function pdfArchive(visit: Visit): Promise<Reply> {
  const { appliance } = visit;
  const period = periodOf(visit, readQuery(visit, PERIOD_FIELDS));
  const name = `pdf-${period.from}-${period.through}.zip`;
  const body = ReadableStream.from(withFailureLogged(appliance, archivePdfs(appliance, period)));
  return { kind: "file", type: "application/zip", name, body };
}

/** A failure cuts the download off, and only the log can say why. */
export async function* withFailureLogged(
  { log }: Appliance,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    log.error({ error: String(error) }, "an archive of PDFs was cut off");
    throw error;
  }
}

export const REPORT_ROUTES: readonly Route[] = [
  get("/reports", reportsPage),
  get("/reports/file", reportFile),
  get("/reports/pdfs", pdfArchive),
  ...CLOSING_ROUTES,
];
