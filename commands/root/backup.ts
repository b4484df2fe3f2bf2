/** `fiscal backup`: copies the database, also while it is in use. */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Text } from "../../src/foundation/text.ts";
import type { BackupMade } from "../../src/upkeep/backup/backup-places.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { asUsageError } from "../input.ts";
import { printNote } from "../io.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { backupFields } from "../ui/backup-view.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";
import { printFields } from "../ui/table.ts";
import { verb } from "../define.ts";

interface BackupOptions {
  force?: boolean;
  passphraseFile?: string;
}

const NOTES: Text = {
  en: `Works while a server is running. FILE is a database that any SQLite tool opens, followed by a checksum. In a folder (DIR/,
or backup.directory of the configuration when FILE is omitted) the backup is named after the time. It is opened and
checked before it gets its final name. It never contains the master key: keep a copy of the key elsewhere, because a
backup cannot be restored without it.`,
  el: `Λειτουργεί δίπλα σε διακομιστή που τρέχει. Το FILE είναι βάση που ανοίγει κάθε εργαλείο SQLite, με άθροισμα ελέγχου στο
τέλος της· μέσα σε φάκελο (DIR/, ή χωρίς FILE εκείνον του backup.directory των ρυθμίσεων) παίρνει όνομα από την ώρα. Το
αντίγραφο ανοίγεται και ελέγχεται πριν μπει στη θέση του. Το κύριο κλειδί δεν περιέχεται ποτέ: κρατήστε αλλού αντίγραφό
του, χωρίς αυτό δεν γίνεται επαναφορά.`,
};

const KEY_REMINDER: Text = {
  en: "The backup does not contain the master key. Keep a copy of the key elsewhere: the backup cannot be restored without it.",
  el: "Το κύριο κλειδί δεν είναι στο αντίγραφο: κρατήστε το και αλλού, χωρίς αυτό δεν γίνεται επαναφορά.",
};

const VERIFY: LazyCommand = {
  name: "verify",
  arguments: "<file>",
  summary: {
    en: "check whether a backup can be restored, without changing anything",
    el: "ελέγχει αν ένα αντίγραφο μπορεί να επαναφερθεί, χωρίς να αλλάξει τίποτα",
  },
  load: async () => (await import("./backup-verify.ts")).defineVerify,
};

const defineOwn = verb({
  argument: ["[file]", { en: "the backup, or a folder for it", el: "το αντίγραφο, ή ένας φάκελος για αυτό" }],
  flags: {
    "--force": { en: "replace an existing file", el: "αντικαθιστά αρχείο που υπάρχει ήδη" },
    "--passphrase-file <file>": {
      en: "encrypt it with the first line of this file",
      el: "το κρυπτογραφεί με την πρώτη γραμμή αυτού του αρχείου",
    },
  },
  notes: NOTES,
  examples: ["fiscal backup fiscal-today.db", "fiscal backup backups/ --passphrase-file passphrase.txt"],
  run: runBackup,
});

export function defineBackup(command: Command, context: CommandContext): void {
  defineOwn(command, context);
  addCommands(command, context, [VERIFY]);
}

async function runBackup(
  context: CommandContext,
  file: string | undefined,
  options: BackupOptions,
): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  // An empty name is probably an unset variable of a script, and does not mean the current folder.
  if (file === "" || (file === undefined && config.backup.directory === ""))
    throw new UsageError({
      en: "the file is missing; name one, or set backup.directory in the configuration",
      el: "λείπει το αρχείο· δώστε ένα, ή ορίστε το backup.directory στις ρυθμίσεις",
    });
  const { requireDatabaseFile } = await import("../../src/config/addresses.ts");
  requireDatabaseFile(config.storage, { en: "backup", el: "Η backup" });
  const { backUp } = await import("../../src/upkeep/backup/backup-places.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  const progress = await startProgress(io, { en: "copying", el: "αντιγραφή" });
  let made: BackupMade;
  try {
    made = await backUp({
      config,
      clock: createClock(),
      target: file === undefined ? undefined : keepTrailingSlash(file, resolve(io.cwd, file)),
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
    await printJson(io, {
      ...manifest,
      file: target,
      file_bytes: bytes,
      file_sha256: sha256,
      encrypted,
      removed,
    });
  else await printFields(io, backupFields(made));
  await printNote(io, KEY_REMINDER);
  return EXIT.done;
}

/** Adds the trailing slash that marks a folder, which `resolve` removes. */
function keepTrailingSlash(given: string, resolved: string): string {
  return /[/\\]$/.test(given) ? `${resolved}/` : resolved;
}
