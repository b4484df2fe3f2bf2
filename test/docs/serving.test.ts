/** Compares the settings and defaults in docs/serving.md with the program. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";
import { loadConfig } from "../../src/config/config.ts";
import { SETTINGS } from "../../src/config/settings.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/serving.md"), "utf8");

test("the page gives the limits of the program", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)];
  expect(rows.length).toBeGreaterThan(8);
  for (const [, name, value] of rows)
    expect([name, SETTINGS[`server.${name}`]?.default]).toEqual([name, Number(value)]);
});

test("the page has configuration examples that load", () => {
  const files = [...page.matchAll(/^```toml\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  expect(files).toHaveLength(3);
  const folder = makeFolder();
  for (const text of files) {
    writeFileSync(join(folder, "config.toml"), text);
    const config = loadConfig({ env: { HOME: folder }, cwd: folder, flags: { config: "config.toml" } });
    const { server } = parse(text) as { server: { public_url: string } };
    expect(config.server.publicUrl).toBe(server.public_url);
  }
});
