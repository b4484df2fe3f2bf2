/** The period that a page of figures is about: of its address, or the current quarter, and the form that chooses another one. */
import type { BooksPeriod } from "../../../src/books/counted-documents.ts";
import { endOfMonth, startOfMonth } from "../../../src/foundation/days.ts";
import { validationError } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { dateField, idField, type QueryFields, type QueryValues } from "../../../src/operations/field.ts";
import { html, type Markup } from "../markup.ts";
import { filterForm, filtersOf } from "./list-page.ts";
import { TEXTS } from "./messages.ts";
import type { Visit } from "./visit.ts";

/** A page adds up every document of its period. */
const MONTHS_MAX = 24;

export const PERIOD_FIELDS = {
  merchant: { ...idField("mer", "Only documents of this merchant."), label: TEXTS.merchant },
  from: { ...dateField("Issued on this day or later."), label: TEXTS.from },
  to: { ...dateField("Issued on this day or earlier."), label: TEXTS.to },
} as const satisfies QueryFields;

/** Both days are inclusive. */
export interface Days {
  from: string;
  through: string;
}

/** The period that the query asks for, of the chosen merchant if it names none; the current quarter if it names no days. Throws `validation_failed`. */
export function periodOf(visit: Visit, asked: QueryValues<typeof PERIOD_FIELDS>): BooksPeriod {
  const usual = quarterOf(visit.appliance.clock.today(), 0);
  const from = asked.from ?? (asked.to === undefined ? usual.from : startOfMonth(asked.to));
  const through = asked.to ?? (asked.from === undefined ? usual.through : endOfMonth(asked.from));
  const message =
    through < from
      ? TEXTS.endBeforeStart
      : through > endOfMonth(from, MONTHS_MAX - 1) && TEXTS.periodTooLong(MONTHS_MAX);
  if (message !== false) throw validationError([{ path: "to", place: TEXTS.to, message }]);
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

/** The form of a page about a period: the period, as links and as days. `kept` are the other parameters of the page. */
export function periodForm(visit: Visit, days: Days, kept: readonly string[]): Markup {
  const { appliance, query, here } = visit;
  const path = here.split("?", 1)[0]!;
  const links = usualPeriods(appliance.clock.today()).map(
    ({ name, days: usual }) => html`<li><a href="${path}?${addressOf(visit, usual)}">${name}</a></li>`,
  );
  const shown = new URLSearchParams({ ...Object.fromEntries(query), from: days.from, to: days.through });
  const { from, to } = PERIOD_FIELDS;
  const form = filterForm({ ...visit, query: shown }, filtersOf({ from, to }), kept);
  return html`<nav aria-label="${TEXTS.periods}"><ul class="choices">${links}</ul></nav>${form}`;
}

/** The query of the page with other days. */
export function addressOf({ query }: Visit, { from, through }: Days): string {
  const others = [...query].filter(([name, value]) => name !== "from" && name !== "to" && value !== "");
  return String(new URLSearchParams([["from", from], ["to", through], ...others]));
}
