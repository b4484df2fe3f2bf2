/** Making folders. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "./errors.ts";
import { describeSystemError } from "./system-errors.ts";

/**
 * Makes `folder` (absolute) and what of its path is missing, for its owner only. Throws StorageError that names the part
 * that stands in the way. One step at a time: Node 24's own `recursive` never returns where the system says that a part is
 * missing although its parent is there, as /proc does; look again before going back to it.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts may have made it since.
    if (isFolder(folder)) return;
    throw new StorageError(
      `The folder ${folder} cannot be made: ${describeSystemError(error)}; ${ELSEWHERE}`,
      {
        cause: error,
      },
    );
  }
}

const ELSEWHERE = "name another place with --data-dir";

/** False where there is nothing, or nothing that may be seen. Throws StorageError where something else is in the place. */
function isFolder(path: string): boolean {
  let isThere: boolean | undefined;
  try {
    isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  } catch {
    // What hides it shows when it is made.
    return false;
  }
  if (isThere === false) throw new StorageError(`${path} is a file, where a folder is needed; ${ELSEWHERE}`);
  return isThere === true;
}
