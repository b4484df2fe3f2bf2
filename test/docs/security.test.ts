/** SECURITY.md names what there is: every path of it exists, and nothing that can be reached or must be hidden is missing. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOperations, createApp } from "../../server/app.ts";
import { type Config, describeConfig } from "../../src/config/config.ts";
import { SEALED_COLUMNS } from "../../storage/sealed.ts";
import { type Bench, openBench } from "../helpers/appliance.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const TEXT = readFileSync(resolve(ROOT, "SECURITY.md"), "utf8");

/** What stands between backticks in the section of the heading, up to the next one of its level. */
function named(heading: string): ReadonlySet<string> {
  const section = TEXT.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`SECURITY.md has no section ${heading}`);
  return new Set([...section.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!));
}

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const FOLDERS = "bin|commands|docs|server|src|storage|test";
const PATHS = [
  ...TEXT.matchAll(new RegExp(`\`((?:${FOLDERS})/[^\`\\s]*|[\\w.-]+\\.(?:ts|json))\``, "g")),
  ...TEXT.matchAll(/\]\(([^)#]+)\)/g),
].map(([, path]) => path!);

describe("a path that it names is there", () => {
  test.each([...new Set(PATHS)].filter((path) => path !== "config.toml"))("%s", (path) => {
    expect(existsSync(resolve(ROOT, path))).toBe(true);
  });

  test("each measure names where it is done and what shows it", () => {
    const [, measures = ""] = /^## From whom, and how\n([\s\S]*?)^## /m.exec(TEXT) ?? [];
    const rows = measures
      .split("\n")
      .filter((line) => /^\| (?!What is done|-)/.test(line) && !line.startsWith("|---"));
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) {
      const [, , where, shown] = row.split("|");
      expect(where, row).toMatch(/`[^`]+`/);
      expect(shown, row).toMatch(/`test\/[^`]+\.test\.ts`/);
    }
  });
});

describe("its tables have", () => {
  test("every operation, and none that there is not", () => {
    const ids = new Set(allOperations().map(({ id }) => id));
    const known = [...named("Entry points")].filter((text) => /^[a-z]+[A-Z]\w+$/.test(text));
    expect(new Set(known)).toEqual(ids);
  });

  test("every route outside the operations, and none that there is not", () => {
    const { app } = createApp(bench.appliance);
    const routes = app["~routes"].map(({ route }) => route!.replace(/^\/api\/v1.*/, "/api/v1/**"));
    const paths = [...named("Entry points")].filter((text) => text.startsWith("/"));
    expect(new Set(paths)).toEqual(new Set(routes));
  });

  test("every sealed column and every stored hash of a secret", () => {
    const database = new Database(bench.appliance.config.storage.database, { readonly: true });
    const hashes = database
      .prepare<[], { name: string }>(
        `select tables.name || '.' || columns.name as name from sqlite_schema as tables,
         pragma_table_info(tables.name) as columns
         where tables.type = 'table' and columns.name in ('hash', 'token_hash')`,
      )
      .all();
    database.close();
    const wanted = [
      ...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`),
      ...hashes.map(({ name }) => name),
    ];
    expect(wanted.length).toBeGreaterThanOrEqual(10);
    const columns = [...named("Secrets")].filter((text) =>
      /^[a-z_]+\.(?:hash|token_hash|credentials|secrets|answer|sealed|attempts)$/.test(text),
    );
    expect(new Set(columns)).toEqual(new Set(wanted));
  });

  test("the variable of every setting that is kept out of the log", () => {
    const variables = secretsOf(describeConfig(bench.appliance.config)).map(variableOf);
    expect(variables.length).toBeGreaterThanOrEqual(3);
    for (const variable of variables) expect(named("Secrets")).toContain(variable);
  });
});

/** The paths of settings that the log shows as `set` or `not set`. */
function secretsOf(described: Record<string, unknown>): string[][] {
  return Object.entries(described).flatMap(([section, settings]) =>
    Object.entries((settings ?? {}) as Config["server"])
      .filter(([, value]) => value === "set" || value === "not set")
      .map(([name]) => [section, name]),
  );
}

/** decisions 14; the master keys have names of their own. */
function variableOf(path: readonly string[]): string {
  const words = path.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  return path[0] === "security" ? `FISCAL_${words[1]}` : `FISCAL_${words.join("__")}`;
}
