/** Makes a backup as a command or the schedule requests it: to a file, or to a folder that keeps the newest ones. */
import { basename } from "node:path";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { loadMasterKeys } from "../../keys/master-key.ts";
import { API_VERSION } from "../../foundation/version.ts";
import { findFreePath, exists } from "./backup-files.ts";
import { type Backup, makeBackup } from "./make-backup.ts";
import { backupName, backupOwner, isFolder, removeOldBackups } from "./backup-names.ts";
import { refuseOwnFile } from "./own-files.ts";
import { readPassphrase } from "./passphrase.ts";

export interface BackupRequest {
  config: Config;
  clock: Clock;
  /** Absolute path of a file, or of a folder, which exists or ends with a slash; undefined for `backup.directory`. */
  target: string | undefined;
  force: boolean;
  /** Absolute path; undefined for `backup.passphrase_file`. */
  passphraseFile: string | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** `removed` has the names of old backups that were removed. */
export type BackupMade = Backup & { removed: string[] };

/**
 * Throws what `makeBackup` throws, ConfigurationError if there is no database or no usable passphrase, and `validation_failed`
 * if the backup would replace one of the appliance's own files.
 */
export async function backUp(request: BackupRequest): Promise<BackupMade> {
  const { config, clock } = request;
  const { database } = config.storage;
  if (!(await exists(database)))
    throw new ConfigurationError({
      en: `There is no database at ${database}; name its folder with --data-dir`,
      el: `Δεν υπάρχει βάση στο ${database}· δώστε τον φάκελό της με --data-dir`,
    });
  const passphrase = await passphraseOf(config, request.passphraseFile);
  const place = request.target ?? config.backup.directory;
  const inFolder = request.target === undefined || (await isFolder(place));
  const nowMs = clock.nowMs();
  const owner = inFolder ? await backupOwner(database) : undefined;
  const target =
    owner === undefined
      ? place
      : await findFreePath(place, backupName(nowMs, owner.tag, passphrase !== null));
  await refuseOwnFile(config, target, request.passphraseFile ?? config.backup.passphraseFile);
  const made = await makeBackup({
    database,
    readMasterKeys: () => masterKeysOf(config),
    target,
    force: request.force,
    passphrase,
    program: API_VERSION,
    nowMs,
    onProgress: request.onProgress,
  });
  // Old backups are removed only from the configured folder, and only those of this appliance.
  const { directory, keep } = config.backup;
  const removed =
    place === directory && owner !== undefined
      ? await removeOldBackups(place, { keep, owner }, basename(target))
      : [];
  return { ...made, removed };
}

/** Unlike at a first start, a missing key is a ConfigurationError: the database already has one. */
export function masterKeysOf({ security }: Config): Buffer[] {
  return loadMasterKeys(security, true);
}

/** Returns null if neither a flag nor the configuration names a file. */
export async function passphraseOf(config: Config, given: string | undefined): Promise<string | null> {
  const file = given ?? config.backup.passphraseFile;
  return file === "" ? null : readPassphrase(file);
}
