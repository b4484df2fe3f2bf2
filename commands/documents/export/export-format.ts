/** The format of exports and templates: by the ending of `--output`, otherwise by `--format` or `--json`, otherwise CSV. */
import { basename, extname } from "node:path";
import { UsageError } from "../../exit.ts";
import { choice, contradiction } from "../../options.ts";
import type { Flags } from "../../define.ts";

const EXPORT_FORMATS = ["csv", "xlsx", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface FormatFlags {
  /** A path, or `-` for standard output. */
  output?: string;
  format?: ExportFormat;
  isJson: boolean;
}

const formats = EXPORT_FORMATS.join(", ");

export const FORMAT_FLAGS: Flags = {
  "--format <format>": {
    en: `${formats}; needed only if the name in --output does not end in one of them (default csv)`,
    el: `${formats}· χρειάζεται μόνο αν το όνομα της --output δεν τελειώνει έτσι (αν λείπει: csv)`,
    read: choice(EXPORT_FORMATS),
  },
  "--output <file>": {
    en: "write to this file, in the format of its ending .csv, .xlsx or .json; - is standard output (default)",
    el: "γράφει σε αυτό το αρχείο, στη μορφή της κατάληξής του .csv, .xlsx ή .json· το - είναι η τυπική έξοδος (αν λείπει)",
  },
};

/** Throws a usage error for flags that contradict each other, and for another ending. */
export function chooseFormat({ output, format, isJson }: FormatFlags): ExportFormat {
  if (isJson && format !== undefined && format !== "json")
    throw contradiction("--json", `--format ${format}`);
  const asked = isJson ? "json" : format;
  const ending = endingOf(output);
  if (ending === undefined) return asked ?? "csv";
  if (asked !== undefined && asked !== ending)
    throw contradiction(format === undefined ? "--json" : `--format ${format}`, `--output ….${ending}`);
  return ending;
}

/** Undefined for standard output and for a name without an ending. */
function endingOf(output: string | undefined): ExportFormat | undefined {
  if (output === undefined || output === "-") return undefined;
  const ending = extname(basename(output)).slice(1).toLowerCase();
  if (ending === "") return undefined;
  const format = EXPORT_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new UsageError({
    en: "--output takes a file name that ends in .csv, .xlsx or .json",
    el: "η --output δέχεται όνομα αρχείου που τελειώνει σε .csv, .xlsx ή .json",
  });
}
