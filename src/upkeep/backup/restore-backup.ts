/**
 * Restores a backup. A draft beside the database is checked, migrated and held, then renamed in one step. If the process is
 * killed at any moment, the database is either the old or the new one.
 */
import { existsSync, linkSync, renameSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { finishCopy, withSoleUse } from "../../../storage/sqlite/copy.ts";
import { findAppliance } from "../../../storage/upkeep/diagnosis.ts";
import { makePath, syncFolder } from "../../../storage/files/folder.ts";
import { hold } from "../../../storage/upkeep/held.ts";
import { LOWEST_ID_BODY, msOfIdBody } from "../../../storage/database/ids.ts";
import { openStore } from "../../../storage/sqlite/open-sqlite.ts";
import type { Session } from "../../../storage/database/session.ts";
import { stateFileIn } from "../../../storage/database/lost-writes.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import { AppError } from "../../foundation/errors.ts";
import {
  newDraftPath,
  exists,
  explainFullDisk,
  findFreePath,
  giveToFolderOwner,
  NO_LINKS_CODES,
  moveIntoPlace,
  removeDraft,
  removeStaleDrafts,
  syncFile,
  instantInName,
} from "./backup-files.ts";
import { type Source, unpack, type Unpacked } from "./unpack.ts";

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

export interface Restored extends Unpacked {
  /** The path where the replaced database is kept; null if there was none. */
  keptAside: string | null;
}

/**
 * Throws `already_exists` if there is a database and `replace` is false, `invalid_state` if it is in use, and ConfigurationError
 * if the backup cannot be restored here. After an error, nothing has changed.
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const hasDatabase = await exists(order.database);
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
  moveLogs(database, await asideName(database, nowMs));
  await moveIntoPlace(draft, database, false);
}

/** Gives the old database a second name, then renames the new one over the first, so that the path always exists. */
async function replaceDatabase(database: string, draft: string, nowMs: number): Promise<string> {
  const aside = await asideName(database, nowMs);
  const isDone = withSoleUse(database, () => {
    moveLogs(database, aside);
    addName(database, aside);
    renameSync(draft, database);
  });
  if (!isDone) throw databaseInUse(database);
  syncFolder(dirname(database));
  return aside;
}

function asideName(database: string, nowMs: number): Promise<string> {
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
