/** A bar chart of days, with a summary sentence for screen readers and a table of the numbers. */
import { TEXTS } from "./messages.ts";
import type { Day } from "../../../src/console/overview.ts";
import { dayOf, formatDay } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { table } from "./parts.ts";
import type { Visit } from "./visit.ts";

export const CHART_WIDTH = 600;
export const CHART_HEIGHT = 140;
const GAP = 4;

export interface ChartOptions {
  /** Unique on the page. */
  id: string;
  heading: string;
  valueOf(day: Day): bigint;
  format(value: bigint): string;
}

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
  const zero = Math.round((Number(top) / span) * CHART_HEIGHT);
  const step = CHART_WIDTH / values.length;
  const bars = values.map((value, index) => {
    const isBelow = value < 0n;
    const size = Math.abs(Number(value)) / span;
    // A value other than zero is at least one unit high, so that it stays visible.
    const height = value === 0n ? 0 : Math.max(1, Math.round(size * CHART_HEIGHT));
    return { x: Math.round(index * step) + GAP / 2, y: isBelow ? zero : zero - height, height, isBelow };
  });
  return { bars, zero };
}

function drawing(days: readonly Day[], options: ChartOptions, summary: string): Markup {
  const { bars, zero } = layOutBars(days.map(options.valueOf));
  const width = Math.round(CHART_WIDTH / days.length) - GAP;
  const shapes = bars.map(
    ({ x, y, height, isBelow }) =>
      html`<rect x="${x}" y="${y}" width="${width}" height="${height}"${isBelow && html` class="below"`}/>`,
  );
  const { id, heading } = options;
  return html`<svg class="chart" viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${heading}</title><desc id="${id}-text">${summary}</desc>${shapes}<line x1="0" x2="${CHART_WIDTH}" y1="${zero}" y2="${zero}"/></svg>`;
}

/** `days` is ordered oldest first. */
export function chart(visit: Visit, days: readonly Day[], options: ChartOptions): Markup {
  const { translate, language } = visit;
  const { id, heading, valueOf } = options;
  const most = days.reduce((best, day) => (valueOf(day) > valueOf(best) ? day : best), days[0]!);
  const total = options.format(days.reduce((sum, day) => sum + valueOf(day), 0n));
  const isEmpty = days.every((day) => valueOf(day) === 0n);
  const summary = isEmpty
    ? translate(TEXTS.chartEmpty)
    : translate(TEXTS.chartSummary(total, options.format(valueOf(most)), formatDay(language, most.day)));
  const columns = [
    { head: translate(TEXTS.issueDate), cell: (day: Day) => dayOf(language, day.day) },
    { head: heading, cell: (day: Day) => options.format(valueOf(day)), isNumber: true },
  ];
  return html`<div><h3>${heading}</h3><p class="soft">${summary}</p>${drawing(days, options, summary)}
<div class="ends" aria-hidden="true"><span>${formatDay(language, days[0]!.day)}</span><span>${formatDay(language, days.at(-1)!.day)}</span></div>
<details id="${id}-table"><summary>${translate(TEXTS.asATable)}</summary>${table(heading, columns, days.toReversed())}</details></div>`;
}
