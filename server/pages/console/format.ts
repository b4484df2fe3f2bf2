/** Formats amounts, instants and days in a language. Times are in Athens time. */
import { athensTime } from "../../../src/foundation/clock.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import type { Language } from "../language.ts";
import { html, type Markup } from "../markup.ts";

const LOCALES: Readonly<Record<Language, string>> = { el: "el-GR", en: "en-GB" };

interface Formats {
  money: Intl.NumberFormat;
  count: Intl.NumberFormat;
  quantity: Intl.NumberFormat;
  day: Intl.DateTimeFormat;
  month: Intl.DateTimeFormat;
}

const cache = new Map<Language, Formats>();

/** Created on first use, because each formatter takes milliseconds. */
function formatsOf(language: Language): Formats {
  let formats = cache.get(language);
  if (formats === undefined) {
    const locale = LOCALES[language];
    formats = {
      money: new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }),
      count: new Intl.NumberFormat(locale),
      quantity: new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }),
      // A calendar day is the same in every time zone.
      day: new Intl.DateTimeFormat(locale, { timeZone: "UTC", dateStyle: "medium" }),
      month: new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "short" }),
    };
    cache.set(language, formats);
  }
  return formats;
}

/** `cents` may be negative. Exact, because the digits are passed as text. */
export function formatMoney(language: Language, cents: number | bigint): string {
  const amount = BigInt(cents);
  const euro = amount < 0n ? `-${centsAsEuro(-amount)}` : centsAsEuro(amount);
  return formatsOf(language).money.format(euro as Intl.StringNumericLiteral);
}

function centsAsEuro(cents: bigint): string {
  if (cents <= BigInt(Number.MAX_SAFE_INTEGER)) return formatEuro(Number(cents));
  return `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
}

/** A document's quantity: `1234.50` becomes `1.234,5` in Greek. Exact, like money. */
export function formatQuantity(language: Language, quantity: string): string {
  return formatsOf(language).quantity.format(quantity as Intl.StringNumericLiteral);
}

export function formatCount(language: Language, count: number): string {
  return formatsOf(language).count.format(count);
}

/** `2026-11-21` in the language's format. */
export function formatDay(language: Language, day: string): string {
  return formatsOf(language).day.format(Date.parse(`${day}T00:00:00.000Z`));
}

/** The first and the last of some days; one day alone. */
export function formatDays(language: Language, [first, last]: readonly [string, string]): string {
  const from = formatDay(language, first);
  return first === last ? from : `${from} – ${formatDay(language, last)}`;
}

/** `2026-11` in the language's format. */
export function formatMonth(language: Language, month: string): string {
  return formatsOf(language).month.format(Date.parse(`${month}-01T00:00:00.000Z`));
}

/** An instant in Athens time. */
export function formatInstant(language: Language, instant: string): string {
  const { day, time } = athensTime(Date.parse(instant));
  return `${formatDay(language, day)}, ${time}`;
}

/** An instant as a `time` element; undefined without an instant. */
export function timeOf(language: Language, instant: string | null | undefined): Markup | undefined {
  if (instant === null || instant === undefined) return undefined;
  return html`<time datetime="${instant}">${formatInstant(language, instant)}</time>`;
}

export function dayOf(language: Language, day: string): Markup {
  return html`<time datetime="${day}">${formatDay(language, day)}</time>`;
}
