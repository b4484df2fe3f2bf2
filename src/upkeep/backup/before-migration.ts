/** Backs up the database before a migration, which cannot be undone. Needed to go back to an older version. */
import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ReadMasterKeys } from "../../../storage/encryption/key-ring.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema-version.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../journal/context.ts";
import { AppError, ConfigurationError } from "../../foundation/errors.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";
import { API_VERSION } from "../../foundation/version.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import { findFreePath } from "./backup-files.ts";
import { makeBackup } from "./make-backup.ts";
import { instantInName } from "./backup-names.ts";
import { readTrailer } from "./manifest.ts";

/**
 * Makes `backups/before-schema-N-….db` in the data directory, which is never removed automatically. Throws ConfigurationError
 * if that fails; then nothing is migrated.
 */
export async function backUpBeforeMigration(
  { config, clock, log }: { config: Config; clock: Clock; log: Log },
  readMasterKeys: ReadMasterKeys,
): Promise<void> {
  const nowMs = clock.nowMs();
  const folder = join(config.dataDir, "backups");
  try {
    const { file, manifest } = await makeBackup({
      database: config.storage.database,
      readMasterKeys,
      target: await findFreePath(folder, `before-schema-${SCHEMA_VERSION}-${instantInName(nowMs)}.db`),
      force: false,
      passphrase: null,
      program: API_VERSION,
      nowMs,
    });
    await removeDuplicates(folder, file, manifest.sha256);
    log.info({ file }, "backed up the database before migrating its schema");
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigurationError(
      {
        en:
          `The database must be backed up before its schema is migrated, and the backup failed: ${reason.en}. Nothing was ` +
          `changed; make room in ${folder} or make it writable, then start again`,
        el:
          `Πριν αναβαθμιστεί το σχήμα της βάσης πρέπει να γίνει αντίγραφο, και το αντίγραφο απέτυχε: ${reason.el}. Δεν άλλαξε ` +
          `τίποτα· ελευθερώστε χώρο στο ${folder} ή δώστε δικαίωμα εγγραφής, και ξεκινήστε ξανά`,
      },
      { cause: error },
    );
  }
}

function reasonOf(error: unknown): Text {
  if (error instanceof AppError || error instanceof ConfigurationError) return error.text;
  return sameInBoth(error instanceof Error ? error.message : String(error));
}

/**
 * Removes backups with the same content as `file`. If a long migration is killed and started again and again, they would fill
 * the disk.
 */
async function removeDuplicates(folder: string, file: string, sha256: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (!NAME_FORM.test(name) || other === file) continue;
    if ((await readChecksum(other)) === sha256) await rm(other, { force: true });
  }
}

const NAME_FORM = /^before-schema-\d+-\d{8}T\d{6}Z(-\d+)?\.db$/;

/** Returns the checksum in the manifest of a backup; undefined if it has none, or is gone. */
async function readChecksum(file: string): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const trailer = await readTrailer(handle);
    return trailer.kind === "manifest" ? trailer.manifest.sha256 : undefined;
  } finally {
    await handle.close();
  }
}
