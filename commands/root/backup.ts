/** `fiscal backup FILE` and `fiscal backup verify FILE`: copies of the database, also while it is in use. */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { BackupMade } from "../../src/upkeep/backup/backup-places.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { asUsageError } from "../input.ts";
import { tell } from "../io.ts";
import { withExample } from "../options.ts";
import { backupFields, unpackedFields, unpackedObject } from "../ui/backup-view.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";
import { printFields } from "../ui/table.ts";

interface BackupOptions {
  force?: boolean;
  passphraseFile?: string;
}

interface VerifyOptions {
  passphraseFile?: string;
  withoutChecksum?: boolean;
}

const NOTES = `
Works beside a running server. FILE is a database that any SQLite tool opens, with a checksum behind it; into a folder
(DIR/, or without FILE that of the configuration's backup.directory) it is named by the time. The copy is opened and
checked before it takes its place. The master key is never in it: keep a copy of the key elsewhere, without it a backup
cannot be restored.`;

export const KEY_REMINDER =
  "The master key is not in the backup: keep a copy of it elsewhere, without it this cannot be restored.";

export function defineBackup(command: Command, context: CommandContext): void {
  withExample(
    command
      .argument("[file]", "the backup, or a folder for it")
      .option("--force", "replace a file that is there")
      .option("--passphrase-file <file>", "encrypt it with the first line of this file")
      .addHelpText("after", NOTES)
      .action((file: string | undefined, options: BackupOptions) =>
        context.end(runBackup(context, file, options)),
      ),
    "fiscal backup fiscal-today.db",
    "fiscal backup backups/ --passphrase-file passphrase.txt",
  );
  withExample(
    command
      .command("verify <file>")
      .description("look whether a backup could be restored, and change nothing")
      .option("--passphrase-file <file>", "of an encrypted one")
      .option("--without-checksum", "take a copy of the database that another tool made")
      .action((file: string, _own: VerifyOptions, verb: Command) =>
        // --passphrase-file is the noun's own too, and which of the two takes it is commander's affair.
        context.end(runVerify(context, file, verb.optsWithGlobals<VerifyOptions>())),
      ),
    "fiscal backup verify fiscal-yesterday.db",
  );
}

async function runBackup(
  context: CommandContext,
  file: string | undefined,
  options: BackupOptions,
): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  // An empty name is a variable of a script that is not set, and not the present folder.
  if (file === "" || (file === undefined && config.backup.directory === ""))
    throw new UsageError("the file is missing; name one, or set backup.directory in the configuration");
  const { backUp } = await import("../../src/upkeep/backup/backup-places.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  const progress = await startProgress(io, "copying");
  let made: BackupMade;
  try {
    made = await backUp({
      config,
      clock: createClock(),
      target: file === undefined ? undefined : atEnd(file, resolve(io.cwd, file)),
      force: options.force === true,
      passphraseFile: options.passphraseFile && resolve(io.cwd, options.passphraseFile),
      onProgress: progress.update,
    });
  } catch (error) {
    throw asUsageError(error, file ?? config.backup.directory);
  } finally {
    progress.stop();
  }
  const { manifest, file: target, bytes, encrypted, sha256, removed } = made;
  if (context.options.json === true)
    await printJson(io.stdout, {
      ...manifest,
      file: target,
      file_bytes: bytes,
      file_sha256: sha256,
      encrypted,
      removed,
    });
  else await printFields(io, backupFields(made));
  await tell(io, KEY_REMINDER);
  return EXIT.done;
}

/** `resolve` takes the slash away that says that it is a folder. */
function atEnd(given: string, resolved: string): string {
  return /[/\\]$/.test(given) ? `${resolved}/` : resolved;
}

async function runVerify(context: CommandContext, file: string, options: VerifyOptions): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  const { verifyBackup } = await import("../../src/upkeep/backup/verify-backup.ts");
  const { passphraseOf } = await import("../../src/upkeep/backup/backup-places.ts");
  const given = options.passphraseFile && resolve(io.cwd, options.passphraseFile);
  const path = resolve(io.cwd, file);
  const verified = await verifyBackup(config, {
    file: path,
    passphrase: await passphraseOf(config, given),
    withoutChecksum: options.withoutChecksum === true,
  });
  if (context.options.json === true)
    await printJson(io.stdout, {
      ...unpackedObject(path, verified),
      sound: true,
      key_tried: verified.keyTried,
    });
  else await printFields(io, unpackedFields(path, verified));
  await tell(
    io,
    verified.keyTried
      ? "It is sound, and the master key here belongs to it."
      : "It is sound. Whether the master key belongs to it was not tried: there is none here.",
  );
  return EXIT.done;
}
