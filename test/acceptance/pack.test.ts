/** The package made by `npm pack`, installed in an empty folder, works there without this repository. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, runBuilt, startBuilt } from "../helpers/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MINUTE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), "fiscal-pack-"));
const elsewhere = join(folder, "elsewhere");
const installed = join(elsewhere, "node_modules", "fiscal");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** With the tests' Node first, and none of this npm run's variables. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/i.test(name));
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const { stdout } = await promisify(execFile)("npm", args, {
    cwd,
    env: { ...Object.fromEntries(kept), PATH: path, npm_config_update_notifier: "false" },
  });
  return stdout;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** A copy, because `npm pack` builds, and other tests are running dist/. */
const clone = join(folder, "clone");

let packed: Packed;
beforeAll(async () => {
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "package.json"), '{"private":true}');
  const unused = new Set([".git", "dist", "build", "coverage", "test", "bench"]);
  const names = readdirSync(ROOT).filter((name) => !unused.has(name));
  // The test runner renames files of its cache while other tests run.
  const filter = (path: string) => !path.includes(".vitest-cache");
  await Promise.all(
    names.map((name) =>
      cp(join(ROOT, name), join(clone, name), { recursive: true, verbatimSymlinks: true, filter }),
    ),
  );
  const output = await npm(clone, "pack", "--json", "--pack-destination", folder);
  const [first] = Object.values(JSON.parse(output) as Record<string, Packed>);
  if (first === undefined) throw new Error("npm pack reported no package");
  packed = first;
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(elsewhere, "install", ...flags, join(folder, packed.filename));
}, 5 * MINUTE_MS);

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

describe("the package", () => {
  test("contains the built program and its documentation, but no tests or sources", () => {
    const tops = new Set(packed.files.map(({ path }) => path.split("/", 1)[0]));
    const files = "README.md SECURITY.md config.example.toml package.json";
    expect([...tops].sort()).toEqual(`${files} bin dist docs examples packaging`.split(" ").sort());
    const sources = packed.files.filter(
      ({ path }) => /(?<!\.d)\.ts$|\.test\./.test(path) && !path.startsWith("examples/"),
    );
    expect(sources).toEqual([]);
  });

  test("stays small", () => expect(packed.size).toBeLessThan(8_000_000));

  test("contains no path of the machine that packed it", () => {
    expect(filesBelow(installed).filter((file) => readFileSync(file).includes(ROOT))).toEqual([]);
  });

  test("has its version, its licences and the binaries for every platform", () => {
    const modules = readdirSync(join(elsewhere, "node_modules")).filter((name) => !name.startsWith("."));
    expect(modules.sort()).toEqual(["better-sqlite3", "fiscal", "kysely", "node-addon-api", "valibot"]);
    expect(readFileSync(join(installed, "dist", "THIRD-PARTY-LICENSES.txt"), "utf8")).toContain("\nh3 ");
    expect(readdirSync(join(elsewhere, "node_modules", "better-sqlite3", "prebuilds"))).toContain(
      "win32-x64.node",
    );
  });
});

test("a build of the same files in another folder is the same to the byte", () => {
  const [first, second] = [ROOT, clone].map((root) =>
    filesBelow(join(root, "dist")).map((file) => [file.slice(root.length), hashOf(file)]),
  );
  expect(second).toEqual(first);
});

test("the manifest names what is not bundled, and nothing to build; the project's own is unchanged", () => {
  const read = (root: string) => readFileSync(join(root, "package.json"), "utf8");
  const manifest = JSON.parse(read(installed)) as Record<string, object>;
  const { dependencies } = JSON.parse(read(ROOT)) as { dependencies: Record<string, string> };
  const { "better-sqlite3": database, kysely, valibot } = dependencies;
  expect(manifest["dependencies"]).toEqual({ "better-sqlite3": database, kysely, valibot });
  expect(manifest["engines"]).toEqual({ node: "^22.22.2 || ^24.15 || >=26" });
  for (const name of ["scripts", "devDependencies", "optionalDependencies"])
    expect(manifest).not.toHaveProperty(name);
  expect(read(clone)).toBe(read(ROOT));
});

describe("a build that fails leaves the previous one in place", () => {
  const program = join(clone, "dist", "fiscal.mjs");

  async function failure(): Promise<string> {
    const before = statSync(program).ino;
    const built = promisify(execFile)(process.execPath, ["build.ts"], { cwd: clone });
    const { stderr } = (await built.catch((error: unknown) => error)) as { stderr: string };
    expect(statSync(program).ino).toBe(before);
    expect(readdirSync(join(clone, "build"))).toEqual([]);
    return stderr;
  }

  test("for an error in a source", async () => {
    const file = join(clone, "commands", "program.ts");
    const source = readFileSync(file);
    appendFileSync(file, "\nconst = 1;\n");
    expect(await failure()).toContain("The build failed: ");
    writeFileSync(file, source);
  });

  test("without what builds, with a sentence that helps", async () => {
    rmSync(join(clone, "node_modules", "esbuild"), { recursive: true });
    expect(await failure()).toContain("`npm ci --include=dev`");
  });
});

test("npx in a clone, for which npm runs `prepare`, builds nothing", async () => {
  const program = join(clone, "dist", "fiscal.mjs");
  const before = statSync(program).ino;
  const env = { ...process.env, npm_command: "exec" };
  await promisify(execFile)(process.execPath, ["packaging/prepare.cjs"], { cwd: clone, env });
  expect(statSync(program).ino).toBe(before);
});

describe("installed in an empty folder", () => {
  const command = [process.execPath, join(installed, "bin", "fiscal.js")] as const;
  const run = (...args: string[]): Promise<Ended> => runBuilt(args, { folder: elsewhere, command });

  test("runs the quick start, and reports its version", async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(await run("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const { code, stdout, stderr } = await run("quickstart");
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("11 issued, 1 rejected"),
    });
    expect(stdout).toContain("fiscal_test_");
  });

  test("is linked as a command", async () => {
    const isWindows = process.platform === "win32";
    const link = statSync(join(elsewhere, "node_modules/.bin", isWindows ? "fiscal.cmd" : "fiscal"));
    expect([link.isFile(), isWindows || (link.mode & 0o111) !== 0]).toEqual([true, true]);
  });

  test("writes a PDF with its own font, a template and a shell completion", async () => {
    const pdf = join(elsewhere, "invoice.pdf");
    const data = ["--data-dir", join(elsewhere, "fiscal-quickstart")];
    expect(await run(...data, "documents", "pdf", "2026-001", "--output", pdf)).toMatchObject({ code: 0 });
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    const template = await run("documents", "template", "--format", "csv");
    expect(template).toMatchObject({ code: 0, stdout: expect.stringContaining("reference") });
    const completion = await run("completion", "bash");
    expect(completion).toMatchObject({ code: 0, stdout: expect.stringContaining("fiscal") });
  });

  test("serves the API with its reference and viewer", async () => {
    await using server = await startBuilt({ folder: elsewhere, command });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const page = await (await fetch(`${server.url}/docs`)).text();
    const [, viewer = ""] = /src="([^"]*viewer-[^"]*)"/.exec(page)!;
    const script = await fetch(new URL(viewer, `${server.url}/docs`));
    expect(script.status).toBe(200);
    expect((await script.arrayBuffer()).byteLength).toBeGreaterThan(500_000);
    expect(await server.stop()).toBe(0);
  });
});
