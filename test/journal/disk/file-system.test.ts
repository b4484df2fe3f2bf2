import { describe, expect, test } from "vitest";
import {
  formatBytes,
  classifySpace,
  isShare,
  networkFileSystemOf,
} from "../../../src/journal/disk/file-system.ts";

const MOUNTS = [
  "overlay / overlay rw 0 0",
  "/dev/sda1 /var ext4 rw 0 0",
  "server:/export /var/data nfs4 rw 0 0",
  "//server/share /mnt/my\\040share cifs rw 0 0",
  "me@host: /mnt/ssh fuse.sshfs rw 0 0",
  "/dev/sdb1 /mnt/usb fuseblk rw 0 0",
  "/dev/sdc1 /mnt/ssh/local ext4 rw 0 0",
  "C: /mnt/c 9p rw 0 0",
  "grpcfuse /host fuse.grpcfuse rw 0 0",
  "",
].join("\n");

describe("the file system of a path", () => {
  test.each([
    ["/home/fiscal.db", undefined],
    ["/var/fiscal.db", undefined],
    ["/var/data/fiscal.db", "nfs4"],
    ["/var/database/fiscal.db", undefined],
    ["/mnt/my share/fiscal.db", "cifs"],
    ["/mnt/ssh/fiscal.db", "fuse.sshfs"],
    ["/mnt/ssh/local/fiscal.db", undefined],
    ["/mnt/usb/fiscal.db", undefined],
    ["/mnt/c/data/fiscal.db", "9p"],
    ["/host/fiscal.db", undefined],
  ])("%s: %s", (path, type) => {
    expect(networkFileSystemOf(path, MOUNTS)).toBe(type);
  });

  test("is that of the topmost mount", () => {
    const stacked = "server:/a /data nfs rw 0 0\n/dev/sda1 /data ext4 rw 0 0\n";
    expect(networkFileSystemOf("/data/fiscal.db", stacked)).toBeUndefined();
  });
});

describe("space", () => {
  const megabytes = (count: number) => count * 1_048_576;
  test.each([
    [10_000, 10, "ample"],
    [101, 1, "ample"],
    [99, 1, "full"],
    [101, 2000, "tight"],
    [500, 20_000, "full"],
    [5000, 20_000, "tight"],
  ])("%i MB free beside %i MB: %s", (free, used, judgement) => {
    expect(
      classifySpace({
        freeBytes: megabytes(free),
        usedBytes: megabytes(used),
        minFreeBytes: megabytes(100),
      }),
    ).toBe(judgement);
  });

  test("is shown in readable units", () => {
    expect(formatBytes(1)).toBe("1 MB");
    expect(formatBytes(megabytes(1536))).toBe("1.5 GB");
  });
});

test.each([
  ["\\\\server\\share\\data", true],
  ["\\\\?\\UNC\\server\\share", true],
  ["\\\\?\\C:\\data", false],
  ["\\\\.\\C:\\data", false],
  ["C:\\data", false],
])("on Windows, whether %s is a network share: %s", (path, isOne) => {
  expect(isShare(path)).toBe(isOne);
});
