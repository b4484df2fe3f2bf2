/** Tests that the program is distributed with the licences of the libraries in it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { bundledPackages, describePackages, writeNotices } from "../../packaging/contents.ts";
import { makeFolder } from "../helpers/folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const DIST = join(ROOT, "dist");

test("the packages of a bundle are listed once each, innermost if nested, and only if the output contains code of them", () => {
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
  expect(bundledPackages([{ outputs }])).toEqual([
    "node_modules/@inquirer/core",
    "node_modules/h3",
    "node_modules/linebreak/node_modules/base64-js",
  ]);
});

describe("the notices", () => {
  let root: string;
  beforeEach(() => {
    root = makeFolder();
  });

  function install(manifest: { name: string; license?: string; author?: string }, files = {}): string {
    const folder = join("node_modules", manifest.name);
    mkdirSync(join(root, folder), { recursive: true });
    const all = { "package.json": JSON.stringify({ version: "1.0.0", ...manifest }), ...files };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(root, folder, name), String(text));
    return folder;
  }

  test("contain each package's own texts: licences and notices", async () => {
    const folder = install({ name: "own", license: "Apache-2.0" }, { LICENSE: "OWN WORDS", NOTICE: "SEEN" });
    const text = writeNotices(await describePackages(root, [folder]));
    expect(text).toContain("own 1.0.0 (Apache-2.0)");
    expect(text).toContain("OWN WORDS");
    expect(text).toContain("SEEN");
  });

  test("contain the standard MIT text for a package without a licence file", async () => {
    const text = writeNotices(
      await describePackages(root, [install({ name: "short", license: "MIT", author: "Somebody" })]),
    );
    expect(text).toContain("Copyright (c) Somebody");
    expect(text).toContain("Permission is hereby granted");
  });

  test.each([["GPL-3.0"], [undefined]])(
    "are rejected for a package with licence %s but no text",
    async (license) => {
      const folder = install({ name: "bare", ...(license === undefined ? {} : { license }) });
      await expect(describePackages(root, [folder])).rejects.toThrow("bare is bundled");
    },
  );
});

interface Component {
  name: string;
  version: string;
  purl: string;
}

describe("the bill of materials of the built program", () => {
  const { components } = JSON.parse(readFileSync(join(DIST, "sbom.cdx.json"), "utf8")) as {
    components: Component[];
  };

  test("lists each package that is shipped, in the installed version, and its licence is passed on", () => {
    const notices = readFileSync(join(DIST, "THIRD-PARTY-LICENSES.txt"), "utf8");
    expect(components.length).toBeGreaterThan(50);
    for (const { name, version } of components) expect(notices).toContain(`\n${name} ${version}`);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const listed = new Map(components.map((each) => [each.name, each]));
    const missing = Object.keys(dependencies).filter((name) => !listed.has(name));
    expect(missing).toEqual([]);
    for (const [name, version] of Object.entries(dependencies))
      expect(listed.get(name)).toMatchObject({
        version,
        purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      });
  });

  test("lists nothing that only builds or checks", () => {
    const names = components.map(({ name }) => name);
    for (const name of ["esbuild", "typescript", "vitest", "wrappy"]) expect(names).not.toContain(name);
  });
});
