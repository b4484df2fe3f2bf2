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
const SHORT_YEAR = /^[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2}$/;
const WITH_TIME = /^[0-9./-]{8,10}[T ,]+[0-9]{1,2}:[0-9]{2}/;
const MONTHS_MAX = 12;

/** `2026-11-02`, or the Greek order, day first: `2/11/2026`, `02-11-2026`, `2.11.2026`. */
export function readDay(text: string): { value: string } | { problem: Text } {
  const [, day = "", , month = "", year = ""] = DAY_FIRST.exec(text) ?? [];
  const iso = year === "" ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isCalendarDay(iso) ? { value: iso } : { problem: describeDay(text, Number(day), Number(month)) };
}

const DAY_FORMS: Text = {
  en: "such as 2026-11-02 or, day first, 2/11/2026",
  el: "όπως 2026-11-02 ή, με πρώτη την ημέρα, 2/11/2026",
};

/** Why a date is refused. A date with the month first is not corrected: others in the file would be read wrong. */
function describeDay(text: string, day: number, month: number): Text {
  const { en, el } = DAY_FORMS;
  if (SHORT_YEAR.test(text)) {
    return {
      en: `has a year of two digits; write all four, ${en}`,
      el: `έχει έτος με δύο ψηφία· γράψτε και τα τέσσερα, ${el}`,
    };
  }
  if (WITH_TIME.test(text)) {
    return {
      en: `includes a time of day; write the date alone, ${en}`,
      el: `περιέχει και ώρα· γράψτε μόνο την ημερομηνία, ${el}`,
    };
  }
  if (month > MONTHS_MAX && day > 0 && day <= MONTHS_MAX) {
    return {
      en: "has the month before the day; dates are read day first, so write them all as 2/11/2026, or as 2026-11-02",
      el: "έχει τον μήνα πριν από την ημέρα· οι ημερομηνίες διαβάζονται με πρώτη την ημέρα, γι' αυτό γράψτε τις όλες ως 2/11/2026 ή ως 2026-11-02",
    };
  }
  return { en: `must be a calendar date, ${en}`, el: `πρέπει να είναι ημερομηνία, ${el}` };
}
