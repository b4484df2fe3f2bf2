/** The first part of the overview in live mode: the month of each merchant, with links to what the figures count. */
import { type MerchantMonth, type Overview, reportOverview } from "../../../src/books/overview.ts";
import { endOfMonth, startOfMonth } from "../../../src/foundation/days.ts";
import { patternField } from "../../../src/operations/field.ts";
import { overviewColumns } from "../../../src/operations/report-view.ts";
import { formatCount, formatMonth } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { TEXTS } from "./messages.ts";
import { viewColumns } from "./operation-pages.ts";
import { type Column, statusWord, tableOrEmpty } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** The rows of a page. The report of the command line has all. */
const SHOWN_MAX = 200;

export const MONTH_FIELD = patternField(/^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])$/, "The month.", {
  en: "must be a month like 2026-11",
  el: "πρέπει να είναι μήνας, όπως 2026-11",
});

/** `asked` is `2026-11`; the current month without it. */
export async function merchantMonths(visit: Visit, asked: string | undefined): Promise<Markup> {
  const { appliance, mode, merchant } = visit;
  const month = asked ?? appliance.clock.today().slice(0, 7);
  const overview = await reportOverview(appliance, { mode, month, merchantId: merchant?.id });
  const shown = overview.merchants.slice(0, SHOWN_MAX);
  const other = (offset: number) => {
    const name = startOfMonth(`${month}-01`, offset).slice(0, 7);
    return html`<a class="button" href="/console?month=${name}">${formatMonth(name)}</a>`;
  };
  const list = tableOrEmpty(TEXTS.noneYet, formatMonth(month), columnsOf(visit, overview), shown);
  return html`<section><h2>${formatMonth(month)}</h2>${list}${shown.length < overview.merchants.length && html`<p class="hint">${TEXTS.moreMerchants}</p>`}<p class="actions">${other(-1)}${other(1)}</p></section>`;
}

/** The column that counts two statuses. */
const WAITING = 2;

/** The columns of the overview, with links to what they count. */
function columnsOf(visit: Visit, overview: Overview): Column<MerchantMonth>[] {
  const [from, to] = [`${overview.month}-01`, endOfMonth(`${overview.month}-01`)];
  const documents = (status: string) => (id: string) =>
    `/console/documents?${new URLSearchParams({ merchant: id, status, "issue_date[gte]": from, "issue_date[lte]": to })}`;
  const reports = (id: string) => `/console/reports?${new URLSearchParams({ merchant: id, from, to })}`;
  const links = [
    (id: string) => `/console/merchants/${id}`,
    documents("issued"),
    documents("pending"),
    documents("rejected"),
    reports,
    undefined,
    reports,
    undefined,
    reports,
  ];
  return viewColumns({ ...visit, merchant: undefined }, overviewColumns(overview)).map((column, index) => ({
    ...column,
    cell(month) {
      const { id } = month.merchant;
      const link = links[index];
      if (link === undefined) return column.cell(month);
      if (index !== WAITING) return html`<a href="${link(id)}">${column.cell(month)}</a>`;
      const failed = html` + <a href="${documents("failed")(id)}">${formatCount(month.failed)} (${statusWord("failed")})</a>`;
      return html`<a href="${link(id)}">${formatCount(month.pending)}</a>${month.failed > 0 && failed}`;
    },
  }));
}
