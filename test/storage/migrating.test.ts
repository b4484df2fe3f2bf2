/** Bringing a large schema up, and what others on the same file notice of it. */
import { readFile } from "node:fs/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditChain } from "../../src/upkeep/audit/event-chain-check.ts";
import { SqliteSession } from "../../storage/session.ts";
import { migrate } from "../../storage/sqlite.ts";
import { FIXTURES } from "../helpers/schema-fixtures.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscal-migrating-"));
});
afterEach(() => rm(folder, { recursive: true }));

const EVENTS = 3000;

/** A database of schema 6 with many events. */
async function fill(database: Database.Database): Promise<void> {
  database.exec(await readFile(join(FIXTURES, "0006.sql"), "utf8"));
  const { last } = database.prepare("select max(id) as last from events").get() as { last: string };
  const row = database.prepare("select * from events where id = ?").get(last) as Record<string, unknown>;
  const columns = Object.keys(row);
  const insert = database.prepare(
    `insert into events (${columns.join(", ")}) values (${columns.map((name) => `@${name}`).join(", ")})`,
  );
  for (let place = 0; place < EVENTS; place += 1)
    insert.run({ ...row, id: `evt_Z${last.slice(5, -6)}${String(place).padStart(6, "0")}` });
}

test("thousands of events are linked in portions, and memory comes back between them", async () => {
  const database = new Database(":memory:");
  try {
    await fill(database);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await migrate(database);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(EVENTS / 500);
    const problems: unknown[] = [];
    const listener = { problem: (problem: unknown) => void problems.push(problem), row: () => undefined };
    const report = await auditChain(new SqliteSession(database), listener);
    expect([report.events > EVENTS, problems]).toEqual([true, []]);
  } finally {
    database.close();
  }
});
