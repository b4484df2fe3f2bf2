/** Compares SECURITY.md with the program: its paths exist, and no operation, route, sealed column or secret is missing. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { OPERATIONS, createApp } from "../../server/app.ts";
import { type Config, describeConfig } from "../../src/config/config.ts";
import { SEALED_COLUMNS } from "../../storage/encryption/sealed.ts";
import { openBench } from "../helpers/appliance.ts";
import { forAllTests } from "../helpers/set-up.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const TEXT = readFileSync(resolve(ROOT, "SECURITY.md"), "utf8");

/** Returns the code spans in the section `heading`. */
function named(heading: string): ReadonlySet<string> {
  const section = TEXT.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`SECURITY.md has no section ${heading}`);
  return new Set([...section.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!));
}

const bench = forAllTests(openBench);

const FOLDERS = "bin|commands|docs|server|src|storage|test";
const PATHS = [
  ...TEXT.matchAll(new RegExp(`\`((?:${FOLDERS})/[^\`\\s]*|[\\w.-]+\\.(?:ts|json))\``, "g")),
  ...TEXT.matchAll(/\]\(([^)#]+)\)/g),
].map(([, path]) => path!);

describe("SECURITY.md names existing paths", () => {
  test.each([...new Set(PATHS)].filter((path) => path !== "config.toml"))("%s", (path) => {
    expect(existsSync(resolve(ROOT, path))).toBe(true);
  });

  test("and, for each measure, the code and a test", () => {
    const [, measures = ""] = /^## Threats and measures\n([\s\S]*?)^## /m.exec(TEXT) ?? [];
    const rows = measures
      .split("\n")
      .filter((line) => /^\| (?!Measure |-)/.test(line) && !line.startsWith("|---"));
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) {
      const [, , where, shown] = row.split("|");
      expect(where, row).toMatch(/`[^`]+`/);
      expect(shown, row).toMatch(/`test\/[^`]+\.test\.ts`/);
    }
  });
});

describe("the tables of SECURITY.md contain", () => {
  test("exactly the existing operations", () => {
    const ids = new Set(OPERATIONS.map(({ id }) => id));
    const known = [...named("Entry points")].filter((text) => /^[a-z]+[A-Z]\w+$/.test(text));
    expect(new Set(known)).toEqual(ids);
  });

  test("exactly the existing routes outside the operations", () => {
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
      "appliance.audit_key",
    ];
    expect(wanted.length).toBeGreaterThanOrEqual(10);
    const columns = [...named("Secrets")].filter((text) =>
      /^[a-z_]+\.(?:hash|token_hash|credentials|secrets|answer|sealed|attempts|audit_key)$/.test(text),
    );
    expect(new Set(columns)).toEqual(new Set(wanted));
  });

  test("the environment variable of every setting that is not logged", () => {
    const variables = secretsOf(describeConfig(bench.appliance.config)).map(variableOf);
    expect(variables.length).toBeGreaterThanOrEqual(3);
    for (const variable of variables) expect(named("Secrets")).toContain(variable);
  });
});

/** Returns the paths of the settings that the log shows as `set` or `not set`. */
function secretsOf(described: Record<string, unknown>): string[][] {
  return Object.entries(described).flatMap(([section, settings]) =>
    Object.entries((settings ?? {}) as Config["server"])
      .filter(([, value]) => value === "set" || value === "not set")
      .map(([name]) => [section, name]),
  );
}

/** Returns the environment variable of a setting; those of the master keys do not follow the general form. */
function variableOf(path: readonly string[]): string {
  const words = path.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  return path[0] === "security" ? `FISCAL_${words[1]}` : `FISCAL_${words.join("__")}`;
}
