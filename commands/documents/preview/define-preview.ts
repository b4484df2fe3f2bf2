/** `fiscal documents preview`: its flags. What it does is loaded when it runs. */
import type { Command } from "commander";
import { PROVIDERS } from "../../../storage/stored-values.ts";
import { FORMATS } from "../batch/file-format.ts";
import type { CommandContext } from "../../context.ts";
import { choice, integer, withExample } from "../../options.ts";
import type { PreviewOptions } from "./run-preview.ts";

const SHOWN_MAX = 100_000;

const NOTES = `
FILE holds the canonical document itself, a body that has it under document, or several: .json, .ndjson, .csv, .xlsx.
Exit: 2 when a document does not fit. --json prints the API's object, or a list of them for several documents.`;

export function definePreview(noun: Command, context: CommandContext): void {
  const command = noun
    .command("preview <file>")
    .description("show what would be sent, and why it would be so; nothing is sent or stored")
    .option("--provider <provider>", "in this provider's format", choice("--provider", PROVIDERS))
    .option("--merchant <merchant>", "who issues it, where the file does not say: id or external id")
    .option(
      "--format <format>",
      `${FORMATS.join(", ")}; otherwise by the name of the file`,
      choice("--format", FORMATS),
    )
    .option("--map <file>", "TOML: what the columns and values of .csv and .xlsx files mean")
    .option("--no-map", "read without the map that is remembered for the merchant")
    .option("--sheet <name>", "the sheet of a workbook; otherwise the first one")
    .option("--payload", "show what the provider would receive, too")
    .option(
      "--limit <n>",
      "of several documents the first n (default 20, with --json all)",
      integer("--limit", 1, SHOWN_MAX),
    )
    .addHelpText("after", NOTES)
    .action(async (file: string, options: PreviewOptions) => {
      const { runPreview } = await import("./run-preview.ts");
      await context.end(runPreview(context, file, options));
    });
  withExample(
    command,
    "fiscal documents preview document.json --payload",
    "fiscal documents preview documents.csv --merchant shop --limit 3",
  );
}
