/** The flags that both reports take, and the period they mean. */
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import type { BooksPeriod } from "../../src/books/counted-documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";
import { day } from "../options.ts";

export interface ReportOptions {
  from?: string;
  to?: string;
  merchant?: string;
  output?: string;
}

export function addReportOptions(command: Command, { inLanguage }: CommandContext): Command {
  return command
    .option(
      "--from <day>",
      inLanguage({ en: "the first issue date", el: "η πρώτη ημερομηνία έκδοσης" }),
      day("--from"),
    )
    .option(
      "--to <day>",
      inLanguage({ en: "the last issue date", el: "η τελευταία ημερομηνία έκδοσης" }),
      day("--to"),
    )
    .option(
      "--merchant <merchant>",
      inLanguage({
        en: "only this merchant: id or external id",
        el: "μόνο αυτή η επιχείρηση: id ή εξωτερικό id",
      }),
    )
    .option(
      "--output <file>",
      inLanguage({
        en: "write a .csv or .xlsx file instead of a table",
        el: "γράφει αρχείο .csv ή .xlsx αντί για πίνακα",
      }),
    );
}

/** Throws a usage error if a day is missing or the days are in the wrong order. */
export async function readPeriod(
  appliance: Appliance,
  mode: Mode,
  { from, to, merchant }: ReportOptions,
): Promise<BooksPeriod> {
  if (from === undefined)
    throw new UsageError({
      en: "--from is missing: the first issue date, like 2026-10-01",
      el: "λείπει η --from: η πρώτη ημερομηνία έκδοσης, όπως 2026-10-01",
    });
  if (to === undefined)
    throw new UsageError({
      en: "--to is missing: the last issue date, like 2026-10-31",
      el: "λείπει η --to: η τελευταία ημερομηνία έκδοσης, όπως 2026-10-31",
    });
  if (to < from)
    throw new UsageError({ en: "--to is before --from", el: "η --to είναι πριν από την --from" });
  return { mode, from, through: to, merchantId: await merchantIdOf(appliance, merchant) };
}
