/** Backups of the built program: under load, killed midway, and scheduled; and unusable schema versions. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../../storage/database/schema.ts";
import { makeFolder } from "../helpers/folder.ts";
import { FIXTURE_KEY, FIXTURES } from "../helpers/schema-fixtures.ts";
import { seeded } from "../helpers/seeded.ts";
import { postDocument, prepareShop } from "../helpers/shop.ts";
import { type Ended, killLater, runBuilt, startBuilt } from "../helpers/server-process.ts";

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

const ENV = { FISCAL_MASTER_KEY: FIXTURE_KEY, FISCAL_RATE_LIMIT__REQUESTS: "0" };
const at = (...names: string[]) => join(folder, ...names);
const database = () => at("data", "fiscal.db");
const run = (...args: string[]) => runBuilt(args, { folder, env: ENV });

/** Expects that the command ends with 0, and returns what it prints as JSON. */
async function jsonOf<T>(ended: Promise<Ended>): Promise<T> {
  const { code, stdout, stderr } = await ended;
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

/** The documents of the released schema's data. */
async function expectDocuments(ended: Promise<Ended>): Promise<void> {
  expect((await jsonOf<{ data: unknown[] }>(ended)).data).toHaveLength(4);
}

/** Runs the program as a next version, with one more migration. */
const NEXT_VERSION = [process.execPath, resolve(import.meta.dirname, "../helpers/next-version.ts")] as const;
const NEXT_SCHEMA = SCHEMA_VERSION + 1;
const runNext = (...args: string[]) => runBuilt(args, { folder, env: ENV, command: NEXT_VERSION });

const WRITES_PER_SECOND = 200;
const CONNECTIONS = 200;

/** Large enough that copying, checking and migrating take a while. */
const BALLAST_MB = 16;

/** The newest released schema. */
const RELEASED_SCHEMA = 1;

/** Loads the newest released schema, and adds ballast to it. */
async function loadOld(): Promise<void> {
  mkdirSync(at("data"), { recursive: true });
  const old = new Database(database());
  // The dump has its tables in order of creation, not of their references.
  old.pragma("foreign_keys = OFF");
  old.exec(await readFile(join(FIXTURES, `000${RELEASED_SCHEMA}.sql`), "utf8"));
  addBallast(old);
  old.close();
}

function addBallast(opened: Database.Database): void {
  const insert = opened.prepare(
    "insert into bodies (id, sealed, created_at) values (?, randomblob(1000000), '2026-11-21T09:00:00.000Z')",
  );
  for (let count = 0; count < BALLAST_MB; count += 1) insert.run(`pcl_${String(count).padStart(22, "0")}`);
}

function readOnly<T>(file: string, use: (database: Database.Database) => T): T {
  const opened = new Database(file, { readonly: true });
  try {
    return use(opened);
  } finally {
    opened.close();
  }
}

const schemaOf = (file: string) =>
  readOnly(file, (opened) => opened.pragma("user_version", { simple: true }));
const rowsOf = (file: string, table: string) =>
  readOnly(file, (opened) => opened.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n;

test("copies a complete database during 200 writes per second, and no write fails", async () => {
  const shop = await prepareShop({ folder, env: ENV });
  const filled = new Database(database());
  addBallast(filled);
  filled.close();
  await using server = await startBuilt({ folder, env: ENV });
  const statuses: number[] = [];
  let isRunning = true;
  let next = 0;
  const post = async () => {
    next += 1;
    statuses.push((await postDocument(server.url, shop, `order-${next}`)).status);
  };
  const under: Promise<void>[] = [];
  const begun = performance.now();
  const load = (async () => {
    while (isRunning) {
      // As many as are due, however late this turn runs, over as many connections as clients open.
      while (
        under.length < ((performance.now() - begun) / 1000) * WRITES_PER_SECOND &&
        under.length - statuses.length < CONNECTIONS
      )
        under.push(post());
      await new Promise((turn) => setTimeout(turn, 5));
    }
    await Promise.all(under);
  })();
  for (let count = 0; count < 3; count += 1) {
    const made = await run("backup", at(`copy-${count}.db`), "--json");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("master key")]);
  }
  isRunning = false;
  await load;
  expect(statuses.length).toBeGreaterThan(WRITES_PER_SECOND);
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  const verified = run("backup", "verify", at("copy-2.db"), "--json");
  const { counts } = await jsonOf<{ counts: { documents: number; events: number } }>(verified);
  expect(counts.documents).toBeGreaterThan(0);
  expect(rowsOf(at("copy-2.db"), "documents")).toBe(counts.documents);
  expect(rowsOf(at("copy-2.db"), "events")).toBe(counts.events);
});

describe("killed midway", () => {
  const KILLS = 4;
  const random = seeded(20_261_121);

  test("during a backup: the database keeps working, and the backup file is complete", async () => {
    await loadOld();
    expect((await run("init", "--yes")).code).toBe(0);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killLater(["backup", at("copy.db"), "--force"], { folder, env: ENV }, 60 + random() * 300);
      if (existsSync(at("copy.db"))) expect((await run("backup", "verify", at("copy.db"))).code).toBe(0);
    }
    expect((await run("backup", at("copy.db"), "--force")).code).toBe(0);
    expect((await readdir(folder)).filter((name) => name.startsWith(".fiscal"))).toEqual([]);
    expect(rowsOf(at("copy.db"), "documents")).toBe(4);
  });

  test("during a restore: either the old or the new database is in place", async () => {
    await loadOld();
    expect((await run("backup", at("copy.db"))).code).toBe(0);
    const states = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const args = ["restore", at("copy.db"), "--yes", "--replace"];
      await killLater(args, { folder, env: ENV }, 80 + random() * 400);
      await expectDocuments(run("documents", "list", "--json"));
      const state = "select state from appliance";
      states.add(readOnly(database(), (opened) => opened.prepare(state).pluck().get() as string));
    }
    expect((await run("restore", at("copy.db"), "--yes", "--replace")).code).toBe(0);
    expect((await run("doctor", "--json")).stdout).toContain("held after a restore");
    expect((await readdir(at("data"))).filter((name) => name.startsWith(".fiscal"))).toEqual([]);
    expect([...states].every((state) => state === "active" || state === "held")).toBe(true);
  });

  test("during a migration: the next start finishes it, and the earlier backup is complete", async () => {
    await loadOld();
    for (let kill = 0; kill < KILLS; kill += 1)
      await killLater(["init"], { folder, env: ENV, command: NEXT_VERSION }, 300 + random() * 700);
    await expectDocuments(runNext("documents", "list", "--json"));
    expect(schemaOf(database())).toBe(NEXT_SCHEMA);
    const kept = (await readdir(at("data", "backups"))).filter((name) => name.startsWith("before-schema-"));
    expect(kept.length).toBeGreaterThan(0);
    for (const name of kept) {
      const verified = await jsonOf(run("backup", "verify", at("data", "backups", name), "--json"));
      expect(verified).toMatchObject({ schema: RELEASED_SCHEMA, counts: { documents: 4 } });
    }
  });
});

test("a start that cannot back up the old database migrates nothing and exits with 78", async () => {
  await loadOld();
  // A file in place of the backup folder.
  execFileSync("touch", [at("data", "backups")]);
  const ended = await runNext("serve", "--port", "0");
  expect([ended.code, ended.stderr]).toEqual([78, expect.stringContaining("Nothing was changed")]);
  expect(schemaOf(database())).toBe(RELEASED_SCHEMA);
  await rm(at("data", "backups"));
  expect((await runNext("documents", "list")).code).toBe(0);
});

test("makes scheduled backups, including one missed while the server was off", async () => {
  const env = { ...ENV, FISCAL_BACKUP__DIRECTORY: at("kept"), FISCAL_BACKUP__SCHEDULE: "30 3 * * *" };
  expect((await run("init", "--yes")).code).toBe(0);
  const planted = new Database(database());
  planted.exec("insert into watermarks (name, through) values ('backup since', '2026-01-01T00:00:00.000Z')");
  planted.close();
  const overdue = await runBuilt(["doctor", "--json"], { folder, env });
  expect([overdue.code, overdue.stdout]).toEqual([1, expect.stringContaining("A backup has been due since")]);
  await using server = await startBuilt({ folder, env });
  while (!server.log().includes("the scheduled backup was made")) {
    expect(server.log()).not.toContain("the scheduled backup failed");
    await new Promise((turn) => setTimeout(turn, 100));
  }
  await server.stop();
  const [name, ...others] = await readdir(at("kept"));
  expect(others).toEqual([]);
  expect((await run("backup", "verify", at("kept", name!))).code).toBe(0);
  expect((await runBuilt(["doctor"], { folder, env })).stdout).toContain(
    "The last scheduled backup was made",
  );
});
