/**
 * Taking a backup back. The database is made ready beside its place (checked, brought to this version, held) and takes the
 * place in one step: killed at any moment, what is there is the old one or the new one.
 */
import { existsSync, linkSync, renameSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { sealCopy, withSoleUse } from "../../../storage/copy.ts";
import { findAppliance } from "../../../storage/diagnosis.ts";
import { makePath, syncFolder } from "../../../storage/folder.ts";
import { hold } from "../../../storage/held.ts";
import { LOWEST_ID_BODY, msOfIdBody } from "../../../storage/ids.ts";
import { openStore } from "../../../storage/open.ts";
import type { Session } from "../../../storage/session.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { AppError } from "../../foundation/errors.ts";
import {
  draftIn,
  exists,
  explainFull,
  freeName,
  giveToOwnerOf,
  HAS_NO_LINKS,
  place,
  removeDraft,
  removeStaleDrafts,
  syncFile,
} from "./backup-files.ts";
import { instantInName } from "./backup-names.ts";
import { type Source, unpack, type Unpacked } from "./unpack.ts";

export interface RestoreOrder extends Source {
  masterKeys: readonly Uint8Array[];
  /** Absolute path of the database. */
  database: string;
  /** Take the place of a database that is there; it is kept under another name. */
  replace: boolean;
  nowMs: number;
}

export interface Restored extends Unpacked {
  /** Where the database is now that was there before; null where there was none. */
  keptAside: string | null;
}

/**
 * Throws `already_exists` where a database is there that is not to be replaced, `invalid_state` where it is in use, and
 * ConfigurationError where the backup cannot be restored here. Then nothing is changed.
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const isThere = await exists(order.database);
  // A link to another disk stays one.
  const database = isThere ? await realpath(order.database) : order.database;
  if (isThere && !order.replace) throw databaseIsThere(database);
  // Before the work is done: it is refused again at its end.
  if (isThere && !withSoleUse(database, () => {})) throw isInUse(database);
  const folder = dirname(database);
  makePath(folder);
  await removeStaleDrafts(folder);
  const draft = draftIn(folder);
  try {
    const unpacked = await unpack(order, draft);
    await makeReady(order, draft, unpacked.manifest?.created ?? null);
    await giveToOwnerOf(folder, draft);
    const keptAside = isThere ? await exchange(database, draft, order.nowMs) : null;
    if (!isThere) await placeFirst(draft, database, order.nowMs);
    return { ...unpacked, keptAside };
  } catch (error) {
    throw explainFull(error, folder);
  } finally {
    await removeDraft(draft);
  }
}

/** Opened as a start would, so that what cannot be started is not put in its place. */
async function makeReady(order: RestoreOrder, draft: string, backupAt: string | null): Promise<void> {
  const { masterKeys, nowMs } = order;
  const store = await openStore({ file: draft, masterKey: () => masterKeys, nowMs: () => nowMs });
  try {
    await store.write(async (trx) => hold(trx, backupAt ?? (await lastWrite(trx))));
  } finally {
    await store.close();
  }
  sealCopy(draft);
  await syncFile(draft);
}

/** A copy that does not say when it was made is as old as the newest that was written in it. */
async function lastWrite(session: Session): Promise<string> {
  const appliance = await findAppliance(session);
  return new Date(msOfIdBody(appliance?.last_id ?? LOWEST_ID_BODY)).toISOString();
}

async function placeFirst(draft: string, database: string, nowMs: number): Promise<void> {
  // A log that was left without its database would be taken for the new one's.
  moveLogs(database, await asideName(database, nowMs));
  await place(draft, database, false);
}

/** The old database gets a second name, then the new one takes the first: the place is never empty. */
async function exchange(database: string, draft: string, nowMs: number): Promise<string> {
  const aside = await asideName(database, nowMs);
  const isDone = withSoleUse(database, () => {
    moveLogs(database, aside);
    nameTwice(database, aside);
    renameSync(draft, database);
  });
  if (!isDone) throw isInUse(database);
  syncFolder(dirname(database));
  return aside;
}

function asideName(database: string, nowMs: number): Promise<string> {
  const stem = basename(database).replace(/\.db$/, "");
  return freeName(dirname(database), `${stem}-before-restore-${instantInName(nowMs)}.db`);
}

/** There are some only where the database is too damaged to fold them in. */
function moveLogs(database: string, aside: string): void {
  for (const suffix of ["-wal", "-shm", "-journal"])
    if (existsSync(database + suffix)) renameSync(database + suffix, aside + suffix);
}

function nameTwice(file: string, second: string): void {
  try {
    linkSync(file, second);
  } catch (error) {
    if (!HAS_NO_LINKS.has(codeOf(error) ?? "")) throw error;
    renameSync(file, second);
  }
}

function databaseIsThere(database: string): AppError {
  return new AppError(
    "already_exists",
    `There is a database at ${database}; with --replace it is kept under another name and the backup takes its place`,
  );
}

function isInUse(database: string): AppError {
  return new AppError(
    "invalid_state",
    `The database ${database} is in use by a server or another command; stop it, then restore`,
  );
}
