/** Amounts, counts, instants and days in both languages. Times are in Athens time. */
import { athensTime } from "../../../src/foundation/clock.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { html, type Markup } from "../markup.ts";

function formatsIn(locale: string) {
  return {
    money: new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }),
    count: new Intl.NumberFormat(locale),
    quantity: new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }),
    // A calendar day is the same in every time zone.
    day: new Intl.DateTimeFormat(locale, { timeZone: "UTC", dateStyle: "medium" }),
    month: new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "short" }),
  };
}

type Formats = ReturnType<typeof formatsIn>;

let formats: { en: Formats; el: Formats } | undefined;

/** The formats are created on first use, because each takes milliseconds. */
function inBoth(format: (formats: Formats) => string): Text {
  formats ??= { en: formatsIn("en-GB"), el: formatsIn("el-GR") };
  return { en: format(formats.en), el: format(formats.el) };
}

/** `cents` may be negative. Exact, because the digits are passed as text. */
export function formatMoney(cents: number | bigint): Text {
  return inBoth(({ money }) => money.format(formatEuro(cents) as Intl.StringNumericLiteral));
}

/** A document's quantity: `1234.50` becomes `1.234,5` in Greek. Exact, like money. */
export function formatQuantity(text: string): Text {
  return inBoth(({ quantity }) => quantity.format(text as Intl.StringNumericLiteral));
}

export function formatCount(number: number | bigint): Text {
  return inBoth(({ count }) => count.format(number));
}

/** `2026-11-21` in the form of each language. */
export function formatDay(date: string): Text {
  return inBoth(({ day }) => day.format(Date.parse(`${date}T00:00:00.000Z`)));
}

/** The first and the last of some days; one day alone. */
export function formatDays([first, last]: readonly [string, string]): Text {
  return first === last ? formatDay(first) : joinTexts([formatDay(first), formatDay(last)], " – ");
}

/** `2026-11` in the form of each language. */
export function formatMonth(name: string): Text {
  return inBoth(({ month }) => month.format(Date.parse(`${name}-01T00:00:00.000Z`)));
}

/** In Athens time. */
export function formatInstant(instant: string): Text {
  const { day, time } = athensTime(Date.parse(instant));
  return joinTexts([formatDay(day), sameInBoth(time)], ", ");
}

export function timeOf(instant: string | null | undefined): Markup | undefined {
  if (instant === null || instant === undefined) return undefined;
  return html`<time datetime="${instant}">${formatInstant(instant)}</time>`;
}

export function dayOf(day: string): Markup {
  return html`<time datetime="${day}">${formatDay(day)}</time>`;
}
