/** Days and months as people write and read them, and their arithmetic. A day is `YYYY-MM-DD` everywhere else. */
import { isCalendarDay } from "./field-schemas.ts";
import type { Text } from "./text.ts";

/** `2025-11-22`, in Greek `22/11/2025`. */
export function dayText(day: string): Text {
  const [year, month, date] = day.split("-");
  return { en: day, el: `${date}/${month}/${year}` };
}

/** The first and the last of some days: `2025-11-02 to 2025-11-22`; one day alone. */
export function daysText(first: string, last: string): Text {
  const [from, to] = [dayText(first), dayText(last)];
  return first === last ? from : { en: `${from.en} to ${to.en}`, el: `${from.el} έως ${to.el}` };
}

export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

/** The first day of the month `offset` months after that of `day`. */
export function startOfMonth(day: string, offset = 0): string {
  return monthDay(day, offset, 1);
}

export function endOfMonth(day: string, offset = 0): string {
  return monthDay(day, offset + 1, 0);
}

function monthDay(day: string, offset: number, date: number): string {
  const [year, month] = day.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + offset, date)).toISOString().slice(0, 10);
}

const DAY_FIRST = /^([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4})$/;
const NOT_A_DAY: Text = {
  en: "must be a calendar date, such as 2026-11-02 or, day first, 2/11/2026, with all four digits of the year and without a time of day",
  el: "πρέπει να είναι ημερομηνία όπως 2026-11-02 ή, με πρώτη την ημέρα, 2/11/2026, με τα τέσσερα ψηφία του έτους και χωρίς ώρα",
};

/**
 * `2026-11-02`, or the Greek order, day first: `2/11/2026`, `02-11-2026`, `2.11.2026`. A date with the month first is not corrected:
 * others in the file would be read wrong.
 */
export function readDay(text: string): { value: string } | { problem: Text } {
  const iso = text.replace(
    DAY_FIRST,
    (_all, day: string, _separator, month: string, year: string) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
  return isCalendarDay(iso) ? { value: iso } : { problem: NOT_A_DAY };
}
