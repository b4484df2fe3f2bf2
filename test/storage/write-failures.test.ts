import { randomBytes } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKeyRing } from "../../storage/encryption/key-ring.ts";
import { createCommitter, SqliteSession } from "../../storage/sqlite/sqlite-session.ts";
import { openStore } from "../../storage/sqlite/open-sqlite.ts";
import type { Store } from "../../storage/database/store.ts";
import { createWriter, inTurn, type Transaction } from "../../storage/database/write.ts";
import { makeFolder } from "../helpers/folder.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = makeFolder();
  store = await openStore({ file: join(folder, "fiscal.db"), masterKey: randomBytes(32), nowMs: Date.now });
});
afterEach(async () => {
  await store.close();
});

/** Inserts without RETURNING, so that SQLite ends the whole transaction when the disk is full. */
async function insert(trx: Transaction, id: string, bytes = 1): Promise<void> {
  await trx.insertRows({ bodies: [{ id, sealed: new Uint8Array(bytes), created_at: trx.now }] });
}

type Body = [id: string, bytes?: number];
const BODIES = inTurn((trx, [id, bytes]: Body) => insert(trx, id, bytes));

async function insertedIds(): Promise<string[]> {
  const rows = await store.read.query((db) => db.selectFrom("bodies").select("id").orderBy("id"));
  return rows.map(({ id }) => id);
}

test("a full disk rejects the whole batch and stores no part of it", async () => {
  const file = join(folder, "full.db");
  const masterKey = randomBytes(32);
  await (await openStore({ file, masterKey, nowMs: Date.now })).close();
  const ring = createKeyRing(() => [masterKey]);
  const database = new Database(file);
  database.pragma("busy_timeout = 5");
  const writer = createWriter(
    createCommitter(new SqliteSession(database), Date.now, { ring, memory: undefined }).transact,
  );
  const pages = Number(database.pragma("page_count", { simple: true }));
  database.pragma(`max_page_count = ${pages + 2}`);
  const bodies: Body[] = [["first"], ["large", 100_000], ["last"]];
  const outcomes = await Promise.allSettled(bodies.map((body) => writer.add(BODIES, body)));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(database.prepare("select count(*) as n from bodies").get()).toEqual({ n: 0 });
  database.pragma(`max_page_count = ${pages + 1000}`);
  await writer.write((trx) => insert(trx, "again"));
  expect(database.prepare("select id from bodies").all()).toEqual([{ id: "again" }]);
  database.close();
});

test("a deferred item is written on its own, even if its time comes during another write", async () => {
  const slow = store.write(async () => {
    await new Promise((turn) => setTimeout(turn, 80));
  });
  await new Promise((turn) => setImmediate(turn));
  await store.defer(BODIES, ["deferred"]);
  await slow;
  await store.defer(BODIES, ["deferred too"]);
  expect(await insertedIds()).toEqual(["deferred", "deferred too"]);
});
