/** `fiscal documents export`: its flags. What it does is loaded when it runs. */
import type { Command } from "commander";
import { DOCUMENT_STATUSES } from "../../../storage/stored-values.ts";
import type { CommandContext } from "../../context.ts";
import { choice, choices, day, withExample } from "../../options.ts";
import type { ExportOptions } from "./run-export.ts";
import { DECIMALS, EXPORT_FORMATS, SEPARATORS } from "./words.ts";

const NOTES = `
Amounts stand as the documents state them. The column counts says how a row goes into the totals: 1, -1 for a credit
note (5.1, 5.2), 0 for one that is cancelled or was not issued.`;

export function defineExport(noun: Command, context: CommandContext): void {
  const command = noun
    .command("export")
    .description("the documents of a span of issue dates, a row each, with totals: for the books")
    .option("--from <day>", "first issue date, in Athens", day("--from"))
    .option("--to <day>", "last issue date", day("--to"))
    .option("--merchant <merchant>", "of this merchant: id or external id")
    .option("--type <type>", "of this document type, for example 1.1")
    .option(
      "--status <status>",
      `${DOCUMENT_STATUSES.join(", ")}; several with commas (default issued, with the cancelled ones)`,
      choices("--status", DOCUMENT_STATUSES),
    )
    .option(
      "--format <format>",
      `${EXPORT_FORMATS.join(", ")} (default csv)`,
      choice("--format", EXPORT_FORMATS),
    )
    .option("--output <file>", "write to this file; - is standard output (default)")
    .option("--totals <file>", "write the totals of a CSV to this file, too")
    .option(
      "--separator <word>",
      `of a CSV: ${SEPARATORS.join(", ")} (default semicolon)`,
      choice("--separator", SEPARATORS),
    )
    .option(
      "--decimal <word>",
      `sign of a CSV: ${DECIMALS.join(", ")} (default comma)`,
      choice("--decimal", DECIMALS),
    )
    .addHelpText("after", NOTES)
    .action(async (options: ExportOptions) => {
      const { runExport } = await import("./run-export.ts");
      await context.end(runExport(context, options));
    });
  withExample(
    command,
    "fiscal --live documents export --from 2026-10-01 --to 2026-10-31 --output october.csv",
    "fiscal --live documents export --from 2026-10-01 --to 2026-10-31 --format xlsx --output october.xlsx",
  );
}
