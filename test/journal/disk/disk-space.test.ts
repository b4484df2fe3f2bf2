import { describe, expect, test } from "vitest";
import { createSpace, isReportedAlready } from "../../../src/journal/disk/disk-space.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { StorageError } from "../../../storage/database/errors.ts";
import { sameInBoth } from "../../../src/foundation/text.ts";
import {
  classifySpace,
  formatBytes,
  isShare,
  networkFileSystemOf,
} from "../../../src/journal/disk/file-system.ts";

const MEGABYTE = 1_048_576;

function setup(minFreeMb: number) {
  let [freeMb, elapsedMs, looks] = [1000, 0, 0];
  const logged: string[] = [];
  const note = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void logged.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  const space = createSpace({
    file: "/nowhere/fiscal.db",
    minFreeMb,
    log: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
    elapsedMs: () => elapsedMs,
    freeBytes: () => {
      looks += 1;
      return freeMb * MEGABYTE;
    },
  });
  return {
    space,
    logged,
    looks: () => looks,
    leave(megabytes: number) {
      freeMb = megabytes;
      elapsedMs += 1000;
    },
    advance: (ms: number) => void (elapsedMs += ms),
  };
}

function sqliteError(code: string): Error {
  return Object.assign(new Error("quoted text"), { code });
}

describe("free disk space", () => {
  test.each([
    [101, "ample"],
    [100, "ample"],
    [99, "short"],
    [25, "short"],
    [24, "full"],
    [0, "full"],
  ])("%i MB of a reserve of 100: %s", (megabytes, level) => {
    const { space, leave } = setup(100);
    leave(megabytes);
    expect(space.level()).toBe(level);
  });

  test("does not matter without a reserve, until the disk is full", () => {
    const { space, leave } = setup(0);
    leave(1);
    expect(space.level()).toBe("ample");
    space.requireRoom();
    leave(0.05);
    expect(space.level()).toBe("full");
    expect(() => space.requireRoom()).toThrow(/disk of the data directory is full \(0 MB free\)/);
  });

  test("is measured once a second, and each change is logged once", () => {
    const { space, leave, looks, logged } = setup(100);
    for (const megabytes of [500, 50, 40, 10, 50, 500]) {
      leave(megabytes);
      for (let count = 0; count < 100; count += 1) space.level();
    }
    expect(looks()).toBe(6);
    expect(logged.map((line) => line.split(":")[0])).toEqual(["warn", "error", "info"]);
  });

  test("causes a retryable error with the free space when it is low", () => {
    const { space, leave } = setup(100);
    leave(50);
    expect(() => space.requireRoom()).toThrow(
      expect.objectContaining({
        code: "service_unavailable",
        retryable: true,
        retryAfterSeconds: 30,
        message: expect.stringContaining("50 MB free"),
      }),
    );
  });
});

describe("a failed write", () => {
  test.each([
    ["SQLITE_FULL", "is full"],
    ["SQLITE_IOERR_FSYNC", "SQLITE_IOERR_FSYNC"],
    ["SQLITE_READONLY", "SQLITE_READONLY"],
    ["SQLITE_BUSY", "another process"],
  ])("with %s is service_unavailable", (code, words) => {
    const { space } = setup(0);
    const told = space.explain(sqliteError(code));
    expect(told).toMatchObject({ code: "service_unavailable", retryable: true });
    expect(told!.message).toContain(words);
    expect(told!.message).not.toContain("quoted");
    expect(isReportedAlready(told)).toBe(true);
  });

  test.each([
    ["a damaged file", sqliteError("SQLITE_CORRUPT")],
    ["a broken rule", sqliteError("SQLITE_CONSTRAINT_UNIQUE")],
    ["a refusal", new AppError("not_found", sameInBoth("x"))],
    ["a file of somebody else", new StorageError({ en: "x", el: "x" })],
  ])("for %s is not", (_name, error) => {
    const { space, logged } = setup(0);
    expect(space.explain(error)).toBeUndefined();
    expect(logged).toEqual([]);
  });

  test("is logged once a minute, and its end once", () => {
    const { space, logged, advance } = setup(0);
    for (let count = 0; count < 1000; count += 1) {
      space.explain(sqliteError("SQLITE_FULL"));
      advance(100);
    }
    space.wrote();
    space.wrote();
    expect(logged.map((line) => line.split(":")[0])).toEqual(["error", "error", "info"]);
    expect(logged.at(-1)).toContain('"failures":1000');
  });
});

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
