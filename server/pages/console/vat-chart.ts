/** The chart of VAT by month and rate: one group of bars a month, with a legend and a table of the numbers. */
import { TEXTS } from "./messages.ts";
import type { VatByMonth } from "../../../src/books/vat-report.ts";
import { CHART_HEIGHT, CHART_WIDTH, layOutBars } from "./chart.ts";
import { formatMoney, formatMonth } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { table } from "./parts.ts";
import type { Visit } from "./visit.ts";

type Month = VatByMonth["months"][number];

const GAP = 4;

export function vatChart(visit: Visit, report: VatByMonth): Markup {
  const { translate, language } = visit;
  const { rates, months } = report;
  const heading = translate(TEXTS.vatByMonth);
  const totals = months.map(({ vat }) => sum(vat));
  const best = totals.reduce((most, total, index) => (total > totals[most]! ? index : most), 0);
  const summary = translate(
    TEXTS.vatByMonthSummary(
      formatMoney(language, sum(totals)),
      formatMoney(language, totals[best]!),
      formatMonth(language, months[best]!.month),
    ),
  );
  const legend = rates.map(
    (rate, index) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="rate-${index}" width="10" height="10"/></svg>${rate} %</li>`,
  );
  const columns = [
    { head: translate(TEXTS.month), cell: ({ month }: Month) => formatMonth(language, month) },
    ...rates.map((rate, index) => ({
      head: `${rate} %`,
      cell: ({ vat }: Month) => formatMoney(language, vat[index]!),
      isNumber: true,
    })),
    {
      head: translate(TEXTS.total),
      cell: ({ vat }: Month) => formatMoney(language, sum(vat)),
      isNumber: true,
    },
  ];
  return html`<section><h2>${heading}</h2><p class="soft">${summary}</p><ul class="legend">${legend}</ul>${drawing(visit, report, summary)}
<div class="ends" aria-hidden="true"><span>${formatMonth(language, months[0]!.month)}</span><span>${formatMonth(language, months.at(-1)!.month)}</span></div>
<details id="vat-months-table"><summary>${translate(TEXTS.asATable)}</summary>${table(heading, columns, months.toReversed())}</details></section>`;
}

function drawing({ translate, language }: Visit, { rates, months }: VatByMonth, summary: string): Markup {
  // An empty bar separates the months.
  const { bars, zero } = layOutBars(months.flatMap(({ vat }) => [...vat, 0n]));
  const width = Math.max(1, Math.round(CHART_WIDTH / bars.length) - GAP / 2);
  const shapes = months.flatMap(({ month, vat }, at) =>
    vat.map((cents, index) => {
      const { x, y, height } = bars[at * (rates.length + 1) + index]!;
      const label = `${formatMonth(language, month)}, ${rates[index]} %: ${formatMoney(language, cents)}`;
      return html`<rect class="rate-${index}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${label}</title></rect>`;
    }),
  );
  return html`<svg class="chart" viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="vat-months-title vat-months-text"><title id="vat-months-title">${translate(TEXTS.vatByMonth)}</title><desc id="vat-months-text">${summary}</desc>${shapes}<line x1="0" x2="${CHART_WIDTH}" y1="${zero}" y2="${zero}"/></svg>`;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
