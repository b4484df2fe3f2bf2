/** `fiscal merchants settings`: shows a merchant's settings for the mode, or replaces all of them. */
import type { Command } from "commander";
import { getSettings, putSettings } from "../../src/merchants/settings.ts";
import type { CommandContext } from "../context.ts";
import { readJsonInput } from "../input.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { findMerchant } from "./find-merchant.ts";

export function defineSettings(command: Command, context: CommandContext): void {
  command
    .option(
      "--file <file>",
      context.inLanguage({
        en: "the new settings; - is standard input",
        el: "οι νέες ρυθμίσεις· το - είναι η τυπική είσοδος",
      }),
    )
    .action((name: string, { file }: { file?: string }) =>
      context.end(showOrReplaceSettings(context, name, file)),
    );
  addExamples(
    command,
    context,
    "fiscal merchants settings shop --json > settings.json",
    "fiscal merchants settings shop --file settings.json",
    "fiscal merchants settings shop --live --file settings.json",
  );
}

/** Prints JSON with and without `--json`, because settings are nested. */
async function showOrReplaceSettings(
  context: CommandContext,
  name: string,
  file: string | undefined,
): Promise<void> {
  const body = file === undefined ? undefined : await readJsonInput(context.io, file);
  const settings = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, name);
    return body === undefined ? getSettings(appliance, id, mode) : putSettings(appliance, id, body, mode);
  });
  await printJson(context.io, settings);
}
