/** Prepares the folder of the database, refuses one on a network file system, and classifies the space of a disk. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { requireAccess } from "../../../storage/sqlite/examine.ts";
import { makeFolder } from "../../../storage/files/folder.ts";
import { StorageError } from "../../../storage/database/errors.ts";

/** Types in `/proc/self/mounts`. Other `fuse.` types may be local disks, or folders that containers share with a desktop. */
const NETWORK_FILE_SYSTEMS: ReadonlySet<string> = new Set(
  (
    "nfs nfs4 cifs smb3 smbfs ncpfs coda 9p drvfs afs ceph glusterfs lustre gpfs ocfs2 gfs2 beegfs orangefs pvfs2 davfs " +
    "vboxsf vmhgfs prl_fs fuse.vmhgfs-fuse fuse.sshfs fuse.glusterfs fuse.cephfs fuse.ceph-fuse fuse.juicefs fuse.mfs " +
    "fuse.s3fs fuse.gcsfuse fuse.goofys fuse.blobfuse2 fuse.rclone fuse.davfs fuse.curlftpfs fuse.smbnetfs fuse.afp"
  ).split(" "),
);

/** The type of the network file system that contains `path`, from `/proc/self/mounts`; undefined for a local one. */
export function networkFileSystemOf(path: string, mounts: string): string | undefined {
  let found = { folder: "", type: "" };
  for (const line of mounts.split("\n")) {
    const [, folder = "", type = ""] = line.split(" ").map(unescapeMount);
    // A later mount on the same folder hides an earlier one.
    if (isWithin(path, folder) && folder.length >= found.folder.length) found = { folder, type };
  }
  return NETWORK_FILE_SYSTEMS.has(found.type) ? found.type : undefined;
}

function isWithin(path: string, folder: string): boolean {
  return folder !== "" && (folder === "/" || path === folder || path.startsWith(`${folder}/`));
}

/** Decodes spaces and the like, which are written as octal numbers: `\040`. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

export const MEGABYTE = 1_048_576;

export interface Room {
  freeBytes: number;
  /** The size of database and log. */
  usedBytes: number;
  /** The reserve below which new documents are refused. */
  minFreeBytes: number;
}

/** `full`: writing may fail soon. `tight`: a backup next to the database, or its compaction, would not fit. */
export function classifySpace({ freeBytes, usedBytes, minFreeBytes }: Room): "ample" | "tight" | "full" {
  if (freeBytes < Math.max(minFreeBytes, usedBytes * 0.05)) return "full";
  return freeBytes < usedBytes ? "tight" : "ample";
}

/** `12 MB`, `3.4 GB`. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / MEGABYTE;
  return megabytes < 1024 ? `${Math.ceil(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

/** Windows: `\\server\share` or `\\?\UNC\server\share`; `\\?\C:\folder` is the long form of a local path. */
export function isShare(path: string): boolean {
  return /^\\\\(\?\\UNC\\|[^?.])/i.test(path);
}

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
