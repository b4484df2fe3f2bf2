/** The flags and the period of reports, and the file of `--output`. */
import { encodeCsv, encodeWorkbook, type Sheet } from "../../src/books/report-sheets.ts";
import type { Context } from "../../src/journal/context.ts";
import { greekHead, greekSheets, readClients } from "../../src/operations/greek-files.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { outputSettingsOf } from "../io.ts";
import { startFile } from "../output-file.ts";
import type { Appliance } from "../../src/appliance.ts";
import type { BooksPeriod } from "../../src/books/counted-documents.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { PERIOD, type PeriodOptions, readIssueDates } from "../common-flags.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";
import type { Flags } from "../define.ts";

type Format = "csv" | "xlsx";

export interface ReportFile {
  /** In the language of the person. */
  write(context: Context, sheets: readonly Sheet[]): Promise<void>;
  discard(): Promise<void>;
}

/** Starts the file of `--output`, if given, so that a path that cannot be written or a wrong ending is reported before any work. */
export async function startReportFile(
  { io, options }: CommandContext,
  path: string | undefined,
): Promise<ReportFile | undefined> {
  if (path === undefined) return undefined;
  if (options.json === true)
    throw new UsageError({
      en: "--json and --output contradict each other; JSON goes to standard output",
      el: "οι --json και --output αντιφάσκουν· το JSON γράφεται στην τυπική έξοδο",
    });
  const format = formatOf(path);
  const output = await startFile(io, path);
  return {
    async write(appliance, sheets) {
      const isGreek = outputSettingsOf(io).language === "el";
      const shown = isGreek ? greekSheets(sheets, await readClients(appliance)) : sheets;
      const section = isGreek ? greekHead("section") : "section";
      await output.write(format === "csv" ? encodeCsv(shown, section) : await encodeWorkbook(shown));
      await output.finish();
    },
    discard: () => output.discard(),
  };
}

function formatOf(path: string): Format {
  const ending = /\.(csv|xlsx)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === "csv" || ending === "xlsx") return ending;
  throw new UsageError({
    en: "--output takes a file name that ends in .csv or .xlsx",
    el: "η --output δέχεται όνομα αρχείου που τελειώνει σε .csv ή .xlsx",
  });
}

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
