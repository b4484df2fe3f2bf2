/** Makes a backup as a command or the schedule requests it: to a file, or to a folder that keeps the newest ones. */
import { basename, dirname, join } from "node:path";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";
import { ConfigurationError, validationError } from "../../foundation/errors.ts";
import { loadMasterKeys, newKeyFile } from "../../keys/key-files.ts";
import {
  findFreePath,
  exists,
  newDraftPath,
  removeDraft,
  removeStaleDrafts,
  backupName,
  backupOwner,
  isFolder,
  removeOldBackups,
} from "./backup-files.ts";
import { makeBackup } from "./make-backup.ts";
import { mkdtemp, rmdir } from "node:fs/promises";
import { readFirstLine } from "../../foundation/trusted-file.ts";
import { existsSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Source, unpack } from "./restore-backup.ts";
import type { Text } from "../../foundation/text.ts";

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
export type BackupMade = Awaited<ReturnType<typeof backUp>>;

/**
 * Throws what `makeBackup` throws, ConfigurationError if there is no database or no usable passphrase, and `validation_failed`
 * if the backup would replace one of the appliance's own files.
 */
export async function backUp(request: BackupRequest) {
  const { config, clock } = request;
  const { database } = config.storage;
  if (!exists(database))
    throw new ConfigurationError({
      en: `There is no database at ${database}; name its folder`,
      el: `Δεν υπάρχει βάση στο ${database}· δώστε τον φάκελό της`,
      next: { operation: "chooseDataFolder" },
    });
  const passphrase = passphraseOf(config, request.passphraseFile);
  const place = request.target ?? config.backup.directory;
  const inFolder = request.target === undefined || isFolder(place);
  const nowMs = clock.nowMs();
  const owner = inFolder ? await backupOwner(database) : undefined;
  const target =
    owner === undefined ? place : findFreePath(place, backupName(nowMs, owner.tag, passphrase !== null));
  refuseOwnFile(config, target, request.passphraseFile ?? config.backup.passphraseFile);
  const made = await makeBackup({
    database,
    readMasterKeys: () => masterKeysOf(config),
    target,
    force: request.force,
    passphrase,
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

/** Shorter passphrases can be guessed. */
const CHARACTERS_MIN = 8;

/**
 * Returns null if neither a flag nor the configuration names a file. Throws ConfigurationError, which never contains the content of
 * the file.
 */
export function passphraseOf(config: Config, given: string | undefined): string | null {
  const file = given ?? config.backup.passphraseFile;
  if (file === "") return null;
  const line = readFirstLine(file, { en: "The passphrase file", el: "Το αρχείο του συνθηματικού" });
  if ([...line].length >= CHARACTERS_MIN) return line;
  throw new ConfigurationError({
    en: `The first line of the passphrase file ${file} must have at least ${CHARACTERS_MIN} characters`,
    el: `Η πρώτη γραμμή του αρχείου συνθηματικού ${file} πρέπει να έχει τουλάχιστον ${CHARACTERS_MIN} χαρακτήρες`,
  });
}

/** `keyTried` is false if this machine has no master key. */
export async function verifyBackup(config: Config, source: Omit<Source, "masterKeys">) {
  const hasKey = config.security.masterKey !== null || existsSync(config.security.masterKeyFile);
  const masterKeys = hasKey ? masterKeysOf(config) : null;
  const unpacked = await withDraft(dirname(config.storage.database), (draft) =>
    unpack({ ...source, masterKeys }, draft),
  );
  return { ...unpacked, keyTried: hasKey };
}

/** The draft is beside the database, which is not encrypted either; on another machine, in a temporary folder. */
async function withDraft<T>(folder: string, work: (draft: string) => Promise<T>): Promise<T> {
  const own = existsSync(folder) ? undefined : await mkdtemp(join(tmpdir(), "fiscal-verify-"));
  if (own === undefined) await removeStaleDrafts(folder);
  const draft = newDraftPath(own ?? folder);
  try {
    return await work(draft);
  } finally {
    await removeDraft(draft);
    if (own !== undefined) await rmdir(own);
  }
}

/**
 * Throws `validation_failed` if `target` is the database, one of SQLite's files beside it, a current or retired master key, the
 * configuration or the passphrase, by name or through a link; and if it is a device, socket or folder.
 */
function refuseOwnFile(config: Config, target: string, passphraseFile: string): void {
  const refuse = (message: Text) => validationError([{ path: "file", message }]);
  if (statSync(target, { throwIfNoEntry: false })?.isFile() === false) throw refuse(isNotAFile(target));
  const identity = identityOf(target);
  const own = [...ownFiles(config), ...(passphraseFile === "" ? [] : [passphraseFile])];
  const retired = `${resolveFolder(config.security.masterKeyFile)}.retired-`;
  if (own.some((file) => identityOf(file) === identity) || resolveFolder(target).startsWith(retired))
    throw refuse(isOwnFile(target));
}

function ownFiles({ storage: { database }, security: { masterKeyFile }, file }: Config): string[] {
  const besideDatabase = ["", "-wal", "-shm", "-journal"].map((suffix) => database + suffix);
  return [...besideDatabase, masterKeyFile, newKeyFile(masterKeyFile), ...(file === null ? [] : [file])];
}

/** Follows the links in the path of the file's folder. The file itself need not exist. */
function resolveFolder(file: string): string {
  const folder = dirname(file);
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file));
}

/** The same for all names of a file; of one that does not exist, its path. */
function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? resolveFolder(file) : `${found.dev} ${found.ino}`;
}

const isNotAFile = (target: string): Text => ({
  en: `${target} is not a regular file; name another one`,
  el: `το ${target} δεν είναι κανονικό αρχείο· δώστε άλλο`,
});

const isOwnFile = (target: string): Text => ({
  en: `${target} belongs to this appliance and is never replaced; name another file`,
  el: `το ${target} ανήκει σε αυτή την εγκατάσταση και δεν αντικαθίσταται ποτέ· δώστε άλλο αρχείο`,
});
