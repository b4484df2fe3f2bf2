/** The range of issue dates that `--from` and `--to` give. */
import { UsageError } from "./exit.ts";
import type { Flags } from "./define.ts";
import { day } from "./options.ts";

/** Both days are required and inclusive. Throws a usage error if one is missing or they are in the wrong order. */
export function readIssueDates(options: { from?: string; to?: string }): { from: string; through: string } {
  const { from, to } = options;
  if (from === undefined)
    throw new UsageError({
      en: "--from is missing: the first issue date, like 2025-10-01",
      el: "λείπει η --from: η πρώτη ημερομηνία έκδοσης, όπως 2025-10-01",
    });
  if (to === undefined)
    throw new UsageError({
      en: "--to is missing: the last issue date, like 2025-10-31",
      el: "λείπει η --to: η τελευταία ημερομηνία έκδοσης, όπως 2025-10-31",
    });
  if (to < from)
    throw new UsageError({ en: "--to is before --from", el: "η --to είναι πριν από την --from" });
  return { from, through: to };
}

export const ISSUE_DATE: Flags = {
  "--date <day>": {
    en: "issue date (default: today)",
    el: "ημερομηνία έκδοσης (αν λείπει: σήμερα)",
    read: day,
  },
};
