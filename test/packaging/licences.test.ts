/** Tests that the program is distributed with the licences of the libraries in it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bundledPackages, writeNotices } from "../../packaging/licences.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const DIST = join(ROOT, "dist");

interface Manifest {
  name: string;
  version: string;
}

describe("the packages of a bundle", () => {
  test("are listed once each, innermost if nested, and only if the output contains code of them", () => {
    const bytes = (bytesInOutput: number) => ({ bytesInOutput });
    const outputs = {
      "a.js": {
        inputs: {
          "commands/program.ts": bytes(10),
          "node_modules/h3/dist/index.mjs": bytes(5),
          "node_modules/@inquirer/core/dist/index.js": bytes(5),
          "node_modules/unused/index.js": bytes(0),
        },
      },
      "b.js": {
        inputs: {
          "node_modules/h3/dist/other.mjs": bytes(1),
          "node_modules/linebreak/node_modules/base64-js/lib.js": bytes(1),
        },
      },
    };
    expect(bundledPackages({ outputs })).toEqual([
      "node_modules/@inquirer/core",
      "node_modules/h3",
      "node_modules/linebreak/node_modules/base64-js",
    ]);
  });
});

describe("the notices", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "fiscal-licences-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function install(manifest: { name: string; license?: string; author?: string }, files = {}): string {
    const folder = join("node_modules", manifest.name);
    mkdirSync(join(root, folder), { recursive: true });
    const all = { "package.json": JSON.stringify({ version: "1.0.0", ...manifest }), ...files };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(root, folder, name), String(text));
    return folder;
  }

  test("contain each package's own texts: licences and notices", async () => {
    const folder = install({ name: "own", license: "Apache-2.0" }, { LICENSE: "OWN WORDS", NOTICE: "SEEN" });
    const text = await writeNotices(root, [folder]);
    expect(text).toContain("own 1.0.0 (Apache-2.0)");
    expect(text).toContain("OWN WORDS");
    expect(text).toContain("SEEN");
  });

  test("contain the standard MIT text for a package without a licence file", async () => {
    const text = await writeNotices(root, [install({ name: "short", license: "MIT", author: "Somebody" })]);
    expect(text).toContain("Copyright (c) Somebody");
    expect(text).toContain("Permission is hereby granted");
  });

  test.each([["GPL-3.0"], [undefined]])(
    "are rejected for a package with licence %s but no text",
    async (license) => {
      const folder = install({ name: "bare", ...(license === undefined ? {} : { license }) });
      await expect(writeNotices(root, [folder])).rejects.toThrow("bare is bundled");
    },
  );
});

/** Of one part of the program, or of several in sections. */
type SourceMap = { sources: string[] } | { sections: { map: SourceMap }[] };

function sourcesOf(map: SourceMap): string[] {
  return "sections" in map ? map.sections.flatMap((section) => sourcesOf(section.map)) : map.sources;
}

/** Returns the folders of the packages in the built program, from its source maps. */
function packagesOfMaps(): string[] {
  const maps = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".cjs.map"),
  );
  const sources = maps.flatMap((name) =>
    sourcesOf(JSON.parse(readFileSync(join(DIST, name), "utf8")) as SourceMap),
  );
  const folders = sources.flatMap(
    (path) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  // Some libraries are bundles themselves, and their source maps name files on their authors' machines.
  return [...new Set(folders)].filter((folder) => existsSync(join(ROOT, folder, "package.json")));
}

test("the built program includes the licence of every bundled package", () => {
  const notices = readFileSync(join(DIST, "THIRD-PARTY-LICENSES.txt"), "utf8");
  const packages = packagesOfMaps();
  expect(packages.length).toBeGreaterThan(50);
  const missing = packages.filter((folder) => {
    const { name, version } = JSON.parse(
      readFileSync(join(ROOT, folder, "package.json"), "utf8"),
    ) as Manifest;
    return !notices.includes(`\n${name} ${version}`);
  });
  expect(missing).toEqual([]);
});

test("the built program uses no library that `overrides` replaces", () => {
  const notices = readFileSync(join(DIST, "THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(notices).not.toMatch(/^wrappy /m);
});
