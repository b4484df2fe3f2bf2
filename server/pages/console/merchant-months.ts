/** The first part of the overview in live mode: the month of each merchant, with links to what the figures count. */
import { type MerchantMonth, reportOverview } from "../../../src/books/overview.ts";
import type { Deadline } from "../../../src/domain/vat-return.ts";
import { athensDay } from "../../../src/foundation/clock.ts";
import { endOfMonth, startOfMonth } from "../../../src/foundation/days.ts";
import { viesCell } from "../../../src/operations/document-view.ts";
import { patternField } from "../../../src/operations/field.ts";
import { yesOrNo } from "../../../src/operations/view.ts";
import { dayOf, formatCount, formatDay, formatMoney, formatMonth } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { TEXTS } from "./messages.ts";
import { table } from "./parts.ts";
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
  const { deadlines, merchants } = await reportOverview(appliance, { mode, month, merchantId: merchant?.id });
  const shown = merchants.slice(0, SHOWN_MAX);
  const other = (offset: number) => {
    const name = startOfMonth(`${month}-01`, offset).slice(0, 7);
    return html`<a class="button" href="/console?month=${name}">${formatMonth(name)}</a>`;
  };
  return html`<section><h2>${formatMonth(month)}</h2>${
    shown.length === 0
      ? html`<p class="empty">${TEXTS.noneYet}</p>`
      : table(formatMonth(month), columnsOf(month, deadlines), shown)
  }${shown.length < merchants.length && html`<p class="hint">${TEXTS.moreMerchants}</p>`}<p class="actions">${other(-1)}${other(1)}</p></section>`;
}

function columnsOf(month: string, deadlines: readonly Deadline[]) {
  const [from, to] = [`${month}-01`, endOfMonth(`${month}-01`)];
  const documents = (id: string, status: string, content: Content) => {
    const query = new URLSearchParams({
      merchant: id,
      status,
      "issue_date[gte]": from,
      "issue_date[lte]": to,
    });
    return html`<a href="/console/documents?${query.toString()}">${content}</a>`;
  };
  const reports = (id: string, content: Content) =>
    html`<a href="/console/reports?${new URLSearchParams({ merchant: id, from, to }).toString()}">${content}</a>`;
  const due = (kind: Deadline["kind"]) => formatDay(deadlines.find((one) => one.kind === kind)!.date);
  const viesCellOf = (counted: MerchantMonth) => reports(counted.merchant.id, viesCell(due("vies"), counted));
  return [
    {
      head: TEXTS.merchant,
      cell: ({ merchant }: MerchantMonth) =>
        html`<a href="/console/merchants/${merchant.id}">${merchant.name}</a>`,
      isLong: true,
    },
    {
      head: TEXTS.issuedCount,
      cell: ({ merchant, issued }: MerchantMonth) => documents(merchant.id, "issued", formatCount(issued)),
      isNumber: true,
    },
    {
      head: TEXTS.waitingCount,
      cell: ({ merchant, pending, failed }: MerchantMonth) =>
        html`${documents(merchant.id, "pending", formatCount(pending))}${
          failed > 0 &&
          html` + ${documents(merchant.id, "failed", html`${formatCount(failed)} ${TEXTS.failedCount}`)}`
        }`,
      isNumber: true,
    },
    {
      head: TEXTS.rejectedCount,
      cell: ({ merchant, rejected }: MerchantMonth) =>
        documents(merchant.id, "rejected", formatCount(rejected)),
      isNumber: true,
    },
    {
      head: TEXTS.vat,
      cell: ({ merchant, vat }: MerchantMonth) => reports(merchant.id, formatMoney(vat)),
      isNumber: true,
    },
    {
      head: TEXTS.reconciled,
      cell: ({ reconciledAt }: MerchantMonth) =>
        reconciledAt === null ? "-" : dayOf(athensDay(Date.parse(reconciledAt))),
      isFirm: true,
    },
    {
      head: TEXTS.booksClosedHead,
      cell: ({ merchant, isClosed }: MerchantMonth) => reports(merchant.id, yesOrNo(isClosed)),
      isFirm: true,
    },
    { head: TEXTS.vatReturn, cell: () => due("vat_return"), isFirm: true },
    { head: "VIES", cell: viesCellOf, isFirm: true },
  ];
}
