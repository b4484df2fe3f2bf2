/**
 * Computes when the returns of a month are due: the VAT return (form Φ2) on the last working day of the next month, the VIES
 * statement on its 26th. Pure.
 */
import { endOfMonth, startOfMonth } from "../foundation/days.ts";

export interface Deadline {
  kind: "vat_return" | "vies";
  date: string;
}

/** `month` is `2026-11`. */
export function filingDeadlines(month: string): Deadline[] {
  const next = startOfMonth(`${month}-01`, 1);
  return [
    { kind: "vat_return", date: lastWorkingDay(next) },
    { kind: "vies", date: `${next.slice(0, 7)}-26` },
  ];
}

function lastWorkingDay(day: string): string {
  let last = endOfMonth(day);
  while (!isWorkingDay(last)) last = addDays(last, -1);
  return last;
}

/** Public holidays with a fixed date, as month and day. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set([
  "01-01",
  "01-06",
  "03-25",
  "05-01",
  "08-15",
  "10-28",
  "12-25",
  "12-26",
]);
/** Days after Orthodox Easter Sunday: Clean Monday, Good Friday, Easter Monday, Whit Monday. */
const MOVABLE_HOLIDAYS = [-48, -2, 1, 50];
const SUNDAY = 0;
const SATURDAY = 6;

function isWorkingDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  if (weekday === SUNDAY || weekday === SATURDAY || FIXED_HOLIDAYS.has(day.slice(5))) return false;
  const easter = orthodoxEaster(Number(day.slice(0, 4)));
  return MOVABLE_HOLIDAYS.every((offset) => addDays(easter, offset) !== day);
}

/** By Meeus's rule for the Julian calendar, whose dates come 13 days later in ours from 1900 to 2099. */
function orthodoxEaster(year: number): string {
  const moon = (19 * (year % 19) + 15) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const sum = moon + sunday + 114;
  const julian = new Date(Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1));
  return addDays(julian.toISOString().slice(0, 10), 13);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
