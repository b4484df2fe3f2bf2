/** `fiscal restore FILE`: a backup becomes the database, held until `fiscal resume`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { asUsageError } from "../input.ts";
import { tell } from "../io.ts";
import { withExample } from "../options.ts";
import { unpackedFields, unpackedObject } from "../ui/backup-view.ts";
import { printJson } from "../ui/json.ts";
import { confirmed } from "../ui/prompt.ts";
import { printFields } from "../ui/table.ts";

interface RestoreOptions {
  yes?: boolean;
  replace?: boolean;
  passphraseFile?: string;
  withoutChecksum?: boolean;
}

const NOTES = `
Refused are a file that is damaged, of a newer version, or of another master key, and a database that is in use. A database
that is there gives way with --replace only, and is kept under a dated name. What is restored is held: it reads, and sends
nothing until \`fiscal resume\`, because the appliance that the backup was taken of may still be at work.`;

const NEXT_STEPS = `Held: it reads, and sends nothing. When the other appliance is off for good: fiscal resume
Look at the counters first (fiscal numbering show): they are as old as the backup. \`fiscal numbering set\` raises one.`;

export function defineRestore(command: Command, context: CommandContext): void {
  withExample(
    command
      .argument("<file>", "the backup")
      .option("--yes", "do not ask")
      .option("--replace", "take the place of a database that is there; it is kept under a dated name")
      .option("--passphrase-file <file>", "of an encrypted backup")
      .option("--without-checksum", "take a copy of the database that another tool made")
      .addHelpText("after", NOTES)
      .action((file: string, options: RestoreOptions) => context.end(runRestore(context, file, options))),
    "fiscal restore fiscal-yesterday.db --replace --yes",
  );
}

async function runRestore(context: CommandContext, file: string, options: RestoreOptions): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  const { database } = config.storage;
  const question =
    options.replace === true && existsSync(database)
      ? `Put the backup in the place of ${database}? It is kept under another name.`
      : `Restore the backup to ${database}?`;
  if (!(await confirmed(io, options.yes, question))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { restoreBackup } = await import("../../src/upkeep/backup/restore-backup.ts");
  const { masterKeysOf, passphraseOf } = await import("../../src/upkeep/backup/backup-places.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  const given = options.passphraseFile && resolve(io.cwd, options.passphraseFile);
  const path = resolve(io.cwd, file);
  const order = {
    file: path,
    passphrase: await passphraseOf(config, given),
    withoutChecksum: options.withoutChecksum === true,
    masterKeys: masterKeysOf(config),
    database,
    replace: options.replace === true,
    nowMs: createClock().nowMs(),
  };
  const restored = await restoreBackup(order).catch((error: unknown) => {
    throw asUsageError(error, database);
  });
  const { keptAside } = restored;
  if (context.options.json === true) {
    const backup = unpackedObject(path, restored);
    await printJson(io.stdout, {
      object: "restoration",
      database,
      held: true,
      kept_aside: keptAside,
      backup,
    });
  } else {
    await printFields(io, [
      ["database", database],
      ...(keptAside === null ? [] : [["kept aside", keptAside] as const]),
      ...unpackedFields(path, restored),
    ]);
  }
  await tell(io, NEXT_STEPS);
  return EXIT.done;
}
