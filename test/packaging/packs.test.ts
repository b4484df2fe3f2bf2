import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { choosePacks, joinParts, withoutCopies } from "../../packaging/packs.ts";

const MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });

const require = createRequire(import.meta.url);
const { openProgram } = require("../../bin/parts.js") as {
  openProgram(entry: string, cache: string | undefined, args: string[]): { exports: unknown; keep(): void };
};

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "fiscal-packs-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a program: `parts` in the pack `pack.cjs`, except for those in `alone`, and the entry `main.cjs`. */
function writeProgram(parts: Record<string, string>, alone: readonly string[] = []): void {
  mkdirSync(join(folder, "parts"), { recursive: true });
  const list = Object.entries(parts).map(([name, code]) => ({ name, code, map: MAP }));
  const packed = list.filter(({ name }) => name !== "main.cjs" && !alone.includes(name));
  const packs = new Map(packed.map(({ name }) => [name, "pack.cjs"]));
  const write = (path: string, contents: typeof list) =>
    writeFileSync(join(folder, path), joinParts(path, contents, packs, "// b1").code);
  write("parts/pack.cjs", packed);
  for (const part of list) {
    if (part.name === "main.cjs") write("main.cjs", [part]);
    if (alone.includes(part.name)) write(`parts/${part.name}`, [part]);
  }
}

/** Runs the program that was written, as the command line `args`; returns what its entry exports. */
function open(args: string[] = []) {
  return openProgram(join(folder, "main.cjs"), join(folder, "cache"), args);
}

describe("a part", () => {
  test("runs once, when it is first required", () => {
    writeProgram(
      {
        "runs.cjs": "exports.list = [];",
        "a.cjs": 'require("./runs.cjs").list.push("a"); require("./b.cjs"); require("./b.cjs");',
        "b.cjs": 'require("./runs.cjs").list.push("b");',
        "unused.cjs": 'require("./runs.cjs").list.push("unused");',
        "main.cjs":
          'require("./parts/a.cjs"); require("./parts/b.cjs"); module.exports = require("./parts/runs.cjs").list;',
      },
      ["b.cjs"],
    );
    expect(open().exports).toEqual(["a", "b"]);
  });

  test("repeats its error if it fails", () => {
    writeProgram({
      "bad.cjs": 'throw new Error("no such module");',
      "main.cjs": `exports.errors = [1, 2].map(() => { try { require("./bad.cjs"); } catch (error) { return error.message; } });`,
    });
    expect(open().exports).toEqual({ errors: ["no such module", "no such module"] });
  });
});

/** V8 does not notice it, and may crash. */
function changeBit(bytes: Buffer): Buffer {
  bytes[bytes.length - 200]! ^= 1;
  return bytes;
}

describe("compiled code", () => {
  const PARTS = {
    "first.cjs": "exports.answer = () => 1;",
    "second.cjs": "exports.answer = () => 2;",
    "main.cjs":
      'exports.run = (isMore) => require("./first.cjs").answer() + (isMore ? require("./second.cjs").answer() : 0);',
  };
  const keptFiles = () =>
    readdirSync(join(folder, "cache", "compiled"), { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile())
      .map(({ name, parentPath }) => ({ name, inode: statSync(join(parentPath, name)).ino }));

  /** Runs the command `args` to its end. */
  function runCommand(isMore = false, args = ["documents", "show", "doc_1"]): unknown {
    const { exports, keep } = open(args);
    const result = (exports as { run(isMore: boolean): number }).run(isMore);
    keep();
    return result;
  }

  /** In a process of its own, because V8 shares compiled code within a process. */
  function runInProcess(): void {
    const parts = JSON.stringify(require.resolve("../../bin/parts.js"));
    const args = [join(folder, "main.cjs"), join(folder, "cache"), ["documents", "show"]].map((value) =>
      JSON.stringify(value),
    );
    const script = `const { exports, keep } = require(${parts}).openProgram(${args}); exports.run(); keep();`;
    execFileSync(process.execPath, ["-e", script]);
  }

  beforeEach(() => writeProgram(PARTS, ["first.cjs", "second.cjs"]));

  test("is kept for each command by its noun and verb, and used as long as it is enough", () => {
    expect(runCommand()).toBe(1);
    const [first] = keptFiles();
    expect(first).toMatchObject({ name: "documents-show" });
    expect(runCommand(false, ["--data-dir", "place", "documents", "--json", "show", "DOC.2"])).toBe(1);
    expect(keptFiles()).toEqual([first]);
    // What only this run needed is added.
    expect(runCommand(true)).toBe(3);
    const [second] = keptFiles();
    expect(second!.inode).not.toBe(first!.inode);
    expect([runCommand(true), runCommand(false)]).toEqual([3, 1]);
    expect(keptFiles()).toEqual([second]);
    runCommand(false, ["serve"]);
    expect(
      keptFiles()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["documents-show", "serve"]);
  });

  test("of another build is not used, even if its files have the same names and lengths", () => {
    runCommand();
    const main = readFileSync(join(folder, "main.cjs"), "utf8");
    writeFileSync(
      join(folder, "main.cjs"),
      main.replace("// b1", "// b2").replace("answer() +", "answer() *"),
    );
    expect(runCommand(true)).toBe(2);
    expect(keptFiles()).toHaveLength(2);
  });

  test.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, -100)],
    ["overwritten", (bytes: Buffer) => Buffer.alloc(bytes.length, "x")],
    ["emptied", () => Buffer.alloc(0)],
    ["changed in one bit", changeBit],
  ])("that was %s is replaced", (_name, damage) => {
    runInProcess();
    const [name] = readdirSync(join(folder, "cache", "compiled"));
    const file = join(folder, "cache", "compiled", name!, "documents-show");
    writeFileSync(file, damage(readFileSync(file)));
    const [damaged] = keptFiles();
    runInProcess();
    const [replaced] = keptFiles();
    expect(replaced).not.toEqual(damaged);
    runInProcess();
    expect(keptFiles()).toEqual([replaced]);
  });

  test("is not kept without a folder for it, or if that cannot be written", () => {
    const { exports, keep } = openProgram(join(folder, "main.cjs"), undefined, []);
    expect((exports as { run(): number }).run()).toBe(1);
    keep();
    writeFileSync(join(folder, "cache"), "");
    expect(runCommand()).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(["cache", "main.cjs", "parts"]);
  });
});

describe("a pack", () => {
  test("has the parts that many commands load, and none that is loaded by name", () => {
    const command = (imports: string[]) => ({
      entryPoint: "command.ts",
      imports: imports.map((path) => ({ path, kind: "import-statement" })),
    });
    const commands = Array.from({ length: 12 }, (_, index) => [
      `command-${index}.cjs`,
      command(index === 0 ? ["common.cjs", "rare.cjs"] : ["common.cjs", "named.cjs"]),
    ]);
    const outputs = {
      ...(Object.fromEntries(commands) as Record<string, ReturnType<typeof command>>),
      "common.cjs": { imports: [{ path: "under.cjs", kind: "import-statement" }] },
      "under.cjs": { imports: [{ path: "better-sqlite3", kind: "import-statement", external: true }] },
      "rare.cjs": { imports: [] },
      "named.cjs": command([]),
    };
    expect([...choosePacks(outputs).keys()].sort()).toEqual(["common.cjs", "under.cjs"]);
  });
});

test("the build fails if esbuild changes how parts export", () => {
  expect(() => withoutCopies("var __toCommonJS=mod=>mod;")).toThrow("in another way");
});
