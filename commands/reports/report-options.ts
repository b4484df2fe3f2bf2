/** The flags that both reports take, and the period they mean. */
import type { Appliance } from "../../src/appliance.ts";
import type { BooksPeriod } from "../../src/books/counted-documents.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { PERIOD, type PeriodOptions, readIssueDates } from "../common-flags.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";
import type { Flags } from "../define.ts";

export interface ReportOptions extends PeriodOptions {
  merchant?: string;
  output?: string;
}

/** The flag of `startReportFile`. */
export const REPORT_FILE: Flags = {
  "--output <file>": {
    en: "write a .csv or .xlsx file instead of a table",
    el: "γράφει αρχείο .csv ή .xlsx αντί για πίνακα",
  },
};

export const REPORT_FLAGS: Flags = {
  ...PERIOD,
  "--merchant <merchant>": {
    en: "only this merchant: id or external id",
    el: "μόνο αυτή η επιχείρηση: id ή εξωτερικό id",
  },
  ...REPORT_FILE,
};

/** Throws a usage error if a day is missing or the days are in the wrong order. */
export async function readPeriod(
  appliance: Appliance,
  mode: Mode,
  options: ReportOptions,
): Promise<BooksPeriod> {
  const dates = readIssueDates(options);
  return { mode, ...dates, merchantId: await merchantIdOf(appliance, options.merchant) };
}
