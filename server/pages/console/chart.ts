/** Bar charts by day or month, each with a summary sentence for screen readers and a table of the numbers. */
import { TEXTS } from "./messages.ts";
import type { VatByMonth } from "../../../src/books/period-reports.ts";
import type { Day } from "../../../src/console/overview.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { dayOf, formatDay, formatMoney, formatMonth } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { type Column, table } from "./parts.ts";

const WIDTH = 600;
const HEIGHT = 140;
const GAP = 4;

interface Bar {
  x: number;
  y: number;
  height: number;
  isBelow: boolean;
}

/** Computes the bars and the zero line; negative values hang below it. `values` must not be empty. */
export function layOutBars(values: readonly bigint[]): { bars: Bar[]; zero: number } {
  const top = values.reduce((most, value) => (value > most ? value : most), 0n);
  const bottom = values.reduce((least, value) => (value < least ? value : least), 0n);
  const span = Number(top - bottom) || 1;
  const zero = Math.round((Number(top) / span) * HEIGHT);
  const step = WIDTH / values.length;
  const bars = values.map((value, index) => {
    const isBelow = value < 0n;
    const size = Math.abs(Number(value)) / span;
    // A value other than zero is at least one unit high, so that it stays visible.
    const height = value === 0n ? 0 : Math.max(1, Math.round(size * HEIGHT));
    return { x: Math.round(index * step) + GAP / 2, y: isBelow ? zero : zero - height, height, isBelow };
  });
  return { bars, zero };
}

interface Chart<Item> {
  /** Unique on the page. */
  id: string;
  heading: Text;
  summary: Text;
  /** Oldest first. */
  items: readonly Item[];
  /** The name of a day or month below the bars. */
  nameOf(item: Item): Text;
  columns: readonly Column<Item>[];
  /** Above the bars. */
  legend?: Content;
  bars: Content;
  zero: number;
}

function chartPart<Item>(chart: Chart<Item>): Markup {
  const { id, heading, summary, items, nameOf, columns, legend, bars, zero } = chart;
  return html`<p class="soft">${summary}</p>${legend}<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${heading}</title><desc id="${id}-text">${summary}</desc>${bars}<line x1="0" x2="${WIDTH}" y1="${zero}" y2="${zero}"/></svg>
<div class="ends" aria-hidden="true"><span>${nameOf(items[0]!)}</span><span>${nameOf(items.at(-1)!)}</span></div>
<details id="${id}-table"><summary>${TEXTS.asATable}</summary>${table(heading, columns, items.toReversed())}</details>`;
}

interface DayChart {
  id: string;
  heading: Text;
  valueOf(day: Day): bigint;
  format(value: bigint): Text;
}

/** `days` is ordered oldest first. */
export function dayChart(days: readonly Day[], options: DayChart): Markup {
  const { id, heading, valueOf, format } = options;
  const values = days.map(valueOf);
  const most = greatest(values);
  const nameOf = ({ day }: Day) => formatDay(day);
  const summary = values.every((value) => value === 0n)
    ? TEXTS.chartEmpty
    : TEXTS.chartSummary(format(sum(values)), format(values[most]!), nameOf(days[most]!));
  const { bars, zero } = layOutBars(values);
  const width = Math.round(WIDTH / days.length) - GAP;
  const shapes = bars.map(
    ({ x, y, height, isBelow }) =>
      html`<rect x="${x}" y="${y}" width="${width}" height="${height}"${isBelow && html` class="below"`}/>`,
  );
  const columns = [
    { head: TEXTS.issueDate, cell: ({ day }: Day) => dayOf(day) },
    { head: heading, cell: (day: Day) => format(valueOf(day)), isNumber: true },
  ];
  const shown = {
    id,
    heading,
    summary,
    items: days,
    nameOf,
    columns,
    bars: shapes,
    zero,
  };
  return html`<div><h3>${heading}</h3>${chartPart(shown)}</div>`;
}

type Month = VatByMonth["months"][number];

/** One group of bars a month, with a legend of the rates. */
export function vatChart({ rates, months }: VatByMonth): Markup {
  const heading = TEXTS.vatByMonth;
  const totals = months.map(({ vat }) => sum(vat));
  const most = greatest(totals);
  const nameOf = ({ month }: Month) => formatMonth(month);
  const summary = TEXTS.vatByMonthSummary(
    formatMoney(sum(totals)),
    formatMoney(totals[most]!),
    nameOf(months[most]!),
  );
  const legend = rates.map(
    (rate, index) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="rate-${index}" width="10" height="10"/></svg>${rate} %</li>`,
  );
  const columns = [
    { head: TEXTS.month, cell: nameOf },
    ...rates.map((rate, index) => ({
      head: `${rate} %`,
      cell: ({ vat }: Month) => formatMoney(vat[index]!),
      isNumber: true,
    })),
    { head: TEXTS.total, cell: ({ vat }: Month) => formatMoney(sum(vat)), isNumber: true },
  ];
  const chart = {
    id: "vat-months",
    heading,
    summary,
    items: months,
    nameOf,
    columns,
    legend: html`<ul class="legend">${legend}</ul>`,
    ...monthBars({ rates, months }),
  };
  return html`<section><h2>${heading}</h2>${chartPart(chart)}</section>`;
}

function monthBars({ rates, months }: VatByMonth): Pick<Chart<Month>, "bars" | "zero"> {
  // An empty bar separates the months.
  const { bars, zero } = layOutBars(months.flatMap(({ vat }) => [...vat, 0n]));
  const width = Math.max(1, Math.round(WIDTH / bars.length) - GAP / 2);
  const shapes = months.flatMap(({ month, vat }, at) =>
    vat.map((cents, index) => {
      const { x, y, height } = bars[at * (rates.length + 1) + index]!;
      const label = html`${formatMonth(month)}, ${rates[index]} %: ${formatMoney(cents)}`;
      return html`<rect class="rate-${index}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${label}</title></rect>`;
    }),
  );
  return { bars: shapes, zero };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The index of the first of the greatest. */
function greatest(amounts: readonly bigint[]): number {
  return amounts.reduce((most, amount, index) => (amount > amounts[most]! ? index : most), 0);
}
