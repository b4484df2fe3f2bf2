/** Names the files of backups and writes them atomically: a draft is written and synced in the same folder, then renamed in one step. */
import { randomBytes, hash } from "node:crypto";
import { createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { chown, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { syncFolder } from "../../../storage/files/folder.ts";
import { codeOf } from "../../../storage/database/errors.ts";
import { AppError, ConfigurationError } from "../../foundation/errors.ts";
import { findAppliance } from "../../../storage/upkeep/appliance-state.ts";
import { inspectDatabase } from "../../../storage/sqlite/inspection.ts";

const DRAFT_FORM = /^\.fiscal-draft-(\d+)-[0-9a-f]{16}(-journal|-wal|-shm)?$/;
/** Older drafts are stale even if a process has their id: no backup takes this long. */
const STALE_MS = 86_400_000;

/** Returns a new name for a draft in `folder`. It contains the process id. */
export function newDraftPath(folder: string): string {
  return join(folder, `.fiscal-draft-${process.pid}-${randomBytes(8).toString("hex")}`);
}

/** Creates the draft, readable only by its owner; with no pieces it is empty. */
export async function writeDraft(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  draft: string,
): Promise<void> {
  await pipeline(pieces, createWriteStream(draft, { flags: "wx", mode: 0o600 }));
}

export async function removeDraft(draft: string): Promise<void> {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(draft + suffix, { force: true });
}

/** Removes the drafts of processes that were killed. */
export async function removeStaleDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = DRAFT_FORM.exec(name)?.[1];
    if (pid === undefined) continue;
    const file = join(folder, name);
    const { mtimeMs = Infinity } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (!isAlive(Number(pid)) || Date.now() - mtimeMs > STALE_MS) await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, and belongs to another user.
    return codeOf(error) === "EPERM";
  }
}

/** Error codes of file systems and containers without hard links. */
export const NO_LINKS_CODES: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

/**
 * Renames `draft`, which must be synced to disk, to `target`. Without `force`, throws `already_exists` instead of replacing a
 * file, even one that was created a moment ago.
 */
export async function moveIntoPlace(draft: string, target: string, force: boolean): Promise<void> {
  if (force) await rename(draft, target);
  else await moveIfFree(draft, target);
  syncFolder(dirname(target));
}

async function moveIfFree(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "EEXIST" || (NO_LINKS_CODES.has(code) && exists(target))) throw fileExists(target);
    if (!NO_LINKS_CODES.has(code)) throw error;
    await rename(draft, target);
    return;
  }
  await rm(draft);
}

export function fileExists(target: string): AppError {
  return new AppError("already_exists", {
    en: `${target} already exists; name another file`,
    el: `Το ${target} υπάρχει ήδη· δώστε άλλο αρχείο`,
    next: { operation: "replaceFile" },
  });
}

/** Throws if the folder may not be searched. */
export function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Turns the error of a full disk into a ConfigurationError. Returns other errors unchanged. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  if (codeOf(error) !== "ENOSPC" && codeOf(error) !== "SQLITE_FULL") return error;
  return new ConfigurationError(
    {
      en: `There is no room left on the disk of ${folder}; nothing was changed`,
      el: `Δεν υπάρχει χώρος στον δίσκο του ${folder}· δεν άλλαξε τίποτα`,
    },
    { cause: error },
  );
}

/** If root restores, the file gets the owner of its folder: the server runs as that user. */
export async function giveToFolderOwner(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid);
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns the first free path in `folder`: `copy.db`, `copy-2.db` and so on. */
export function findFreePath(folder: string, name: string): string {
  const { name: stem, ext: extension } = parse(name);
  for (let count = 1; ; count += 1) {
    const file = join(folder, count === 1 ? name : `${stem}-${count}${extension}`);
    if (!exists(file)) return file;
  }
}

/** `20261121T090000Z`. */
export function instantInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** The appliance whose backups are in a folder, perhaps among those of others. */
type BackupOwner = Awaited<ReturnType<typeof backupOwner>>;

/**
 * A restore and a resumption give the database a new tag: the appliance that the backup came from may still exist, and
 * the backups that it keeps are not this one's to remove.
 */
export async function backupOwner(database: string) {
  const inspection = inspectDatabase(database);
  try {
    const appliance = await findAppliance(inspection.session);
    const { created_at, backup_at, resumed_at, state } = appliance ?? {};
    return {
      /** Eight hexadecimal digits in the names of its backups. */
      tag: hash("sha256", [created_at, backup_at, resumed_at].join(" ")).slice(0, 8),
      /** Whether it is held after a restore. Until `fiscal resume`, every appliance restored from that backup has this tag. */
      isHeld: state === "held",
    };
  } finally {
    inspection.close();
  }
}

/** `fiscal-20261121T090000Z-1a2b3c4d.db`. */
export function backupName(nowMs: number, tag: string, encrypted: boolean): string {
  return `fiscal-${instantInName(nowMs)}-${tag}.${encrypted ? "backup" : "db"}`;
}

/** Matches only names from `backupName` with this tag: other files in the folder are never removed. */
function nameForm(tag: string): RegExp {
  return new RegExp(`^fiscal-\\d{8}T\\d{6}Z-${tag}(-\\d+)?\\.(db|backup)$`);
}

/** Whether `path` is an existing folder, or ends with a slash. */
export function isFolder(path: string): boolean {
  return /[/\\]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function listBackups(folder: string, tag: string): Promise<string[]> {
  const [names, form] = [await readdir(folder), nameForm(tag)];
  return names.filter((name) => form.test(name)).sort();
}

/**
 * Removes the oldest backups of `owner` until `keep` are left, and returns their names. 0 keeps all, and so does a held
 * appliance. Never removes `made`, the backup just made: if the clock was once ahead, older backups may have later names.
 */
export async function removeOldBackups(
  folder: string,
  { keep, owner }: { keep: number; owner: BackupOwner },
  made: string,
): Promise<string[]> {
  if (keep === 0 || owner.isHeld) return [];
  const others = (await listBackups(folder, owner.tag)).filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}
