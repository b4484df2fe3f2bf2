/** The place of the data: fit for a database before anything is made in it. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { requireAccess } from "../../../storage/examine.ts";
import { makeFolder } from "../../../storage/folder.ts";
import { StorageError } from "../../../storage/errors.ts";
import { networkFileSystemOf } from "./file-system.ts";

/**
 * Makes the folder of `database` (absolute path) where it is not there. Throws StorageError where it cannot be made or
 * written, and where it lies on another machine: the database's log needs memory that all its processes share, and locks
 * that hold, and a network file system gives neither.
 */
export function preparePlace(database: string): void {
  const folder = dirname(database);
  const type = findNetworkFileSystem(folder);
  if (type !== undefined) {
    throw new StorageError({
      en:
        `The folder ${folder} is on a network file system (${type}), where a database loses its locks and then its data; ` +
        "name a folder on a local disk with --data-dir, and copy backups to the network instead",
      el:
        `Ο φάκελος ${folder} είναι σε δικτυακό σύστημα αρχείων (${type}), όπου η βάση χάνει τα κλειδώματα και έπειτα τα ` +
        "δεδομένα της· δώστε φάκελο σε τοπικό δίσκο με --data-dir και αντιγράφετε στο δίκτυο μόνο αντίγραφα ασφαλείας",
    });
  }
  makeFolder(folder);
  requireAccess(folder, { en: "The folder", el: "Ο φάκελος" });
}

/** The network file system that `path`, or what there is of its path, lies on; undefined for a local one, or an unknown. */
export function findNetworkFileSystem(path: string): string | undefined {
  const there = realpathSync.native(firstThere(path));
  if (process.platform === "win32") return there.startsWith("\\\\") ? "a network share" : undefined;
  const mounts = readMounts();
  return mounts === undefined ? undefined : networkFileSystemOf(there, mounts);
}

function firstThere(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : firstThere(parent);
}

/** Undefined where the system has no such list: macOS tells its mounts to programs only. */
function readMounts(): string | undefined {
  return existsSync("/proc/self/mounts") ? readFileSync("/proc/self/mounts", "utf8") : undefined;
}
