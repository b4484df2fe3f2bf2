/** A database in PostgreSQL that goes back to an earlier time, as after a failover that lost acknowledged writes. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { activateAppliance, getAppliance } from "../../storage/upkeep/appliance-state.ts";
import type { Store } from "../../storage/database/store.ts";
import { askForPostgres, makePostgresDatabase, openPostgresIn } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { withClient } from "../helpers/postgres.ts";

const server = await askForPostgres();

let folder: string;
let url: string;
let losses: number;
beforeEach(async ({ skip }) => {
  if (server === undefined) skip();
  folder = makeFolder();
  url = (await makePostgresDatabase())!;
  losses = 0;
});

const stateFile = () => join(folder, "database-state.json");

function open(machine = folder): Promise<Store> {
  return openPostgresIn(machine, {
    url,
    masterKey: new Uint8Array(32),
    onLostWrites: () => void (losses += 1),
  });
}

async function use<T>(work: (store: Store) => Promise<T>, machine?: string): Promise<T> {
  const store = await open(machine);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const writeId = (store: Store) => store.write(async (trx) => trx.newId("doc"));
const isHeld = async (store: Store) => (await getAppliance(store.read)).state === "held";

function administer(...statements: string[]): Promise<void> {
  return withClient(server!, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Copies the database as it is. Nothing may be connected to it. */
async function copyDatabase(): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  await administer(`create database ${name}_then template ${name}`);
  return name;
}

/** Puts the copy in place of the database, whose connections are cut. */
function goBack(name: string): Promise<void> {
  return administer(`drop database ${name} with (force)`, `alter database ${name}_then rename to ${name}`);
}

test("a running server notices it at its next write, and holds the appliance", async () => {
  await use(writeId);
  const name = await copyDatabase();
  await use(async (store) => {
    const before = await writeId(store);
    await goBack(name);
    const [after, held] = await store.write(async (trx) => [trx.newId("doc"), trx.isHeld] as const);
    expect([held, losses]).toEqual([true, 1]);
    expect(after > before).toBe(true);
    await writeId(store);
    expect(losses).toBe(1);
  });
});

test("a server that starts again notices it at once, from what the machine remembers", async () => {
  await use(writeId);
  const name = await copyDatabase();
  await use(writeId);
  await goBack(name);
  expect(await use(isHeld)).toBe(true);
  expect(losses).toBe(1);
  expect((await use((store) => getAppliance(store.read))).backup_at).toMatch(/^20\d\d-/);
});

test("after `resume` the database counts as it is", async () => {
  await use(writeId);
  const name = await copyDatabase();
  await use(writeId);
  await goBack(name);
  await use((store) => store.write(activateAppliance));
  expect(await use(isHeld)).toBe(false);
  expect(losses).toBe(1);
});

test("a recovery to a time before the last `resume` is noticed too", async () => {
  await use(writeId);
  const name = await copyDatabase();
  await use(async (store) => {
    await store.write(
      async (trx) => void (await trx.query((db) => db.updateTable("appliance").set({ state: "held" }))),
    );
    await store.write(activateAppliance);
    await writeId(store);
  });
  await goBack(name);
  expect(await use(isHeld)).toBe(true);
});

test("another database, and another machine, are compared with nothing", async () => {
  await use(writeId);
  expect(await use(isHeld, await mkdtemp(join(folder, "other-")))).toBe(false);
  url = (await makePostgresDatabase())!;
  expect(await use(isHeld)).toBe(false);
  expect(losses).toBe(0);
});

test("what the machine remembers is not guessed if its file is damaged", async () => {
  await use(writeId);
  expect(JSON.parse(await readFile(stateFile(), "utf8"))).toMatchObject({ lastId: expect.any(String) });
  await writeFile(stateFile(), "{");
  await expect(open()).rejects.toThrow(stateFile());
});
