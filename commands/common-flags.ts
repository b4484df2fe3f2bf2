/** Flags that several verbs have: the issue dates of a range, the date of a new document, and the idempotency key. */
import { endOfMonth } from "../src/foundation/days.ts";
import type { Flags, OptionsOf } from "./define.ts";
import { UsageError } from "./exit.ts";
import { contradiction, day } from "./options.ts";
import { printNote, type ProgramIo } from "./io.ts";

export const MONTH = {
  "--month <month>": {
    en: "the month of the issue date, like 2026-11",
    el: "ο μήνας της ημερομηνίας έκδοσης, όπως 2026-11",
    read: () => firstOfMonth,
  },
} satisfies Flags;

export const PERIOD = {
  "--from <day>": {
    en: "the first issue date, in Athens",
    el: "η πρώτη ημερομηνία έκδοσης, ώρα Αθήνας",
    read: day,
  },
  "--to <day>": { en: "the last issue date", el: "η τελευταία ημερομηνία έκδοσης", read: day },
  ...MONTH,
} satisfies Flags;

function firstOfMonth(value: string): string {
  const [, month = "", year = ""] = /^([0-9]{1,2})[/.-]([0-9]{4})$/.exec(value) ?? [];
  const text = year === "" ? value : `${year}-${month.padStart(2, "0")}`;
  if (/^(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])$/.test(text)) return `${text}-01`;
  throw new UsageError({
    en: "--month takes a month like 2026-11",
    el: "η --month δέχεται μήνα, όπως 2026-11",
  });
}

/** The days of a month, given as its first day. Throws a usage error if one of `others`, by flag, gives days as well. */
export function readMonth(
  month: string,
  others: Readonly<Record<string, unknown>>,
): { from: string; through: string } {
  const used = Object.keys(others).find((flag) => others[flag] !== undefined);
  if (used === undefined) return { from: month, through: endOfMonth(month) };
  throw contradiction("--month", `--${used}`);
}

export type PeriodOptions = OptionsOf<typeof PERIOD>;

/** Both days are inclusive. Throws a usage error if one is missing or they are in the wrong order. */
export function readIssueDates({ from, to, month }: PeriodOptions): { from: string; through: string } {
  if (month !== undefined) return readMonth(month, { from, to });
  if (from === undefined)
    throw new UsageError({
      en: "--from is missing: the first issue date, like 2026-11-01, or give --month 2026-11",
      el: "λείπει η --from: η πρώτη ημερομηνία έκδοσης, όπως 2026-11-01, ή δώστε --month 2026-11",
    });
  if (to === undefined)
    throw new UsageError({
      en: "--to is missing: the last issue date, like 2026-11-30",
      el: "λείπει η --to: η τελευταία ημερομηνία έκδοσης, όπως 2026-11-30",
    });
  if (to < from)
    throw new UsageError({ en: "--to is before --from", el: "η --to είναι πριν από την --from" });
  return { from, through: to };
}

export const ISSUE_DATE = {
  "--date <day>": {
    en: "issue date (default: today)",
    el: "ημερομηνία έκδοσης (αν λείπει: σήμερα)",
    read: day,
  },
} satisfies Flags;

/** docs/contract.md#idempotency-keys */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY = {
  "--idempotency-key <key>": {
    en: "a second run with the same key creates nothing and prints the first result",
    el: "δεύτερη εκτέλεση με το ίδιο κλειδί δεν δημιουργεί τίποτα και τυπώνει το πρώτο αποτέλεσμα",
    read: () => readKey,
  },
} satisfies Flags;

function readKey(key: string): string {
  if (KEY_FORM.test(key)) return key;
  throw new UsageError({
    en: "--idempotency-key takes 1 to 255 printable ASCII characters without spaces",
    el: "η --idempotency-key δέχεται 1 έως 255 εκτυπώσιμους χαρακτήρες ASCII χωρίς κενά",
  });
}

export function printReplayed(io: ProgramIo): Promise<void> {
  return printNote(io, {
    en: "It was created with this idempotency key before; this is the result of that run.",
    el: "Δημιουργήθηκε ήδη με αυτό το κλειδί· αυτό είναι το αποτέλεσμα εκείνης της εκτέλεσης.",
  });
}
