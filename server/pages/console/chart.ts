/** A bar chart by day or month, of one or several series, with a summary sentence for screen readers and a table of the numbers. */
import { TEXTS } from "./messages.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { table } from "./parts.ts";

const WIDTH = 600;
const HEIGHT = 140;
const GAP = 2;

interface Bar {
  x: number;
  y: number;
  height: number;
}

/** Computes the bars and the zero line; negative values hang below it. `values` must not be empty. */
export function layOutBars(values: readonly bigint[]): { bars: Bar[]; width: number; zero: number } {
  const top = values.reduce((most, value) => (value > most ? value : most), 0n);
  const bottom = values.reduce((least, value) => (value < least ? value : least), 0n);
  const span = Number(top - bottom) || 1;
  const zero = Math.round((Number(top) / span) * HEIGHT);
  const step = WIDTH / values.length;
  const bars = values.map((value, index) => {
    const size = Math.abs(Number(value)) / span;
    // A value other than zero is at least one unit high, so that it stays visible.
    const height = value === 0n ? 0 : Math.max(1, Math.round(size * HEIGHT));
    return { x: Math.round(index * step) + GAP / 2, y: value < 0n ? zero : zero - height, height };
  });
  return { bars, width: Math.max(1, Math.round(step) - GAP), zero };
}

interface Chart<Item> {
  /** Unique on the page. */
  id: string;
  heading: Text;
  /** Days or months, oldest first, at least one. */
  items: readonly Item[];
  head: Text;
  nameOf(item: Item): Text;
  /** A single one needs no name. */
  series: readonly { name?: Content; valueOf(item: Item): bigint }[];
  format(value: bigint): Text;
}

export function barChart<Item>({ id, heading, items, head, nameOf, series, format }: Chart<Item>): Markup {
  const isSingle = series[0]!.name === undefined;
  const totalOf = (item: Item) => sum(series.map(({ valueOf }) => valueOf(item)));
  const totals = items.map(totalOf);
  const most = totals.reduce((best, total, index) => (total > totals[best]! ? index : best), 0);
  const summary = totals.every((total) => total === 0n)
    ? TEXTS.nothingIssued
    : TEXTS.chartSummary(format(sum(totals)), format(totals[most]!), nameOf(items[most]!));
  // An empty bar separates the groups.
  const places = [...series, ...(isSingle ? [] : [undefined])];
  const values = items.flatMap((item) => places.map((one) => one?.valueOf(item) ?? 0n));
  const { bars, width, zero } = layOutBars(values);
  const shapes = bars.map(({ x, y, height }, index) => {
    const at = index % places.length;
    const item = items[Math.floor(index / places.length)]!;
    const one = places[at];
    const label = html`${nameOf(item)}${!isSingle && html`, ${one?.name}`}: ${format(values[index]!)}`;
    return (
      one &&
      html`<rect class="series-${at}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${label}</title></rect>`
    );
  });
  const legend = series.map(
    ({ name }, index) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="series-${index}" width="10" height="10"/></svg>${name}</li>`,
  );
  const columns = [
    { head, cell: nameOf },
    ...series.map(({ name, valueOf }) => ({
      head: name ?? heading,
      cell: (item: Item) => format(valueOf(item)),
      isNumber: true,
    })),
    ...(isSingle ? [] : [{ head: TEXTS.total, cell: (item: Item) => format(totalOf(item)), isNumber: true }]),
  ];
  return html`<p class="soft">${summary}</p>${!isSingle && html`<ul class="legend">${legend}</ul>`}<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${heading}</title><desc id="${id}-text">${summary}</desc>${shapes}<line x1="0" x2="${WIDTH}" y1="${zero}" y2="${zero}"/></svg>
<div class="ends" aria-hidden="true"><span>${nameOf(items[0]!)}</span><span>${nameOf(items.at(-1)!)}</span></div>
<details id="${id}-table"><summary>${TEXTS.asATable}</summary>${table(heading, columns, items.toReversed())}</details>`;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
