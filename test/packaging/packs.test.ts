import { createRequire } from "node:module";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { choosePacks, joinParts, requirePacks, withoutCopies } from "../../packaging/packs.ts";

const MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "fiscal-packs-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes `parts` as the pack `pack.cjs`, and requires `name` from it. */
function requireFrom(parts: Record<string, string>, name: string): unknown {
  const packs = new Map(Object.keys(parts).map((part) => [part, "pack.cjs"]));
  const list = Object.entries(parts).map(([part, code]) => ({ name: part, code, map: MAP }));
  const file = join(folder, "pack.cjs");
  writeFileSync(file, joinParts("pack.cjs", list, packs).code);
  return (createRequire(file)(file) as (name: string) => unknown)(name);
}

describe("a pack", () => {
  test("runs each of its parts once, when it is first required", () => {
    const parts = {
      "runs.cjs": "exports.list = [];",
      "a.cjs": 'require("./runs.cjs").list.push("a"); require("./b.cjs"); require("./b.cjs");',
      "b.cjs": 'require("./runs.cjs").list.push("b");',
      "unused.cjs": 'require("./runs.cjs").list.push("unused");',
      "all.cjs": 'require("./a.cjs"); require("./b.cjs"); module.exports = require("./runs.cjs").list;',
    };
    expect(requireFrom(parts, "all.cjs")).toEqual(["a", "b"]);
  });

  test("repeats the error of a part that fails", () => {
    const parts = {
      "bad.cjs": 'throw new Error("no such module");',
      "tries.cjs": `exports.errors = [1, 2].map(() => { try { require("./bad.cjs"); } catch (error) { return error.message; } });`,
    };
    expect(requireFrom(parts, "tries.cjs")).toEqual({ errors: ["no such module", "no such module"] });
  });

  test("is required by the files outside it, from the folder of the program and from that of the parts", () => {
    const packs = new Map([["a.cjs", "pack.cjs"]]);
    expect(requirePacks('require("./parts/a.cjs");require("./a.cjs");require("./b.cjs")', packs)).toBe(
      'require("./parts/pack.cjs")("a.cjs");require("./pack.cjs")("a.cjs");require("./b.cjs")',
    );
  });

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
