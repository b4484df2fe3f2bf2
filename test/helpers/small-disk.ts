/** A disk of a few megabytes for tests to fill: a tmpfs, if this user may mount one. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeSync, openSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

function mount(...args: string[]): boolean {
  return spawnSync("mount", args).status === 0;
}

/** Whether this user may mount: root, outside a container that forbids it. */
export const CAN_MOUNT = canMount();

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "fiscal-mount-"));
  const isMounted = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
  if (isMounted) spawnSync("umount", [folder]);
  rmdirSync(folder);
  return isMounted;
}

const CHUNK = Buffer.alloc(65_536, 1);

export function mountSmallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-disk-"));
  if (!mount("-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder))
    throw new Error("The small disk could not be mounted");
  const ballast = join(folder, "ballast");
  return {
    folder,
    /** Uses all free space except `leaveBytes`. */
    fill(leaveBytes = 0) {
      const handle = openSync(ballast, "a");
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(folder);
          const left = bavail * bsize - leaveBytes;
          if (left <= 0) return;
          writeSync(handle, CHUNK, 0, Math.min(CHUNK.length, left));
        }
      } finally {
        closeSync(handle);
      }
    },
    /** Frees the space that `fill` used. */
    empty: () => rmSync(ballast, { force: true }),
    remountReadOnly() {
      if (!mount("-o", "remount,ro", folder)) throw new Error("The small disk could not be made read-only");
    },
    remove() {
      // Lazily: files that are still open keep it alive only as long as they are.
      spawnSync("umount", ["-l", folder]);
      rmdirSync(folder);
    },
  };
}

export type SmallDisk = ReturnType<typeof mountSmallDisk>;
