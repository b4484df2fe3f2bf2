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

  const empty = () => {
    truncateSync(database);
    utimesSync(database, new Date(0), new Date(0));
  };
  const makeFolderOfIt = () => {
    rmSync(database);
    mkdirSync(database);
  };
  const write = (content: string | Buffer, ending = "") => writeFileSync(database + ending, content);
  const damage: [string, () => void, RegExp][] = [
    ["is empty", empty, /fiscal\.db is empty: .*backup/],
    ["is text", () => write("x".repeat(8192)), /fiscal\.db is not a database of fiscal; .*storage\.database/],
    [
      "lost a part of its last page",
      () => truncateSync(database, 40_000),
      /fiscal\.db was cut off: .*backup/,
    ],
    ["lost pages", () => truncateSync(database, 40_960), /fiscal\.db is damaged; .*backup/],
    ["is a folder", makeFolderOfIt, /fiscal\.db is a folder; .*storage\.database/],
    ["lost its log", () => write(Buffer.alloc(32_768), "-shm"), /fiscal\.db-wal is missing, .*backup/],
  ];
  test.each(damage)("that %s is refused", async (_name, harm, words) => {
    harm();
    for (const command of ["merchants list", "serve --port 0"])
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

  const chmod = (modes: Record<string, number>) => () => {
    for (const [name, mode] of Object.entries(modes)) chmodSync(join(data, name), mode);
  };
  const permissions: [string, () => void, RegExp][] = [
    ["enter the folder", () => {}, /data cannot be (written|used|looked at).* this user has no permission/],
    [
      "write the folder",
      chmod({ "": 0o755 }),
      /The folder .*data cannot be written: this user has no permission/,
    ],
    [
      "read the master key",
      chmod({ "": 0o777 }),
      /master key .*master\.key cannot be read: this user has no permission/,
    ],
    [
      "write the database",
      chmod({ "": 0o777, "master.key": 0o644, "fiscal.db": 0o644 }),
      /The database .*fiscal\.db cannot be written: this user has no permission/,
    ],
  ];
  test.each(permissions)("who may not %s", async (_name, permit, words) => {
    permit();
    const { code, stdout, stderr } = await runAsNobody(["merchants", "list"]);
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

test.skipIf(!CAN_MOUNT)(
  "a disk mounted for reading only is reported as such (if one can be mounted)",
  async () => {
    const disk = mountSmallDisk(8);
    try {
      const args = ["--data-dir", join(disk.folder, "data")];
      expect((await workshop.runBare([...args, "init", "--yes"])).exitCode).toBe(0);
      disk.remountReadOnly();
      for (const command of ["merchants list", "serve --port 0"]) {
        const run = await workshop.runBare([...args, ...command.split(" ")]);
        expectRefusal(run, /The folder .*data cannot be written: the disk is mounted for reading only/);
      }
      const other = await workshop.runBare(["--data-dir", join(disk.folder, "other"), "init", "--yes"]);
      expectRefusal(other, /other cannot be made: the disk is mounted for reading only/);
    } finally {
      disk.remove();
    }
  },
);
