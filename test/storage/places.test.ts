/** Unusable data directories and database files end the program with one line: the path, the reason and the next step. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import { type Ended, runBuilt } from "../helpers/server-process.ts";
import { openWorkshop, type Run } from "../helpers/program.ts";
import { CAN_MOUNT, mountSmallDisk } from "../helpers/small-disk.ts";
import { forEachTest } from "../helpers/set-up.ts";

let data: string;
let database: string;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  data = join(workshop.folder, "data");
  database = join(data, "fiscal.db");
});

function expectRefusal({ exitCode, stdout, stderr }: Run, words: RegExp): void {
  expect({ exitCode, stdout }).toEqual({ exitCode: 78, stdout: "" });
  expect(stderr).toMatch(words);
  expect(stderr.trim().split("\n")).toHaveLength(1);
}

describe("a data directory that cannot be created", () => {
  test.skipIf(process.platform !== "linux")("in /proc", async () => {
    const run = await workshop.runBare(["--data-dir", "/proc/x/y", "init", "--yes"]);
    expectRefusal(run, /^fiscal: The folder \/proc\/x cannot be made: .*--data-dir/);
  });

  test("because it or a parent is a file", async () => {
    writeFileSync(data, "a file");
    expectRefusal(await workshop.run(["init", "--yes"]), /data is a file, where a folder is needed/);
    const below = await workshop.runBare(["--data-dir", join(data, "a/b"), "init", "--yes"]);
    expectRefusal(below, /data is a file, where a folder is needed; .*--data-dir/);
  });

  test("because it is a dangling link", async () => {
    symlinkSync(join(workshop.folder, "nothing"), data);
    expectRefusal(await workshop.run(["init", "--yes"]), /data cannot be made: something else is in its/);
  });
});

describe("a database file", () => {
  beforeEach(async () => {
    expect((await workshop.run(["init", "--yes"])).exitCode).toBe(0);
  });

  const damage: [string, () => void, RegExp][] = [
    [
      "that is empty is refused",
      () => {
        truncateSync(database);
        utimesSync(database, new Date(0), new Date(0));
      },
      /fiscal\.db is empty: .*backup/,
    ],
    [
      "that is text is refused",
      () => writeFileSync(database, "x".repeat(8192)),
      /fiscal\.db is not a database of fiscal; .*storage\.database/,
    ],
    [
      "that lost a part of its last page is refused",
      () => truncateSync(database, 40_000),
      /fiscal\.db was cut off: .*backup/,
    ],
    ["that lost pages is refused", () => truncateSync(database, 40_960), /fiscal\.db is damaged; .*backup/],
    [
      "that is a folder is refused",
      () => {
        rmSync(database);
        mkdirSync(database);
      },
      /fiscal\.db is a folder; .*storage\.database/,
    ],
    [
      "that lost its log is refused",
      () => writeFileSync(`${database}-shm`, Buffer.alloc(32_768)),
      /fiscal\.db-wal is missing, .*backup/,
    ],
  ];
  test.each(damage)("%s", async (_name, harm, words) => {
    harm();
    for (const command of [
      ["merchants", "list"],
      ["serve", "--port", "0"],
    ])
      expectRefusal(await workshop.run(command), words);
  });

  test("of a process that was killed is opened", async () => {
    const open = new Database(database);
    open.exec("create table further (x)");
    truncateSync(database, 40_000);
    // With its log, the file can be in any state.
    expect((await workshop.run(["merchants", "list"])).stderr).not.toContain("was cut");
    open.close();
  });
});

const NOBODY = 65_534;

/** Runs the built program as another user, since file permissions do not restrict root. */
function runAsNobody(args: string[]): Promise<Ended> {
  return runBuilt(args, { folder: workshop.folder, uid: NOBODY });
}

describe.skipIf(process.getuid?.() !== 0)("another user is refused (only when run as root)", () => {
  beforeEach(async () => {
    expect((await workshop.run(["init", "--yes"])).exitCode).toBe(0);
    chmodSync(workshop.folder, 0o755);
  });

  const permissions: [string, () => void, RegExp][] = [
    ["who may not enter the folder", () => {}, /data cannot be (written|used|looked at).* this user may not/],
    [
      "who may not write the folder",
      () => chmodSync(data, 0o755),
      /The folder .*data cannot be written: this user may not/,
    ],
    [
      "who may not read the master key",
      () => chmodSync(data, 0o777),
      /The master key .*master\.key cannot be read: this user may not/,
    ],
    [
      "who may not write the database",
      () => {
        chmodSync(data, 0o777);
        chmodSync(join(data, "master.key"), 0o644);
        chmodSync(database, 0o644);
      },
      /The database .*fiscal\.db cannot be written: this user may not/,
    ],
  ];
  test.each(permissions)("%s", async (_name, permit, words) => {
    permit();
    const { code, stdout, stderr } = await runAsNobody(["merchants", "list"]);
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe.skipIf(!CAN_MOUNT)("a disk mounted for reading only (if one can be mounted)", () => {
  test("is reported as such", async () => {
    const disk = mountSmallDisk(8);
    try {
      const args = ["--data-dir", join(disk.folder, "data")];
      expect((await workshop.runBare([...args, "init", "--yes"])).exitCode).toBe(0);
      disk.remountReadOnly();
      for (const command of [
        ["merchants", "list"],
        ["serve", "--port", "0"],
      ]) {
        const run = await workshop.runBare([...args, ...command]);
        expectRefusal(run, /The folder .*data cannot be written: the disk is mounted for reading only/);
      }
      const other = await workshop.runBare(["--data-dir", join(disk.folder, "other"), "init", "--yes"]);
      expectRefusal(other, /other cannot be made: the disk is mounted for reading only/);
    } finally {
      disk.remove();
    }
  });
});
