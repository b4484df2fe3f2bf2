/** What `npm ci` needs on machines other than this one: slips here show nowhere else before a release. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

interface Locked {
  version?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  gypfile?: boolean;
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(ROOT, name), "utf8")) as T;
}

describe("package-lock.json", () => {
  const { packages } = readJson<{ packages: Record<string, Locked> }>("package-lock.json");

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

  test("has a digest for every package but optional ones of development tools", () => {
    const without = Object.entries(packages).filter(
      ([path, { integrity }]) => path !== "" && integrity === undefined,
    );
    for (const [path, { optional }] of without) {
      expect(path).toMatch(/^node_modules\/@(?:biomejs\/cli|oxc-parser\/binding|oxlint\/binding)-/);
      expect(optional).toBe(true);
    }
  });

  test("better-sqlite3 is not compiled: it brings its binaries, which npm before 11 does not see in a lock file", () => {
    expect(packages["node_modules/better-sqlite3"]).toMatchObject({ gypfile: false });
    expect(readJson<{ allowScripts: unknown }>("package.json").allowScripts).toEqual({
      node: true,
      esbuild: false,
      "better-sqlite3": false,
    });
  });
});

test("every version is pinned: what was tested is what is installed", () => {
  const { dependencies, devDependencies } = readJson<Record<string, Record<string, string>>>("package.json");
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(`${name}@${version}`).toMatch(/@\d+\.\d+\.\d+(-alpha\.\d+)?$/);
  }
});
