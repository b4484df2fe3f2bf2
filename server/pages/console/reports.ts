/** The page of reports: VAT and income of a period, with a chart, and their files. */
import { TEXTS } from "./messages.ts";
import type { Appliance } from "../../../src/appliance.ts";
import { type BooksPeriod, countDocuments } from "../../../src/books/counted-documents.ts";
import { greekHead, greekSheets, readClients } from "../../../src/operations/greek-files.ts";
import { encodeCsv, encodeWorkbook, incomeSheets, vatSheets } from "../../../src/books/report-sheets.ts";
import {
  buildIncomeReport,
  buildVatByMonth,
  buildVatReport,
  type IncomeReport,
  type MerchantVat,
  suspensionNote,
  type VatReport,
} from "../../../src/books/period-reports.ts";
import { getMerchant, listMerchants } from "../../../src/merchants/merchants.ts";
import { archivePdfs } from "../../../src/paper/pdf-files.ts";
import { incomeTable, type ReportTable, vatTables } from "../../../src/operations/report-view.ts";
import {
  dateField,
  idField,
  parseQuery,
  type QueryFields,
  type QueryValues,
  requiredField,
  wordField,
} from "../../../src/operations/field.ts";
import { CLOSING_ROUTES, closingSection } from "./merchant-settings.ts";
import { filledIn, filterForm } from "./list-page.ts";
import { formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { viewColumns } from "./operation-pages.ts";
import { table } from "./parts.ts";
import { vatChart } from "./chart.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";
import { endOfMonth, startOfMonth } from "../../../src/foundation/days.ts";
import { validationError } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";

/** A page adds up every document of its period. */
const MONTHS_MAX = 24;

const PERIOD_FIELDS = {
  merchant: idField("mer", "Only documents of this merchant."),
  from: dateField("Issued on this day or later."),
  to: dateField("Issued on this day or earlier."),
} as const satisfies QueryFields;

/** Both days are inclusive. */
interface Days {
  from: string;
  through: string;
}

/** The period that the query asks for, of the chosen merchant if it names none; the current quarter if it names no days. Throws `validation_failed`. */
function periodOf(visit: Visit, asked: QueryValues<typeof PERIOD_FIELDS>): BooksPeriod {
  const usual = quarterOf(visit.appliance.clock.today(), 0);
  const from = asked.from ?? (asked.to === undefined ? usual.from : startOfMonth(asked.to));
  const through = asked.to ?? (asked.from === undefined ? usual.through : endOfMonth(asked.from));
  if (through < from) throw validationError([{ path: "to", message: TEXTS.endBeforeStart }]);
  if (through > endOfMonth(from, MONTHS_MAX - 1))
    throw validationError([{ path: "to", message: TEXTS.periodTooLong(MONTHS_MAX) }]);
  return { mode: visit.mode, from, through, merchantId: asked.merchant ?? visit.merchant?.id };
}

/** The periods that are reported most, by the day `today`. */
function usualPeriods(today: string): { name: Text; days: Days }[] {
  const month = (offset: number) => ({
    from: startOfMonth(today, offset),
    through: endOfMonth(today, offset),
  });
  const year = today.slice(0, 4);
  return [
    { name: TEXTS.thisMonth, days: month(0) },
    { name: TEXTS.lastMonth, days: month(-1) },
    { name: TEXTS.thisQuarter, days: quarterOf(today, 0) },
    { name: TEXTS.lastQuarter, days: quarterOf(today, -1) },
    { name: TEXTS.thisYear, days: { from: `${year}-01-01`, through: `${year}-12-31` } },
  ];
}

/** The calendar quarter of `day`, or the one `offset` quarters later. */
function quarterOf(day: string, offset: number): Days {
  const monthInQuarter = (Number(day.slice(5, 7)) - 1) % 3;
  const first = 3 * offset - monthInQuarter;
  return { from: startOfMonth(day, first), through: endOfMonth(day, first + 2) };
}

/** Limits the merchants whose names are read. */
const NAMES_MAX = 100;

async function reportsPage(visit: Visit): Promise<Reply> {
  const { appliance, translate } = visit;
  const period = periodOf(visit, parseQuery(PERIOD_FIELDS, filledIn(visit)));
  const documents = await countDocuments(appliance, period);
  const report = buildVatReport(documents, period);
  const income = buildIncomeReport(documents, period);
  const months = buildVatByMonth(documents, period);
  const { data: merchants } = await listMerchants(appliance, { limit: NAMES_MAX });
  const names: Names = new Map(merchants.map(({ external_id: id, name }) => [id, name]));
  const content =
    report.merchants.length === 0
      ? html`<section><p class="empty">${translate(TEXTS.nothingIssued)}</p></section>`
      : html`${months.rates.length > 0 && vatChart(visit, months)}${vatSection(visit, named(report, names))}${incomeSection(visit, named(income, names))}${files(visit, period)}`;
  const { merchantId } = period;
  const closing =
    merchantId !== undefined &&
    (await closingSection(visit, await getMerchant(appliance, merchantId), period.through));
  return {
    kind: "page",
    title: translate(TEXTS.reports),
    content: html`${periodForm(visit, period)}${content}${closing}`,
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

function vatSection(visit: Visit, { merchants, totals }: VatReport): Markup {
  const { translate, language } = visit;
  const total = html`<p><strong>${translate(TEXTS.total)}: ${formatMoney(language, totals.net)} + ${translate(TEXTS.vatReport)} ${formatMoney(language, totals.vat)}</strong></p>`;
  return html`<section><h2>${translate(TEXTS.vatReport)}</h2>${merchants.map((merchant) => merchantVat(visit, merchant))}${total}<p class="hint">${translate(TEXTS.reportNote)}</p></section>`;
}

function merchantVat(visit: Visit, merchant: MerchantVat): Markup {
  const { vat_payment_suspension: suspended } = merchant;
  const tables = vatTables(merchant).map((one) => reportTable(visit, merchant.merchant, one));
  return html`<h3>${merchant.merchant}</h3>${tables}${
    suspended !== undefined && html`<p class="hint">${visit.translate(suspensionNote(suspended))}</p>`
  }`;
}

/** The caption for screen readers is the merchant and the head of the first column. */
function reportTable(visit: Visit, merchant: string, { columns, rows }: ReportTable): Markup {
  const shown = viewColumns(visit, columns);
  return table(`${merchant}: ${shown[0]!.head}`, shown, rows);
}

function incomeSection(visit: Visit, { merchants, totals }: IncomeReport): Markup {
  const { translate, language } = visit;
  const parts = merchants.map(
    ({ merchant, rows }) => html`<h3>${merchant}</h3>${reportTable(visit, merchant, incomeTable(rows))}`,
  );
  return html`<section><h2>${translate(TEXTS.incomeReport)}</h2>${parts}<p><strong>${translate(TEXTS.total)}: ${formatMoney(language, totals.net)}</strong></p></section>`;
}

const FILES = [
  { report: "vat", format: "xlsx", label: TEXTS.vatFile },
  { report: "vat", format: "csv", label: TEXTS.vatCsv },
  { report: "income", format: "xlsx", label: TEXTS.incomeFile },
  { report: "income", format: "csv", label: TEXTS.incomeCsv },
] as const;

function files(visit: Visit, days: Days): Markup {
  const { translate } = visit;
  const links = FILES.map(
    ({ report, format, label }) =>
      html`<a class="button" href="/console/reports/file?${addressOf(visit, days)}&report=${report}&format=${format}" download>${translate(label)}</a>`,
  );
  return html`<section><h2>${translate(TEXTS.download)}</h2><div class="actions">${links}<a class="button" href="/console/reports/pdfs?${addressOf(visit, days)}" download>${translate(TEXTS.pdfFiles)}</a></div></section>`;
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
  const { report, format, ...asked } = parseQuery(FILE_FIELDS, filledIn(visit));
  const period = periodOf(visit, asked);
  const documents = await countDocuments(visit.appliance, period);
  const sheets =
    report === "vat"
      ? vatSheets(buildVatReport(documents, period))
      : incomeSheets(buildIncomeReport(documents, period));
  const isGreek = visit.language === "el";
  const shown = isGreek ? greekSheets(sheets, await readClients(visit.appliance)) : sheets;
  const csv = () => encodeCsv(shown, isGreek ? greekHead("section") : "section");
  const body = format === "csv" ? new TextEncoder().encode(csv()) : await encodeWorkbook(shown);
  const name = `${report}-${period.from}-${period.through}.${format}`;
  return { kind: "file", type: FILE_TYPES[format], name, body };
}

async function pdfArchive(visit: Visit): Promise<Reply> {
  const { appliance } = visit;
  const period = periodOf(visit, parseQuery(PERIOD_FIELDS, filledIn(visit)));
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

/** The form of the reports: the period, as links and as days. */
function periodForm(visit: Visit, days: Days): Markup {
  const { appliance, translate, query } = visit;
  const links = usualPeriods(appliance.clock.today()).map(
    ({ name, days: usual }) =>
      html`<li><a href="/console/reports?${addressOf(visit, usual)}">${translate(name)}</a></li>`,
  );
  const shown = new URLSearchParams({ ...Object.fromEntries(query), from: days.from, to: days.through });
  const fields = [
    { name: "from", label: translate(TEXTS.from), type: "date" },
    { name: "to", label: translate(TEXTS.to), type: "date" },
  ] as const;
  const form = filterForm({ ...visit, query: shown }, fields, ["merchant"]);
  return html`<nav aria-label="${translate(TEXTS.periods)}"><ul class="choices">${links}</ul></nav>${form}`;
}

/** The query of the shown merchant and `days`. */
function addressOf({ query }: Visit, { from, through }: Days): string {
  const merchant = query.get("merchant") ?? "";
  return String(new URLSearchParams({ from, to: through, ...(merchant === "" ? {} : { merchant }) }));
}

export const REPORT_ROUTES: readonly Route[] = [
  get("/reports", reportsPage),
  get("/reports/file", reportFile),
  get("/reports/pdfs", pdfArchive),
  ...CLOSING_ROUTES,
];
