/** Making folders, and having what was made in them stay. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "./errors.ts";
import { codeOf, describeSystemError } from "./system-errors.ts";

/**
 * Makes `folder` (absolute) and what of its path is missing, for its owner only unless `mode` says otherwise. Throws what the
 * system says, with the `path` of the part that it says it of. One step at a time: Node 24's own `recursive` never returns
 * where the system says that a part is missing although its parent is there, as /proc does; look again before going back to it.
 */
export function makePath(folder: string, mode = 0o700): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makePath(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process that starts may have made it since.
    if (!isFolder(folder)) throw error;
  }
}

const ELSEWHERE = "name another place with --data-dir";

/** The same for the data directory: throws StorageError that names the part that stands in the way. */
export function makeFolder(folder: string): void {
  try {
    makePath(folder);
  } catch (error) {
    const part = error instanceof Error && "path" in error ? String(error.path) : folder;
    const message =
      codeOf(error) === "EEXIST" && isThere(part)
        ? `${part} is a file, where a folder is needed`
        : `The folder ${part} cannot be made: ${describeSystemError(error)}`;
    throw new StorageError(`${message}; ${ELSEWHERE}`, { cause: error });
  }
}

/** False where there is something else or nothing, or nothing that may be seen: what hides it shows when it is made. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** False for a link that leads nowhere, or in a circle. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** A name that was made or moved in `folder` is safe from a power cut once this is back. */
export function syncFolder(folder: string): void {
  // Windows opens no folder, and keeps names in order by itself.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
