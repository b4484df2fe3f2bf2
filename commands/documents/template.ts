/** `fiscal documents template`: writes an example file to start from. See docs/contract.md#templates. */
import { TYPE_WORDS } from "../../src/domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import { createClock } from "../../src/foundation/clock.ts";
import { buildCsvTemplate, buildJsonTemplate, type TemplateOptions } from "../../src/intake/template.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { outputSettingsOf } from "../io.ts";
import { named } from "../named-code.ts";
import { startOutput } from "../output-file.ts";
import { chooseFormat, FORMAT_FLAGS } from "./export/export-format.ts";
import type { ExportFormat } from "./export/words.ts";
import { verb } from "../define.ts";

interface TemplateFlags {
  type?: string;
  format?: ExportFormat;
  /** A path, or `-`. */
  output?: string;
}

export const defineTemplate = verb({
  flags: {
    "--type <type>": {
      en: "document type, for example 1.1 (by default the file has all types)",
      el: "τύπος παραστατικού, για παράδειγμα 1.1 (αν λείπει, το αρχείο έχει όλους τους τύπους)",
    },
    ...FORMAT_FLAGS,
  },
  examples: [
    "fiscal documents template --output documents.xlsx",
    "fiscal documents template --type 1.1 > documents.csv",
    "fiscal --lang el documents template --output timologia.csv",
  ],
  run: writeTemplate,
});

/** Needs no appliance: apart from today's date, a template is always the same. */
async function writeTemplate(context: CommandContext, flags: TemplateFlags): Promise<void> {
  const { io } = context;
  const type = flags.type === undefined ? undefined : named(DOCUMENT_TYPES, TYPE_WORDS)("--type")(flags.type);
  const format = chooseFormat({ ...flags, isJson: context.options.json === true });
  if (format === "xlsx" && io.stdout.isTTY === true && (flags.output ?? "-") === "-")
    throw new UsageError({
      en: "a workbook is not for a terminal: give a file with --output, or use a pipe",
      el: "ένα βιβλίο εργασίας δεν είναι για τερματικό: δώστε αρχείο με --output ή στείλτε το σε σωλήνα",
    });
  const content = await contentOf(context, format, { type, today: createClock().today() });
  const output = await startOutput(io, flags.output);
  try {
    await output.write(content);
    await output.finish();
  } finally {
    await output.discard();
  }
}

async function contentOf(
  { io }: CommandContext,
  format: ExportFormat,
  options: TemplateOptions,
): Promise<string | Uint8Array> {
  const { language } = outputSettingsOf(io);
  if (format === "json") return buildJsonTemplate(options);
  if (format === "csv") return buildCsvTemplate(options, language);
  const { buildTemplateWorkbook } = await import("./template-workbook.ts");
  return buildTemplateWorkbook(options, language);
}
