/** A migration cannot be taken back: before it the database is kept as it is, for those who must go back a version. */
import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ReadMasterKeys } from "../../../storage/key-ring.ts";
import { SCHEMA_VERSION } from "../../../storage/schema-version.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../journal/context.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { API_VERSION } from "../../foundation/version.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { freeName } from "./backup-files.ts";
import { makeBackup } from "./make-backup.ts";
import { instantInName } from "./backup-names.ts";
import { readTrailer } from "./trailer.ts";

/**
 * Makes `backups/before-schema-N-….db` in the data directory; nothing removes it. Throws ConfigurationError where it cannot be
 * made: then nothing is migrated.
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
      target: await freeName(folder, `before-schema-${SCHEMA_VERSION}-${instantInName(nowMs)}.db`),
      force: false,
      passphrase: null,
      program: API_VERSION,
      nowMs,
    });
    await removeTwins(folder, file, manifest.sha256);
    log.info({ file }, "kept the database as it was before its schema is brought up");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `The database must be backed up before its schema is brought up, and the backup could not be made: ${reason}. ` +
        `Nothing was changed; make room in ${folder} or let it be written, then start again`,
      { cause: error },
    );
  }
}

/**
 * Removes those that hold, byte for byte, what `file` does: a start that is killed in the middle of a long migration, and
 * begun again and again, would fill the disk with them.
 */
async function removeTwins(folder: string, file: string, sha256: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (!NAME_FORM.test(name) || other === file) continue;
    if ((await readChecksum(other)) === sha256) await rm(other, { force: true });
  }
}

const NAME_FORM = /^before-schema-\d+-\d{8}T\d{6}Z(-\d+)?\.db$/;

/** The checksum that a backup says of itself; undefined where it says none, or is gone. */
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
