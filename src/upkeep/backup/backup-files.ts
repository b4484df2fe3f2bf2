/** Files that are written whole: a draft beside the place, on disk before it takes the place, in one step. */
import { randomBytes } from "node:crypto";
import { chown, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolder } from "../../../storage/folder.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { AppError, ConfigurationError } from "../../foundation/errors.ts";

const DRAFT_FORM = /^\.fiscal-draft-(\d+)-[0-9a-f]{16}(-journal|-wal|-shm)?$/;
/** Whatever its process: nothing takes that long. */
const STALE_MS = 86_400_000;

/** A name for a draft in `folder`; it tells whose it is. */
export function draftIn(folder: string): string {
  return join(folder, `.fiscal-draft-${process.pid}-${randomBytes(8).toString("hex")}`);
}

/** Takes a draft away, with what SQLite may have put beside it. */
export async function removeDraft(draft: string): Promise<void> {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(draft + suffix, { force: true });
}

/** Takes away what processes left that were killed at it. */
export async function removeStaleDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = DRAFT_FORM.exec(name)?.[1];
    if (pid === undefined) continue;
    const file = join(folder, name);
    if (!isAlive(Number(pid)) || (await isOld(file))) await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's is alive too.
    return codeOf(error) === "EPERM";
  }
}

async function isOld(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > STALE_MS;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Where hard links are not to be had: some file systems, some containers. */
export const HAS_NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

/**
 * Gives `draft`, which is on disk, the name `target`. Without `force` a file that is there already is never replaced, not even
 * one that came a moment ago: then `already_exists`.
 */
export async function place(draft: string, target: string, force: boolean): Promise<void> {
  if (force) await rename(draft, target);
  else await placeNew(draft, target);
  syncFolder(dirname(target));
}

async function placeNew(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "EEXIST" || (HAS_NO_LINKS.has(code) && (await exists(target)))) throw isThere(target);
    if (!HAS_NO_LINKS.has(code)) throw error;
    await rename(draft, target);
    return;
  }
  await rm(draft);
}

export function isThere(target: string): AppError {
  return new AppError(
    "already_exists",
    `${target} is there already; name another file, or replace it with --force`,
  );
}

export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** A full disk, as the person who makes room reads it; other errors stay as they are. */
export function explainFull(error: unknown, folder: string): unknown {
  if (codeOf(error) !== "ENOSPC" && codeOf(error) !== "SQLITE_FULL") return error;
  return new ConfigurationError(`There is no room left on the disk of ${folder}; nothing was changed`, {
    cause: error,
  });
}

/** Restored by root, the file is still for whoever the folder is of: the server runs as that user. */
export async function giveToOwnerOf(folder: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid);
}

/** Puts the file's bytes on disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `copy-2.db` for the second `copy.db`: the first name in `folder` that is free. */
export async function freeName(folder: string, name: string): Promise<string> {
  const [stem, extension] = splitName(name);
  for (let count = 1; ; count += 1) {
    const file = join(folder, count === 1 ? name : `${stem}-${count}${extension}`);
    if (!(await exists(file))) return file;
  }
}

function splitName(name: string): [stem: string, extension: string] {
  const dot = basename(name).lastIndexOf(".");
  return dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}
