/** Compares the metrics in docs/watching.md with the program. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";
import { openServer } from "../helpers/http.ts";
import { hasPromtool, parseMetrics, runPromtool } from "../helpers/prometheus.ts";
import { closing } from "../helpers/set-up.ts";

const TEXT = readFileSync(resolve(import.meta.dirname, "../../docs/watching.md"), "utf8");

test("docs/watching.md names exactly the existing metrics", async () => {
  await using server = await closing(openServer());
  const families = parseMetrics(await (await server.appliance.metrics()).text());
  const given = new Set(families.map(({ name }) => name));
  const named = new Set(TEXT.match(/\b(?:fiscal|process|nodejs)_[a-z0-9_]+/g));
  expect([...named].filter((name) => !given.has(name))).toEqual([]);
  expect([...given].filter((name) => name.startsWith("fiscal_") && !named.has(name))).toEqual([]);
});

test.skipIf(!hasPromtool)("promtool accepts the alerts of docs/watching.md", () => {
  const [, rules = ""] = /```yaml\n(groups:\n[\s\S]*?)```/.exec(TEXT) ?? [];
  const folder = makeFolder();
  const file = join(folder, "alerts.yml");
  writeFileSync(file, rules);
  const { code, said } = runPromtool(["check", "rules", file]);
  expect(said).toMatch(/SUCCESS: \d{2} rules found/);
  expect(code).toBe(0);
});
