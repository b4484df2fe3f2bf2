/** `fiscal init`: the data directory, the master key and the database, before anything else needs them. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { tell } from "../io.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { confirmed } from "../ui/prompt.ts";
import { printFields } from "../ui/table.ts";

export function defineInit(command: Command, context: CommandContext): void {
  withExample(
    command
      .option("--yes", "do not ask")
      .action((options: { yes?: boolean }) => context.end(runInit(context, options.yes))),
    "fiscal --data-dir ./data init --yes",
  );
}

async function runInit(context: CommandContext, yes: boolean | undefined): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  const isNew = !existsSync(config.storage.database);
  if (isNew && !(await confirmed(io, yes, `Make the database ${config.storage.database}?`))) {
    await tell(io, "Nothing was made.");
    return EXIT.failure;
  }
  // Opening makes what is missing and refuses what does not fit together.
  await context.withAppliance(async () => {});
  const made = {
    data_dir: config.dataDir,
    database: config.storage.database,
    master_key: config.security.masterKey === null ? config.security.masterKeyFile : "FISCAL_MASTER_KEY",
    created: isNew,
  };
  if (context.options.json === true) {
    await printJson(io.stdout, made);
    return EXIT.done;
  }
  await printFields(io, [
    ["data directory", made.data_dir],
    ["database", made.database],
    ["master key", made.master_key],
  ]);
  await tell(io, isNew ? NEXT_STEPS : "It was there already and is in order; nothing was changed.");
  return EXIT.done;
}

const NEXT_STEPS = `Ready. Keep the master key apart from the backups of the database: each is of no use without the other.
Next: fiscal merchants add --external-id shop --name "…" --tax-id …, then fiscal keys create --mode test --name shop`;
