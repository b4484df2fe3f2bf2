/** Prepares the folder of the database, and refuses one that is unfit for it. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { requireAccess } from "../../../storage/sqlite/examine.ts";
import { makeFolder } from "../../../storage/files/folder.ts";
import { StorageError } from "../../../storage/database/errors.ts";
import { isShare, networkFileSystemOf } from "./file-system.ts";

/**
 * Creates the folder of `database` (absolute path) if needed. Throws StorageError if it cannot be created or written, or is on a
 * network file system: the database needs shared memory and reliable locks, and such a file system has neither.
 */
export function preparePlace(database: string): void {
  const folder = dirname(database);
  const type = findNetworkFileSystem(folder);
  if (type !== undefined) {
    throw new StorageError({
      en:
        `The folder ${folder} is on a network file system (${type}), where a database loses its locks and then its data; ` +
        "copy only backups to the network, and name a folder on a local disk",
      el:
        `Ο φάκελος ${folder} είναι σε δικτυακό σύστημα αρχείων (${type}), όπου η βάση χάνει τα κλειδώματα και έπειτα τα ` +
        "δεδομένα της· αντιγράφετε στο δίκτυο μόνο αντίγραφα ασφαλείας και δώστε φάκελο σε τοπικό δίσκο",
      next: { operation: "chooseDataFolder" },
    });
  }
  makeFolder(folder);
  requireAccess(folder, { en: "The folder", el: "Ο φάκελος" });
}

const NETWORK_SHARE = "a network share";

/** The type of the network file system of `path` or its nearest existing parent; undefined if local or unknown. */
export function findNetworkFileSystem(path: string): string | undefined {
  if (process.platform === "win32" && isShare(path)) return NETWORK_SHARE;
  const existing = realpathSync.native(nearestExisting(path));
  if (process.platform === "win32") return isShare(existing) ? NETWORK_SHARE : undefined;
  const mounts = readMounts();
  return mounts === undefined ? undefined : networkFileSystemOf(existing, mounts);
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearestExisting(parent);
}

/** Undefined on systems without this file, such as macOS. */
function readMounts(): string | undefined {
  return existsSync("/proc/self/mounts") ? readFileSync("/proc/self/mounts", "utf8") : undefined;
}
