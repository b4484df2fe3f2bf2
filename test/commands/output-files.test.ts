/** What `--output`, `--report` and their like do with what is there already: a device, a pipe, a link, an input, a full disk. */
import { execFile, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { link, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { csvOf, issueAll, listed } from "../helpers/issuing.ts";
import { expectRefused, expectSaid } from "../helpers/program.ts";
import { openShop, receipt } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";
import { CAN_MOUNT, mountSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

const NULL = ["c", "1", "3"];
const FULL = ["c", "1", "7"];
const PIPE = ["p"];

function makeNode(path: string, kind: readonly string[]): boolean {
  return spawnSync("mknod", [path, ...kind]).status === 0;
}

/** Whether this user may make devices, and use them in the temporary folder. */
function canMakeDevices(): boolean {
  if (process.platform === "win32") return false;
  const folder = mkdtempSync(join(tmpdir(), "fiscal-device-"));
  try {
    if (!makeNode(join(folder, "null"), NULL)) return false;
    closeSync(openSync(join(folder, "null"), "w"));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CAN_MAKE_DEVICES = canMakeDevices();
const IS_WINDOWS = process.platform === "win32";

const workshop = forAllTests(openShop);
beforeAll(async () => {
  await issueAll(workshop, [receipt("A-1")]);
});
/** Removes what a test wrote. */
afterEach(async () => {
  for (const name of await readdir(workshop.folder))
    if (name !== "data") await rm(workshop.at(name), { recursive: true });
});

const at = (...names: string[]) => workshop.at(...names);
const DAY = ["--from", "2025-01-15", "--to", "2025-01-15"];

/** Every kind of command that writes a file, by the flag. */
const COMMANDS: Readonly<Record<string, (file: string) => string[]>> = {
  "documents export --output": (file) => ["documents", "export", ...DAY, "--output", file],
  "documents export --groups": (file) => {
    const files = ["--output", "other.csv", "--groups", file];
    return ["documents", "export", ...DAY, ...files];
  },
  "documents template --output": (file) => ["documents", "template", "--output", file],
  "documents issue --report": (file) => {
    const flags = ["--merchant", "shop", "--report", file];
    return ["documents", "issue", "one.json", ...flags];
  },
  "documents pdf --output": (file) => ["documents", "pdf", "A-1", "--output", file],
  "documents pdf --zip": (file) => ["documents", "pdf", ...DAY, "--zip", file],
  "reports vat --output": (file) => ["reports", "vat", ...DAY, "--output", file],
};
const EACH = Object.entries(COMMANDS).map(([name, line]) => ({ name, line }));
const ASKING: ReadonlySet<string> = new Set(["documents template --output", "documents pdf --output"]);

beforeEach(() => writeFile(at("one.json"), JSON.stringify(receipt("A-1"))));

describe.skipIf(!CAN_MAKE_DEVICES)("a device (skipped if none can be made)", () => {
  test.each(EACH)("is written into by $name, and stays", async ({ line }) => {
    makeNode(at("place.csv"), NULL);
    expect((await workshop.run(line("place.csv"))).exitCode).toBe(0);
    expect((await lstat(at("place.csv"))).isCharacterDevice()).toBe(true);
  });

  test.each(EACH)("that is full ends $name with 1 and its name", async ({ line }) => {
    makeNode(at("place.csv"), FULL);
    const run = await workshop.run(line("place.csv"));
    expectSaid(run, 1, /^fiscal: place\.csv cannot be written: the disk is full\n$/m);
    expect(run.stderr).not.toMatch(/--help|ENOSPC/);
    const greek = await workshop.run(["--lang", "el", ...line("place.csv")]);
    expect(greek.stderr).toMatch(/^fiscal: το place\.csv δεν μπορεί να γραφτεί: ο δίσκος είναι γεμάτος\n$/m);
  });
});

describe.skipIf(IS_WINDOWS)("a pipe", () => {
  test.each(EACH)("is written into by $name", async ({ line }) => {
    makeNode(at("place.csv"), PIPE);
    const reading = promisify(execFile)("cat", [at("place.csv")], { timeout: 4000 });
    const run = await workshop.run(line("place.csv"));
    expect([run.exitCode, (await lstat(at("place.csv"))).isFIFO()]).toEqual([0, true]);
    expect((await reading).stdout.length).toBeGreaterThan(20);
  });

  test("whose reader has ended is an error that names it", async () => {
    makeNode(at("place.csv"), PIPE);
    const reading = promisify(execFile)("sh", ["-c", ': <"$0"', at("place.csv")], { timeout: 4000 });
    const run = await workshop.run(COMMANDS["documents issue --report"]!("place.csv"));
    await reading;
    expectSaid(run, 1, "place.csv cannot be written: nobody reads it any more\n");
  });
});

describe.skipIf(IS_WINDOWS)("a link", () => {
  test.each(EACH)("stays when $name replaces its target", async ({ name, line }) => {
    await mkdir(at("kept"));
    await writeFile(at("kept", "target.csv"), "old");
    await symlink(join("kept", "target.csv"), at("place.csv"));
    const force = ASKING.has(name) ? ["--force"] : [];
    expect((await workshop.run([...line("place.csv"), ...force])).exitCode).toBe(0);
    expect((await lstat(at("place.csv"))).isSymbolicLink()).toBe(true);
    expect((await readFile(at("kept", "target.csv"))).length).toBeGreaterThan(20);
    expect(await readdir(at("kept"))).toEqual(["target.csv"]);
  });
});

describe("a folder", () => {
  test.each(EACH)("is refused by $name before anything is done", async ({ line }) => {
    await mkdir(at("place.csv"));
    expectRefused(await workshop.run(line("place.csv")), 2, "place.csv cannot be used: it is a folder");
  });
});

describe("a file that a person may have changed", () => {
  test.each([...ASKING])("is replaced by %s with --force only", async (name) => {
    await writeFile(at("mine.csv"), "filled in");
    const line = COMMANDS[name]!("mine.csv");
    expectRefused(await workshop.run(line), 2, "mine.csv already exists; add --force to overwrite it");
    expect(await readFile(at("mine.csv"), "utf8")).toBe("filled in");
    expect((await workshop.run([...line, "--force"])).exitCode).toBe(0);
    expect((await readFile(at("mine.csv"))).length).toBeGreaterThan(20);
  });
});

describe("a file that is read", () => {
  const CONTENT = csvOf(["B-1,11.1,2025-01-15,Καφές,2,5.00,24%"]);
  const run = (...args: string[]) =>
    workshop.run(["documents", "issue", "a.csv", "--merchant", "shop", ...args]);

  beforeEach(async () => {
    await writeFile(at("a.csv"), CONTENT);
    await link(at("a.csv"), at("hard.csv"));
    await symlink("a.csv", at("soft.csv"));
  });

  test.each(["a.csv", "./a.csv", "hard.csv", "soft.csv"])("is not replaced by --report %s", async (name) => {
    expectRefused(await run("--report", name), 2, "--report names a file that is read: a.csv");
    expect(await readFile(at("a.csv"), "utf8")).toBe(CONTENT);
    expect((await listed(workshop)).map((document) => document.external_reference)).toEqual(["A-1"]);
  });

  test("is not replaced as the map either", async () => {
    await writeFile(at("map.toml"), 'ignore = ["x"]\n');
    const refused = await run("--map", "map.toml", "--report", "map.toml");
    expectRefused(refused, 2, "--report names a file that is read: map.toml");
  });

  test("and another one of the same export are told apart by more than their names", async () => {
    const files = ["--output", "soft.csv", "--totals", "hard.csv"];
    const refused = await workshop.run(["documents", "export", ...DAY, ...files]);
    expectRefused(refused, 2, "--totals and --output name the same file");
  });
});

describe.skipIf(!CAN_MOUNT)("a full disk (skipped if no tmpfs can be mounted)", () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = mountSmallDisk(1);
    disk.fill();
  });
  afterEach(() => disk.remove());

  test.each([
    ...EACH,
    {
      name: "documents pdf --out",
      line: (file: string) => ["documents", "pdf", ...DAY, "--out", join(file, "..")],
    },
  ])("ends $name with 1 and the name of the file, and leaves nothing", async ({ line }) => {
    const path = relative(workshop.folder, join(disk.folder, "place.csv"));
    const run = await workshop.run(line(path));
    expectSaid(run, 1, /^fiscal: \S+\/(place\.csv|\S+\.pdf) cannot be written: the disk is full\n$/m);
    expect(run.stderr).not.toMatch(/--help|ENOSPC/);
    const left = await readdir(disk.folder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual(["ballast"]);
  });
});
