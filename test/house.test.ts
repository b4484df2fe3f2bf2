/**
 * Checks the architecture: the order of the layers and of the folders in src, where packages may be used, that the
 * domain is pure, and that no files import each other. docs/decisions/0003 explains why imports are read with oxc's parser.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { NOUNS } from "../commands/nouns.ts";
import { makeFolder } from "./helpers/folder.ts";
import { findCycles, type Import, loadedBy, readImports } from "./helpers/imports.ts";
import { readWords } from "./helpers/texts.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** From the bottom up. */
const LAYERS = ["storage", "src", "server", "commands"];

/** Packages that only one layer may use, with all their subpaths (`kysely/migration`). */
const PACKAGES: Readonly<Record<string, string>> = {
  "better-sqlite3": "storage",
  kysely: "storage",
  pg: "storage",
  h3: "server",
  "@modelcontextprotocol/server": "server",
  commander: "commands",
  "@inquirer": "commands",
  "cli-progress": "commands",
  "cli-table3": "commands",
};

/** The folders of src in their order: each imports only itself and those above it. Files directly in src come last. */
const FOLDERS = [
  "foundation",
  "domain",
  "providers",
  "config",
  "journal",
  "work",
  "numbering",
  "logs",
  "tax-ids",
  "customers",
  "merchants",
  "keys",
  "issuing",
  "connections",
  "connect-sessions",
  "documents",
  "webhooks",
  "intake",
  "paper",
  "books",
  "mail",
  "upkeep",
  "console",
  "operations",
];

/** What the domain may load besides itself and pure files of foundation. */
const PURE_MODULES: ReadonlySet<string> = new Set(["valibot", "node:crypto", "storage/stored-values.ts"]);

function layerOf(path: string): number {
  return LAYERS.indexOf(path.split("/", 1)[0] ?? "");
}

/** The position of a file of src in the order of folders; -1 in a folder that is not listed. */
function folderOf(path: string): number {
  const [, folder = "", ...rest] = path.split("/");
  return rest.length === 0 ? FOLDERS.length : FOLDERS.indexOf(folder);
}

function isOurs(path: string): boolean {
  return path.endsWith(".ts");
}

function isInSrc(path: string): boolean {
  return isOurs(path) && path.startsWith("src/");
}

/** One sentence for each import that breaks a rule of layers, folders, packages or cycles. */
function problemsOf(imports: readonly Import[]): string[] {
  const broken = imports.filter(
    ({ from, to }) => isUpwards(from, to) || isAgainstOrder(from, to) || isMisplaced(from, to),
  );
  const files = new Set(imports.flatMap(({ from, to }) => [from, to]).filter(isInSrc));
  return [
    ...broken.map(({ from, to }) => `${from} must not import ${to}`),
    ...[...files].filter((file) => folderOf(file) === -1).map((file) => `${file} is in no listed folder`),
    ...impureImports(imports),
    ...findCycles(imports).map((cycle) => `${cycle} is a cycle`),
  ];
}

/** Tests, benchmarks and the build are outside the layers: the product imports none of them. */
function isUpwards(from: string, to: string): boolean {
  return isOurs(to) && (layerOf(to) === -1 || layerOf(to) > layerOf(from));
}

function isAgainstOrder(from: string, to: string): boolean {
  return isInSrc(from) && isInSrc(to) && folderOf(to) > folderOf(from);
}

function isMisplaced(from: string, to: string): boolean {
  const entry = Object.entries(PACKAGES).find(([name]) => to === name || to.startsWith(`${name}/`));
  return entry !== undefined && layerOf(from) !== LAYERS.indexOf(entry[1]);
}

/** One sentence for each chain of imports from the domain to storage, the network, the clock's modules or a package. */
function impureImports(imports: readonly Import[]): string[] {
  const domain = new Set(imports.map(({ from }) => from).filter((from) => from.startsWith("src/domain/")));
  const chains = [...domain].flatMap((file) => [...loadedBy(imports, file)]);
  return chains
    .filter(([to]) => !isInSrc(to) && !PURE_MODULES.has(to))
    .map(([, chain]) => `${chain} makes the domain impure`);
}

describe("the project's own imports", () => {
  const imports = readImports(ROOT, LAYERS);

  test("are read from every layer and every folder that exists", () => {
    for (const layer of LAYERS) expect(imports.some(({ from }) => from.startsWith(`${layer}/`))).toBe(true);
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    for (const { name } of folders) {
      expect(FOLDERS).toContain(name);
      expect(imports.some(({ from, to }) => `${from} ${to}`.includes(`src/${name}/`))).toBe(true);
    }
  });

  test("obey the order of layers and folders, keep packages in their layer, and form no cycle", () => {
    expect(problemsOf(imports)).toEqual([]);
  });

  test("reach storage from the interfaces only through src", () => {
    const interfaces = imports.filter(({ from }) => /^(commands|server)\//.test(from));
    expect(interfaces.filter(({ to }) => to.startsWith("storage/"))).toEqual([]);
  });

  test("leave the domain without a clock", () => {
    const domain = readdirSync(join(ROOT, "src/domain")).map((name) => `src/domain/${name}`);
    const clock = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(/;
    expect(domain.filter((path) => clock.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
  });

  test("do not include tests or benchmarks", () => {
    const outside = readImports(ROOT, ["test"]);
    expect(outside.some(({ to }) => layerOf(to) !== -1)).toBe(true);
    expect(imports.filter(({ to }) => isOurs(to) && layerOf(to) === -1)).toEqual([]);
  });
});

describe("what people read from src and storage", () => {
  const words = readWords(ROOT, ["src", "storage"]);

  test("names no flag: each interface says in its own way how a next step is taken", () => {
    expect(words.some(({ isText }) => isText)).toBe(true);
    // An operation's description has the help of its command.
    const read = words.filter(({ file }) => !file.startsWith("src/operations/"));
    expect(read.filter(({ text }) => FLAG.test(text))).toEqual([]);
    const pages = readWords(ROOT, ["server/pages"]).filter(({ isText }) => isText);
    expect(pages.filter(({ text }) => FLAG.test(text))).toEqual([]);
  });

  test("names no command and no path of the API or the console", () => {
    const commands = new RegExp(`\\bfiscal (?:${Object.keys(NOUNS).join("|")})\\b`);
    const texts = words.filter(({ isText }) => isText);
    const naming = texts.filter(({ text }) => commands.test(text) || PATH.test(text));
    expect(naming).toEqual([]);
  });
});

const FLAG = /(?<![\w-])--[a-z]/;
const PATH = /\b(?:GET|POST|PATCH|DELETE) \/|\/(?:api\/v1|console|connect)\b/;

describe("a planted import", () => {
  let folder: string;
  beforeEach(() => {
    folder = makeFolder();
  });

  /** The imports of a tree that has `sound.ts` everywhere, and `files`. */
  function build(files: Record<string, string>): Import[] {
    const everywhere = [...LAYERS, ...FOLDERS.map((name) => `src/${name}`), "src"];
    const sound = Object.fromEntries(
      everywhere.map((place) => [`${place}/sound.ts`, "export const sound = 1;\n"]),
    );
    const others = { "test/helper.ts": "export {};\n", "storage/stored-values.ts": "export {};\n" };
    for (const [path, text] of Object.entries({ ...sound, ...others, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return readImports(folder, LAYERS);
  }
  const problemsWith = (files: Record<string, string>) => problemsOf(build(files));

  test("is no problem if it obeys the rules", () => {
    const files = {
      "commands/a.ts":
        'import { sound } from "../server/sound.ts";\nimport "commander";\nexport { sound };\n',
      "server/a.ts":
        'import type { sound } from "../src/sound.ts";\nimport "h3";\nexport type A = typeof sound;\n',
      "src/a.ts": 'export * from "../storage/sound.ts";\nexport * from "./upkeep/sound.ts";\n',
      "src/books/a.ts": 'import "../paper/sound.ts";\nimport "./sound.ts";\nimport "node:fs";\n',
      "src/domain/a.ts":
        'import type { sound } from "../../storage/sound.ts";\nimport "valibot";\nimport "../../storage/stored-values.ts";\nexport type A = typeof sound;\n',
      "storage/a.ts": 'import "kysely/migration";\nimport "better-sqlite3";\n',
    };
    expect(problemsWith(files)).toEqual([]);
  });

  test.each([
    ["storage/a.ts", 'import "../src/sound.ts";', "src/sound.ts"],
    ["storage/deep/a.ts", 'import type { sound } from "../../src/sound.ts";', "src/sound.ts"],
    ["src/a.ts", 'export { sound } from "../server/sound.ts";', "server/sound.ts"],
    ["src/a.ts", 'export type * from "../commands/sound.ts";', "commands/sound.ts"],
    ["src/a.ts", 'export const load = () => import("../server/sound.ts");', "server/sound.ts"],
    ["server/a.ts", 'export type A = typeof import("../commands/sound.ts");', "commands/sound.ts"],
    ["src/a.ts", 'import "../test/helper.ts";', "test/helper.ts"],
    ["src/paper/a.ts", 'export type * from "../books/sound.ts";', "src/books/sound.ts"],
    ["src/upkeep/a.ts", 'import "../sound.ts";', "src/sound.ts"],
    ["commands/a.ts", 'import type { Kysely } from "kysely";', "kysely"],
    ["src/a.ts", 'import { Migrator } from "kysely/migration";', "kysely/migration"],
    ["src/a.ts", 'export const ask = () => import("@inquirer/prompts");', "@inquirer/prompts"],
  ])("in %s is refused: %s", (file, text, to) => {
    expect(problemsWith({ [file]: `${text}\n` })).toEqual([`${file} must not import ${to}`]);
  });

  test("in a folder that is not listed is refused", () => {
    const files = { "src/attic/a.ts": 'import "../foundation/sound.ts";\n' };
    expect(problemsWith(files)).toContain("src/attic/a.ts is in no listed folder");
  });

  test("that closes a cycle is refused, lazy and for types alone too", () => {
    const files = {
      "src/a.ts": 'export const a = () => import("./b.ts");\n',
      "src/b.ts": 'import { c } from "./c.ts";\nexport const b = () => c;\n',
      "src/c.ts": 'import type { a } from "./a.ts";\nexport const c = (x: typeof a) => x;\n',
    };
    expect(problemsWith(files)).toEqual(["src/a.ts > src/b.ts > src/c.ts > src/a.ts is a cycle"]);
  });

  test.each([
    ["storage", 'import { type sound } from "../../storage/sound.ts";\n', "storage/sound.ts"],
    ["the network", 'import "node:http";\n', "node:http"],
    ["a package", 'import "undici";\n', "undici"],
  ])("by which the domain reaches %s through another folder is refused", (_what, text, to) => {
    const files = {
      "src/domain/a.ts": 'export * from "../foundation/between.ts";\n',
      "src/foundation/between.ts": text,
    };
    const chain = `src/domain/a.ts > src/foundation/between.ts > ${to}`;
    expect(problemsWith(files)).toEqual([`${chain} makes the domain impure`]);
  });

  test.each([
    ["of a missing file", 'import "./gone.ts";\n', "is not there"],
    ["of a computed name", "export const load = (name: string) => import(name);\n", "not a literal"],
    ["with a syntax error", "import {", "cannot be parsed"],
  ])("%s is an error", (_what, text, message) => {
    expect(() => build({ "src/a.ts": text })).toThrow(message);
  });
});
