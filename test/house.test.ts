/**
 * The floors of the house: each stands only on those below it, and what decides does not touch the world. The imports
 * are read with oxc's parser; docs/decisions/0003 says why with that one.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findCycles, type Import, loadedBy, readImports } from "./helpers/imports.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** From the ground up. */
const FLOORS = ["storage", "src", "server", "commands"];

/** Packages that stay on one floor, with everything under them (`kysely/migration`). */
const PACKAGES: Readonly<Record<string, string>> = {
  "better-sqlite3": "storage",
  kysely: "storage",
  h3: "server",
  "@modelcontextprotocol/sdk": "server",
  commander: "commands",
  "@inquirer": "commands",
  "cli-table3": "commands",
  "cli-progress": "commands",
};

/** What decides: tested as tables, so it loads neither storage nor anything that reaches the world. */
const DECIDING = [
  "src/cron-fields.ts",
  "src/documents/asking.ts",
  "src/documents/canonical.ts",
  "src/documents/classification.ts",
  "src/documents/lifecycle.ts",
  "src/documents/routing.ts",
  "src/documents/rules.ts",
  "src/documents/totals.ts",
  "src/tax-ids/number.ts",
  "src/money.ts",
];
const PACKAGES_FOR_DECIDING: ReadonlySet<string> = new Set(["valibot"]);

function floorOf(path: string): number {
  return FLOORS.indexOf(path.split("/", 1)[0] ?? "");
}

function isOurs(path: string): boolean {
  return path.endsWith(".ts");
}

/** One sentence for each import that breaks a rule of floors, packages or cycles. */
function problemsOf(imports: readonly Import[]): string[] {
  const broken = imports.filter(({ from, to }) => isUpwards(from, to) || isMisplaced(from, to));
  return [
    ...broken.map(({ from, to }) => `${from} must not import ${to}`),
    ...findCycles(imports).map((cycle) => `${cycle} is a cycle`),
  ];
}

/** Outside the floors are tests, measurements and the build: nothing of the product imports them. */
function isUpwards(from: string, to: string): boolean {
  return isOurs(to) && (floorOf(to) === -1 || floorOf(to) > floorOf(from));
}

function isMisplaced(from: string, to: string): boolean {
  const entry = Object.entries(PACKAGES).find(([name]) => to === name || to.startsWith(`${name}/`));
  return entry !== undefined && floorOf(from) !== FLOORS.indexOf(entry[1]);
}

/** One sentence for each way from the deciding `file` to storage, to a module of Node's, or to a package too many. */
function reachesOf(imports: readonly Import[], file: string): string[] {
  return [...loadedBy(imports, file)]
    .filter(([to]) => (isOurs(to) ? floorOf(to) !== FLOORS.indexOf("src") : !PACKAGES_FOR_DECIDING.has(to)))
    .map(([, chain]) => `${chain} leaves what decides`);
}

describe("this house", () => {
  const imports = readImports(ROOT, FLOORS);

  test("is read whole", () => {
    for (const floor of FLOORS) expect(imports.some(({ from }) => from.startsWith(`${floor}/`))).toBe(true);
  });

  test("stands: no import points upwards, no package is on a wrong floor, there is no cycle", () => {
    expect(problemsOf(imports)).toEqual([]);
  });

  test.each(DECIDING)("%s decides without touching the world", (file) => {
    expect(imports.some(({ from, to }) => from === file || to === file)).toBe(true);
    expect(reachesOf(imports, file)).toEqual([]);
  });

  test("tests import it, and the product nothing of them or of the measurements", () => {
    const outside = readImports(ROOT, ["test"]);
    expect(outside.some(({ to }) => floorOf(to) !== -1)).toBe(true);
    expect(imports.filter(({ to }) => isOurs(to) && floorOf(to) === -1)).toEqual([]);
  });
});

describe("a house that breaks a rule is found out", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fiscal-house-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function build(files: Record<string, string>): Import[] {
    const sound = Object.fromEntries(
      FLOORS.map((floor) => [`${floor}/sound.ts`, "export const sound = 1;\n"]),
    );
    for (const [path, text] of Object.entries({ ...sound, "test/helper.ts": "export {};\n", ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return readImports(folder, FLOORS);
  }

  test("a sound one has no problem", () => {
    const imports = build({
      "commands/a.ts":
        'import { sound } from "../server/sound.ts";\nimport "commander";\nexport { sound };\n',
      "server/a.ts":
        'import type { sound } from "../src/sound.ts";\nimport "h3";\nexport type A = typeof sound;\n',
      "src/a.ts": 'export * from "../storage/sound.ts";\nimport "node:fs";\n',
      "storage/a.ts": 'import "kysely/migration";\nimport "better-sqlite3";\n',
    });
    expect(problemsOf(imports)).toEqual([]);
  });

  test.each([
    ["storage/a.ts", 'import "../src/sound.ts";', "src/sound.ts"],
    ["storage/deep/a.ts", 'import type { sound } from "../../src/sound.ts";', "src/sound.ts"],
    ["src/a.ts", 'export { sound } from "../server/sound.ts";', "server/sound.ts"],
    ["src/a.ts", 'export type * from "../commands/sound.ts";', "commands/sound.ts"],
    ["src/a.ts", 'export const load = () => import("../server/sound.ts");', "server/sound.ts"],
    ["server/a.ts", 'export type A = typeof import("../commands/sound.ts");', "commands/sound.ts"],
    ["server/a.ts", 'export type A = import("../commands/sound.ts").A;', "commands/sound.ts"],
    ["src/a.ts", 'import "../test/helper.ts";', "test/helper.ts"],
    ["src/a.ts", 'import { H3 } from "h3";', "h3"],
    ["commands/a.ts", 'import type { Kysely } from "kysely";', "kysely"],
    ["src/a.ts", 'import { Migrator } from "kysely/migration";', "kysely/migration"],
    ["server/a.ts", 'import Database from "better-sqlite3";', "better-sqlite3"],
    ["server/a.ts", 'import { Command } from "commander";', "commander"],
    ["src/a.ts", 'export const ask = () => import("@inquirer/prompts");', "@inquirer/prompts"],
    ["src/a.ts", 'import Table from "cli-table3";', "cli-table3"],
  ])("%s: %s", (file, text, to) => {
    expect(problemsOf(build({ [file]: `${text}\n` }))).toEqual([`${file} must not import ${to}`]);
  });

  test.each([
    ["for values", 'import { b } from "./b.ts";\nexport const a = () => b;\n'],
    ["for types alone", 'import type { b } from "./b.ts";\nexport type A = typeof b;\n'],
    ["lazily", 'export const a = () => import("./b.ts");\n'],
  ])("two files that import each other %s", (_how, text) => {
    const imports = build({
      "src/a.ts": text,
      "src/b.ts": 'import { c } from "./c.ts";\nexport const b = () => c;\n',
      "src/c.ts": 'import type { a } from "./a.ts";\nexport const c = (x: typeof a) => x;\n',
    });
    const [problem = "", ...others] = problemsOf(imports);
    expect(others).toEqual([]);
    expect(problem).toMatch(/is a cycle$/);
    for (const name of ["src/a.ts", "src/b.ts", "src/c.ts"]) expect(problem).toContain(name);
  });

  test.each([
    ["storage", 'import "../storage/sound.ts";\n', "storage/sound.ts"],
    [
      "storage, with its types only named as such",
      'import { type sound } from "../storage/sound.ts";\n',
      "storage/sound.ts",
    ],
    ["the network", 'import "node:http";\n', "node:http"],
    ["a package", 'import "undici";\n', "undici"],
  ])("a deciding file that reaches %s through another", (_what, text, to) => {
    const imports = build({ "src/money.ts": 'export * from "./between.ts";\n', "src/between.ts": text });
    expect(reachesOf(imports, "src/money.ts")).toEqual([
      `src/money.ts > src/between.ts > ${to} leaves what decides`,
    ]);
  });

  test("a deciding file may know the stored words, and may use valibot", () => {
    const text =
      'import type { sound } from "../storage/sound.ts";\nimport "valibot";\nexport type A = typeof sound;\n';
    expect(reachesOf(build({ "src/money.ts": text }), "src/money.ts")).toEqual([]);
  });

  test.each([
    ["a file that is not there", 'import "./gone.ts";\n', "is not there"],
    [
      "a module that only running tells",
      "export const load = (name: string) => import(name);\n",
      "only running",
    ],
    ["broken text", "import {", "cannot be parsed"],
  ])("%s is an error", (_what, text, message) => {
    expect(() => build({ "src/a.ts": text })).toThrow(message);
  });
});
