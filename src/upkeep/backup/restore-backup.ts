/**
 * Reads a backup: decrypts it, verifies its checksum, then reads every page of the database in it. To restore it, a draft beside the
 * database is checked, migrated and held, then renamed in one step. If the process is killed at any moment, the database is either the old
 * or the new one.
 */
import { createReadStream, existsSync, linkSync, renameSync, statSync } from "node:fs";
import { type FileHandle, open, realpath, rm, truncate } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { copyDatabase, finishCopy, withSoleUse } from "../../../storage/sqlite/file-use.ts";
import { makePath, syncFolder } from "../../../storage/files/folder.ts";
import { findAppliance, hold } from "../../../storage/upkeep/appliance-state.ts";
import { LOWEST_ID_BODY, msOfIdBody } from "../../../storage/database/ids.ts";
import { openStore } from "../../../storage/sqlite/open-sqlite.ts";
import type { Session } from "../../../storage/database/session.ts";
import { stateFileIn } from "../../../storage/database/lost-writes.ts";
import { AppError, ConfigurationError } from "../../foundation/errors.ts";
import { explainUnreadable } from "../../foundation/trusted-file.ts";
import {
  exists,
  explainFullDisk,
  findFreePath,
  giveToFolderOwner,
  instantInName,
  moveIntoPlace,
  newDraftPath,
  NO_LINKS_CODES,
  removeDraft,
  removeStaleDrafts,
  syncFile,
  writeDraft,
} from "./backup-files.ts";
import { codeOf, isStorageFailure, StorageError } from "../../../storage/database/errors.ts";
import { type Content, examineDatabase, hashFile } from "./backup-content.ts";
import { decrypt, isEncrypted, type Manifest, readTrailer, UnreadableBackup } from "./backup-format.ts";
import type { Text } from "../../foundation/text.ts";

export interface Source {
  /** Absolute path of the backup. */
  file: string;
  /** For encrypted backups; null if none was given. */
  passphrase: string | null;
  /** Accepts a plain database file that another tool copied, which has no checksum. */
  withoutChecksum: boolean;
  /** If null, it is not checked whether one of them is the right key. */
  masterKeys: readonly Uint8Array[] | null;
}

/** `manifest` is null for a copy by another tool. */
export type Unpacked = Awaited<ReturnType<typeof unpack>>;

/**
 * Writes the database in the backup to the new file `draft`, readable only by its owner, verifies its checksum, and reads all of
 * it. Throws ConfigurationError if anything is wrong with the file.
 */
export async function unpack(source: Source, draft: string) {
  const { file } = source;
  const encrypted = await startsEncrypted(file);
  const whole = encrypted ? draft : file;
  if (encrypted) await writeDecrypted(source, draft);
  const manifest = await readManifest(whole, source, encrypted);
  if (manifest === null) await copyWithLog(file, draft);
  else if (encrypted) await truncate(draft, manifest.bytes);
  else await writeDraft(createReadStream(file, { end: manifest.bytes - 1 }), draft);
  // Verifies the draft rather than the source, which may change, or be read wrongly once.
  if (manifest !== null && (await hashFile(draft)) !== manifest.sha256) throw changed(file);
  const content = await examineDatabase(draft, { path: file }, source.masterKeys);
  if (manifest !== null && !isSame(content, manifest)) throw changed(file);
  return { content, manifest, encrypted };
}

/** Throws ConfigurationError if `file` does not exist or cannot be read. */
export async function requireBackupFile(file: string): Promise<void> {
  await startsEncrypted(file);
}

async function startsEncrypted(file: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    throw unreadable(file, explainUnreadable(error), error);
  }
  try {
    if (!(await handle.stat()).isFile())
      throw unreadable(file, { en: "it is not a file", el: "δεν είναι αρχείο" });
    const start = Buffer.alloc(16);
    await handle.read(start, 0, start.length, 0);
    return isEncrypted(start);
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, reason: Text, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    {
      en: `The backup ${file} cannot be read: ${reason.en}`,
      el: `Το αντίγραφο ${file} δεν διαβάζεται: ${reason.el}`,
    },
    { cause },
  );
}

async function writeDecrypted({ file, passphrase }: Source, draft: string): Promise<void> {
  if (passphrase === null) {
    throw new ConfigurationError({
      en: `${file} is encrypted; name the file of its passphrase in backup.passphrase_file`,
      el: `Το ${file} είναι κρυπτογραφημένο· δώστε το αρχείο του συνθηματικού στο backup.passphrase_file`,
      next: { operation: "givePassphrase" },
    });
  }
  try {
    await writeDraft(decrypt(createReadStream(file), passphrase), draft);
  } catch (error) {
    if (!(error instanceof UnreadableBackup)) throw error;
    throw new ConfigurationError(
      {
        en: `${file} cannot be decrypted: the passphrase is wrong, or the file is damaged`,
        el: `Το ${file} δεν αποκρυπτογραφείται: το συνθηματικό είναι λάθος ή το αρχείο έχει φθαρεί`,
      },
      { cause: error },
    );
  }
}

async function readManifest(
  whole: string,
  { file, withoutChecksum }: Source,
  encrypted: boolean,
): Promise<Manifest | null> {
  const trailer = await readTrailer(whole);
  if (trailer.kind === "manifest") return trailer.manifest;
  if (trailer.kind === "newer")
    throw new ConfigurationError({
      en: `${file} was made by a newer fiscal, in a form that this one cannot read; install that version or a newer one`,
      el: `Το ${file} έγινε από νεότερη έκδοση του fiscal, σε μορφή που αυτή δεν διαβάζει· εγκαταστήστε εκείνη ή νεότερη`,
    });
  if (trailer.kind === "broken" || encrypted) throw changed(file);
  if (withoutChecksum) return null;
  throw new ConfigurationError({
    en:
      `${file} does not end like a backup of fiscal: it is truncated, or another tool made it; only a copy made ` +
      "in another way may be accepted without a checksum",
    el:
      `Το ${file} δεν τελειώνει όπως ένα αντίγραφο του fiscal: έχει κοπεί ή το έφτιαξε άλλο εργαλείο· μόνο αντίγραφο ` +
      "που έγινε με άλλον τρόπο μπορεί να γίνει δεκτό χωρίς άθροισμα ελέγχου",
    next: { operation: "acceptWithoutChecksum" },
  });
}

/** Copies a plain database together with its log, if it has one or is in use: the log contains the latest writes. */
async function copyWithLog(file: string, draft: string): Promise<void> {
  if (!hasLog(file)) return writeDraft(createReadStream(file), draft);
  // Created before SQLite does, so that only its owner can read it.
  await writeDraft([], draft);
  try {
    await copyDatabase(file, draft);
  } catch (error) {
    if (!(error instanceof StorageError) && !isStorageFailure(error)) throw error;
    throw new ConfigurationError(
      {
        en: `${file} cannot be read together with the log beside it; copy both into a writable folder, and try again`,
        el: `Το ${file} δεν διαβάζεται μαζί με το αρχείο καταγραφής δίπλα του· αντιγράψτε και τα δύο σε φάκελο με δικαίωμα εγγραφής και δοκιμάστε ξανά`,
      },
      { cause: error },
    );
  }
}

function hasLog(file: string): boolean {
  const logs = [`${file}-wal`, `${file}-journal`];
  return logs.some((log) => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

function isSame(content: Content, manifest: Manifest): boolean {
  const { schema, counts, last_event } = manifest;
  return (
    content.schema === schema &&
    content.last_event === last_event &&
    Object.entries(content.counts).every(([table, rows]) => counts[table] === rows)
  );
}

function changed(file: string): ConfigurationError {
  return new ConfigurationError({
    en: `${file} has changed since it was made: its checksum is wrong; use another backup`,
    el: `Το ${file} έχει αλλάξει από τότε που έγινε: το άθροισμα ελέγχου του είναι λάθος· χρησιμοποιήστε άλλο αντίγραφο`,
  });
}

export interface RestoreOrder extends Source {
  masterKeys: readonly Uint8Array[];
  /** Absolute path of the database. */
  database: string;
  /** Replaces an existing database, which is kept under another name. */
  replace: boolean;
  /** Of the machine that remembers the replaced database. */
  dataDir: string;
  nowMs: number;
}

/**
 * Throws `already_exists` if there is a database and `replace` is false, `invalid_state` if it is in use, and ConfigurationError
 * if the backup cannot be restored here. After an error, nothing has changed. `keptAside` is the path where the replaced database is kept;
 * null if there was none.
 */
export async function restoreBackup(order: RestoreOrder) {
  const hasDatabase = exists(order.database);
  // A database may be a link to another disk. The link is kept.
  const database = hasDatabase ? await realpath(order.database) : order.database;
  if (hasDatabase && !order.replace) throw databaseExists(database);
  // Fails early if the database is in use; it is checked again when it is replaced.
  if (hasDatabase && !withSoleUse(database, () => {})) throw databaseInUse(database);
  const folder = dirname(database);
  makePath(folder);
  await removeStaleDrafts(folder);
  const draft = newDraftPath(folder);
  try {
    const unpacked = await unpack(order, draft);
    await prepareDraft(order, draft, unpacked.manifest?.created ?? null);
    await giveToFolderOwner(folder, draft);
    const keptAside = hasDatabase ? await replaceDatabase(database, draft, order.nowMs) : null;
    if (!hasDatabase) await putInPlace(draft, database, order.nowMs);
    await rm(stateFileIn(order.dataDir), { force: true });
    return { ...unpacked, keptAside };
  } catch (error) {
    throw explainFullDisk(error, folder);
  } finally {
    await removeDraft(draft);
  }
}

/** Opens the draft as a start would, so that a database that cannot start is never put in place. */
async function prepareDraft(order: RestoreOrder, draft: string, backupAt: string | null): Promise<void> {
  const { masterKeys, nowMs } = order;
  const store = await openStore({ file: draft, masterKey: () => masterKeys, nowMs: () => nowMs });
  try {
    await store.write(async (trx) => hold(trx, { backupAt: backupAt ?? (await lastWriteAt(trx)) }));
  } finally {
    await store.close();
  }
  finishCopy(draft);
  await syncFile(draft);
}

/** Returns the time of the newest row, for copies without a manifest. */
async function lastWriteAt(session: Session): Promise<string> {
  const appliance = await findAppliance(session);
  return new Date(msOfIdBody(appliance?.last_id ?? LOWEST_ID_BODY)).toISOString();
}

async function putInPlace(draft: string, database: string, nowMs: number): Promise<void> {
  // SQLite would apply a log that was left without its database to the new one.
  moveLogs(database, asideName(database, nowMs));
  await moveIntoPlace(draft, database, false);
}

/** Gives the old database a second name, then renames the new one over the first, so that the path always exists. */
async function replaceDatabase(database: string, draft: string, nowMs: number): Promise<string> {
  const aside = asideName(database, nowMs);
  const isDone = withSoleUse(database, () => {
    moveLogs(database, aside);
    addName(database, aside);
    renameSync(draft, database);
  });
  if (!isDone) throw databaseInUse(database);
  syncFolder(dirname(database));
  return aside;
}

function asideName(database: string, nowMs: number): string {
  const stem = basename(database).replace(/\.db$/, "");
  return findFreePath(dirname(database), `${stem}-before-restore-${instantInName(nowMs)}.db`);
}

/** Logs remain only if the database is too damaged to write them back. */
function moveLogs(database: string, aside: string): void {
  for (const suffix of ["-wal", "-shm", "-journal"])
    if (existsSync(database + suffix)) renameSync(database + suffix, aside + suffix);
}

function addName(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch (error) {
    if (!NO_LINKS_CODES.has(codeOf(error) ?? "")) throw error;
    renameSync(file, second);
  }
}

function databaseExists(database: string): AppError {
  return new AppError("already_exists", {
    en: `There is a database at ${database}; a restore would keep it under another name; allow that`,
    el: `Υπάρχει βάση στο ${database}· η επαναφορά θα την κρατούσε με άλλο όνομα· επιτρέψτε το`,
    next: { operation: "replaceDatabase" },
  });
}

function databaseInUse(database: string): AppError {
  return new AppError("invalid_state", {
    en: `The database ${database} is in use by a server or another command; stop it, then restore`,
    el: `Τη βάση ${database} τη χρησιμοποιεί διακομιστής ή άλλη εντολή· σταματήστε τα και επαναφέρετε ξανά`,
  });
}
