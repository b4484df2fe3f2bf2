/** The format of exports and templates: by the ending of `--output`, otherwise by `--format` or `--json`, otherwise CSV. */
import { basename, extname } from "node:path";
import type { CommandContext } from "../../context.ts";
import { UsageError } from "../../exit.ts";
import { choice, contradiction } from "../../options.ts";
import type { Flags, OptionsOf } from "../../define.ts";

const EXPORT_FORMATS = ["csv", "xlsx", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const formats = EXPORT_FORMATS.join(", ");

export const FORMAT_FLAGS = {
  "--format <format>": {
    en: `${formats}; needed only if the name in --output does not end in one of them (default csv)`,
    el: `${formats}· χρειάζεται μόνο αν το όνομα της --output δεν τελειώνει έτσι (αν λείπει: csv)`,
    read: choice(EXPORT_FORMATS),
  },
  "--output <file>": {
    en: "write to this file, in the format of its ending .csv, .xlsx or .json; - is standard output (default)",
    el: "γράφει σε αυτό το αρχείο, στη μορφή της κατάληξής του .csv, .xlsx ή .json· το - είναι η τυπική έξοδος (αν λείπει)",
  },
} satisfies Flags;

/** Throws a usage error for flags that contradict each other, another ending, and a workbook on a terminal. */
export function chooseFormat(
  { io, options }: CommandContext,
  { output = "-", format }: OptionsOf<typeof FORMAT_FLAGS>,
): ExportFormat {
  const isJson = options.json === true;
  if (isJson && format !== undefined && format !== "json")
    throw contradiction("--json", `--format ${format}`);
  const asked = isJson ? "json" : format;
  const ending = endingOf(output);
  if (asked === "xlsx" && output === "-" && io.stdout.isTTY === true)
    throw new UsageError({
      en: "a workbook is not for a terminal: give a file with --output, or use a pipe",
      el: "ένα βιβλίο εργασίας δεν είναι για τερματικό: δώστε αρχείο με --output ή στείλτε το σε σωλήνα",
    });
  if (ending === undefined) return asked ?? "csv";
  if (asked !== undefined && asked !== ending)
    throw contradiction(format === undefined ? "--json" : `--format ${format}`, `--output ….${ending}`);
  return ending;
}

/** Undefined for standard output and for a name without an ending. */
function endingOf(output: string): ExportFormat | undefined {
  if (output === "-") return undefined;
  const ending = extname(basename(output)).slice(1).toLowerCase();
  if (ending === "") return undefined;
  const format = EXPORT_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new UsageError({
    en: "--output takes a file name that ends in .csv, .xlsx or .json",
    el: "η --output δέχεται όνομα αρχείου που τελειώνει σε .csv, .xlsx ή .json",
  });
}
