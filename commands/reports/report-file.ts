/** Writes a report to the file of `--output`. */
import { encodeCsv, encodeWorkbook, type Sheet } from "../../src/books/report-sheets.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { startFile } from "../output-file.ts";

type Format = "csv" | "xlsx";

export interface ReportFile {
  write(sheets: readonly Sheet[]): Promise<void>;
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
    async write(sheets) {
      await output.write(format === "csv" ? encodeCsv(sheets) : await encodeWorkbook(sheets));
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
