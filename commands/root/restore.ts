/** `fiscal restore`: makes a backup the database, which sends nothing until `fiscal resume`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Text } from "../../src/foundation/text.ts";
import type { Unpacked } from "../../src/upkeep/backup/restore-backup.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { asUsageError } from "../input.ts";
import { printNote } from "../io.ts";
import { PASSPHRASE_FILE, unpackedFields, unpackedObject, WITHOUT_CHECKSUM } from "./backup.ts";
import { printJson } from "../ui/json.ts";
import type { Row } from "../../src/operations/view.ts";
import { printFields } from "../ui/table.ts";
import { verb } from "../define.ts";
import { confirmChange, YES } from "../confirmation.ts";

interface RestoreOptions {
  yes?: boolean;
  replace?: boolean;
  passphraseFile?: string;
  withoutChecksum?: boolean;
}

const NOTES: Text = {
  en: `Rejects a file that is damaged, from a newer version or made with another master key, and a database that is in use. An
existing database is replaced only with --replace, and kept under a dated name. The restored database is on hold: it can be
read, but sends nothing until \`fiscal resume\`, because the installation that made the backup may still be running.`,
  el: `Δεν γίνεται δεκτό αρχείο κατεστραμμένο, νεότερης έκδοσης ή άλλου κύριου κλειδιού, ούτε βάση που χρησιμοποιείται. Βάση που
υπάρχει αντικαθίσταται μόνο με --replace, και κρατιέται με όνομα που έχει ημερομηνία. Ό,τι επανέρχεται μένει σε αναμονή:
διαβάζει, και δεν στέλνει τίποτα μέχρι τη \`fiscal resume\`, γιατί η εγκατάσταση του αντιγράφου ίσως δουλεύει ακόμη.`,
};

const NEXT_STEPS: Text = {
  en: `On hold: it can be read, but sends nothing. Once the other installation is permanently off, run: fiscal resume
First look at the counters (fiscal numbering show): they are as old as the backup. \`fiscal numbering set\` raises one.`,
  el: `Σε αναμονή: διαβάζει, και δεν στέλνει τίποτα. Όταν η άλλη εγκατάσταση έχει σταματήσει οριστικά: fiscal resume
Δείτε πρώτα τους μετρητές (fiscal numbering show): είναι τόσο παλιοί όσο το αντίγραφο. Η \`fiscal numbering set\` ανεβάζει έναν.`,
};

export const defineRestore = verb({
  argument: ["<file>", { en: "the backup", el: "το αντίγραφο" }],
  flags: {
    ...YES,
    "--replace": {
      en: "replace an existing database, which is kept under a dated name",
      el: "παίρνει τη θέση βάσης που υπάρχει· εκείνη κρατιέται με όνομα που έχει ημερομηνία",
    },
    "--passphrase-file <file>": PASSPHRASE_FILE,
    "--without-checksum": WITHOUT_CHECKSUM,
  },
  notes: NOTES,
  examples: ["fiscal restore fiscal-yesterday.db --replace --yes"],
  run: runRestore,
});

async function runRestore(context: CommandContext, file: string, options: RestoreOptions): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  const { database } = config.storage;
  const path = resolve(io.cwd, file);
  const { requireDatabaseFile } = await import("../../src/config/addresses.ts");
  requireDatabaseFile(config.storage, { en: "restore", el: "Η restore" });
  const { requireBackupFile } = await import("../../src/upkeep/backup/restore-backup.ts");
  await requireBackupFile(path);
  const willReplace = options.replace === true && existsSync(database);
  if (!(await confirmChange(context, options, willReplace ? askReplace(database) : askRestore(database))))
    return EXIT.failure;
  const { restoreBackup } = await import("../../src/upkeep/backup/restore-backup.ts");
  const { masterKeysOf, passphraseOf } = await import("../../src/upkeep/backup/backup-places.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  const given = options.passphraseFile && resolve(io.cwd, options.passphraseFile);
  const order = {
    file: path,
    passphrase: await passphraseOf(config, given),
    withoutChecksum: options.withoutChecksum === true,
    masterKeys: masterKeysOf(config),
    database,
    replace: options.replace === true,
    dataDir: config.dataDir,
    nowMs: createClock().nowMs(),
  };
  const restored = await restoreBackup(order).catch((error: unknown) => {
    throw asUsageError(error, database);
  });
  await present(context, path, database, restored);
  await printNote(io, NEXT_STEPS);
  return EXIT.done;
}

function askReplace(database: string): Text {
  return {
    en: `Replace ${database} with the backup? It is kept under another name.`,
    el: `Να μπει το αντίγραφο στη θέση της ${database}; Εκείνη κρατιέται με άλλο όνομα.`,
  };
}

function askRestore(database: string): Text {
  return {
    en: `Restore the backup to ${database}?`,
    el: `Να επανέλθει το αντίγραφο στη θέση ${database};`,
  };
}

async function present(
  { io, options }: CommandContext,
  file: string,
  database: string,
  restored: Unpacked & { keptAside: string | null },
): Promise<void> {
  const { keptAside } = restored;
  if (options.json === true)
    return printJson(io, {
      object: "restoration",
      database,
      held: true,
      kept_aside: keptAside,
      backup: unpackedObject(file, restored),
    });
  const replaced: Row[] = keptAside === null ? [] : [[{ en: "old database", el: "παλιά βάση" }, keptAside]];
  await printFields(io, [
    [{ en: "database", el: "βάση δεδομένων" }, database],
    ...replaced,
    ...unpackedFields(file, restored),
  ]);
}
