/** `fiscal documents template`: prints an example file to start from. */
import type { Command } from "commander";
import { TYPE_WORDS } from "../../src/domain/code-words.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import { createClock } from "../../src/foundation/clock.ts";
import { buildTemplate } from "../../src/intake/template.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { write } from "../io.ts";
import { named } from "../named-code.ts";
import { addExamples, choice } from "../options.ts";

const FORMATS = ["csv", "json"] as const;
type TemplateFormat = (typeof FORMATS)[number];

interface TemplateOptions {
  type?: string;
  format?: TemplateFormat;
}

export function defineTemplate(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  command
    .option(
      "--type <type>",
      inLanguage({
        en: "document type, for example 1.1 (by default a CSV has all types)",
        el: "τύπος παραστατικού, για παράδειγμα 1.1 (αν λείπει, το CSV έχει όλους τους τύπους)",
      }),
    )
    .option(
      "--format <format>",
      inLanguage({ en: "csv (default) or json", el: "csv (αν λείπει) ή json" }),
      choice("--format", FORMATS),
    )
    .action((options: TemplateOptions) => context.end(printTemplate(context, options)));
  addExamples(command, context, "fiscal documents template --type 1.1 > documents.csv");
}

/** Needs no appliance: apart from today's date, a template is always the same. */
async function printTemplate(context: CommandContext, options: TemplateOptions): Promise<void> {
  const type =
    options.type === undefined ? undefined : named("--type", DOCUMENT_TYPES, TYPE_WORDS)(options.type);
  const today = createClock().today();
  await write(context.io.stdout, buildTemplate({ type, format: formatOf(context, options), today }));
}

/** `--json` means the same as `--format json`. */
function formatOf(context: CommandContext, { format }: TemplateOptions): TemplateFormat {
  const isJson = context.options.json === true;
  if (isJson && format === "csv")
    throw new UsageError({
      en: "--json and --format csv contradict each other",
      el: "οι --json και --format csv αντιφάσκουν μεταξύ τους",
    });
  return isJson ? "json" : (format ?? "csv");
}
