/** Presents reports: for people, as JSON, or in the file of `--output`. */
import { encodeCsv, encodeWorkbook, type Sheet } from "../../src/books/report-sheets.ts";
import type { Context } from "../../src/journal/context.ts";
import { greekHead, greekSheets, readClients } from "../../src/operations/greek-files.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { contradiction } from "../options.ts";
import { outputSettingsOf } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { startFile } from "../output-files.ts";
import type { Flags } from "../define.ts";

export const REPORT_FILE = {
  "--output <file>": {
    en: "write a .csv or .xlsx file instead of a table",
    el: "γράφει αρχείο .csv ή .xlsx αντί για πίνακα",
  },
} satisfies Flags;

interface ReportShape<Report> {
  build(): Promise<Report>;
  sheetsOf(report: Report): readonly Sheet[];
  /** The API's object, if it is not the report. */
  jsonOf?(report: Report): unknown;
  /** For people. */
  print(report: Report): Promise<void>;
}

/** Writes a report to the file of `--output`, if given, prints it as JSON with `--json`, or for people. */
export async function presentReport<Report>(
  context: CommandContext,
  appliance: Context,
  path: string | undefined,
  { build, sheetsOf, jsonOf, print }: ReportShape<Report>,
): Promise<void> {
  await using file = await startReportFile(context, path);
  const report = await build();
  if (file !== undefined) await file.write(appliance, sheetsOf(report));
  else if (context.options.json === true) await printJson(context.io, jsonOf?.(report) ?? report);
  else await print(report);
}

type Format = "csv" | "xlsx";

export interface ReportFile extends AsyncDisposable {
  /** In the language of the person. */
  write(context: Context, sheets: readonly Sheet[]): Promise<void>;
}

/** Starts the file of `--output`, if given, so that a path that cannot be written or a wrong ending is reported before any work. */
export async function startReportFile(
  { io, options }: CommandContext,
  path: string | undefined,
): Promise<ReportFile | undefined> {
  if (path === undefined) return undefined;
  if (options.json === true) throw contradiction("--json", "--output");
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
    [Symbol.asyncDispose]: () => output[Symbol.asyncDispose](),
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
