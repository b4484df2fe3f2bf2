/** Whether a file lies on another machine, where SQLite's locks do not hold, and how much room a disk has. */

/**
 * Names of `/proc/self/mounts`. Other names of `fuse.` may be local disks (ntfs, exfat, mergerfs) or what container tools share
 * with a desktop: they pass.
 */
const NETWORK_FILE_SYSTEMS: ReadonlySet<string> = new Set(
  (
    "nfs nfs4 cifs smb3 smbfs ncpfs coda 9p drvfs afs ceph glusterfs lustre gpfs ocfs2 gfs2 beegfs orangefs pvfs2 davfs " +
    "vboxsf vmhgfs prl_fs fuse.vmhgfs-fuse fuse.sshfs fuse.glusterfs fuse.cephfs fuse.ceph-fuse fuse.juicefs fuse.mfs " +
    "fuse.s3fs fuse.gcsfuse fuse.goofys fuse.blobfuse2 fuse.rclone fuse.davfs fuse.curlftpfs fuse.smbnetfs fuse.afp"
  ).split(" "),
);

/** The network file system that `path` lies on, from the text of `/proc/self/mounts`; undefined for a local one. */
export function networkFileSystemOf(path: string, mounts: string): string | undefined {
  let found = { folder: "", type: "" };
  for (const line of mounts.split("\n")) {
    const [, folder = "", type = ""] = line.split(" ").map(unescapeMount);
    // Of two mounts on one folder the later one lies on top.
    if (isWithin(path, folder) && folder.length >= found.folder.length) found = { folder, type };
  }
  return NETWORK_FILE_SYSTEMS.has(found.type) ? found.type : undefined;
}

function isWithin(path: string, folder: string): boolean {
  return folder !== "" && (folder === "/" || path === folder || path.startsWith(`${folder}/`));
}

/** Spaces and the like stand in it as octal numbers: `\040`. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

export const MEGABYTE = 1_048_576;
export interface Room {
  freeBytes: number;
  /** Of database and log. */
  usedBytes: number;
  /** Below it new documents are refused. */
  minFreeBytes: number;
}

/** `full`: writing may fail soon. `tight`: a backup beside the database, or its compaction, would not fit. */
export function judgeSpace({ freeBytes, usedBytes, minFreeBytes }: Room): "ample" | "tight" | "full" {
  if (freeBytes < Math.max(minFreeBytes, usedBytes * 0.05)) return "full";
  return freeBytes < usedBytes ? "tight" : "ample";
}

/** `12 MB`, `3.4 GB`. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / MEGABYTE;
  return megabytes < 1024 ? `${Math.ceil(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}
