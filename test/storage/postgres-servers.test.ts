/** Several servers on one database in PostgreSQL: their events, lost connections, lost writes, and how they wake each other. */
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { activateAppliance } from "../../storage/upkeep/appliance-state.ts";
import { UnavailableDatabaseError } from "../../storage/database/errors.ts";
import { findEventSlice, linkEvent } from "../../storage/journal/events.ts";
import { idBodyAt } from "../../storage/database/ids.ts";
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { askForPostgres, makePostgresDatabase, openPostgresIn } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { countConnections, cutConnections, runSql, withClient } from "../helpers/postgres.ts";
import { startProxy } from "../helpers/postgres-proxy.ts";

const server = await askForPostgres();

let url: string;
let losses: number;
beforeEach(async ({ skip }) => {
  if (server === undefined) skip();
  url = (await makePostgresDatabase())!;
  losses = 0;
});

const stopped = new Set<Store>();
async function stop(store: Store): Promise<void> {
  if (stopped.has(store)) return;
  stopped.add(store);
  await store.close();
}

/** Opens a store on the database of this test, as a server of its own would. */
async function open(address = url): Promise<Store> {
  const masterKey = new Uint8Array(32);
  const onLostWrites = () => void (losses += 1);
  const store = await openPostgresIn(makeFolder(), { url: address, masterKey, onLostWrites });
  onTestFinished(() => stop(store));
  return store;
}

async function appendEvent(trx: Transaction): Promise<string> {
  const id = trx.newId("evt");
  const event = linkEvent(trx, {
    id,
    type: "merchant.updated",
    mode: "test",
    object_json: "{}",
    previous_json: null,
    request_id: null,
    idempotency_key: null,
    document_id: null,
    merchant_id: null,
    document_digest: null,
    created_at: trx.now,
  });
  await trx.insertRows({ events: [event] });
  return id;
}

const filters = { mode: "test" as const, created: {} };

async function listIds(store: Store): Promise<string[]> {
  const rows = await findEventSlice(store.read, filters, { direction: "asc", limit: 1000 });
  return rows.map(({ id }) => id);
}

async function auditOf(store: Store): Promise<{ events: number; problems: unknown[] }> {
  const { events, problems } = await store.snapshot((session) => audit(session, store.cipher));
  return { events, problems };
}

describe("events", () => {
  test("are listed as soon as they are committed, on every server", async () => {
    const [one, other] = [await open(), await open()];
    const ids: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      ids.push(await (round % 2 === 0 ? one : other).write(appendEvent));
      expect(await listIds(round % 3 === 0 ? one : other)).toEqual(ids);
    }
  });

  test("follow in one chain, and are never missed by a reader that follows the list", async () => {
    const stores = [await open(), await open(), await open()];
    let isOver = false;
    const written: string[] = [];
    const writers = stores.flatMap((store) =>
      [1, 2, 3, 4].map(async () => {
        for (let round = 0; round < 25; round += 1) written.push(await store.write(appendEvent));
      }),
    );
    const follow = async (store: Store) => {
      const seen: string[] = [];
      for (;;) {
        const wasOver = isOver;
        const rows = await findEventSlice(store.read, filters, {
          above: seen.at(-1) ?? "",
          direction: "asc",
          limit: 7,
        });
        seen.push(...rows.map(({ id }) => id));
        if (wasOver && rows.length === 0) return seen;
      }
    };
    const readers = stores.map(follow);
    await Promise.all(writers);
    isOver = true;
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(written.toSorted());
    expect(await auditOf(stores[0]!)).toEqual({ events: 300, problems: [] });
  });

  test("are listed and linked at once, whatever transaction another program keeps open", async () => {
    const store = await open();
    await withClient(url, async (other) => {
      await other.query("begin; create temporary table busy (id int)");
      const ids = [await store.write(appendEvent), await store.write(appendEvent)];
      expect(await listIds(store)).toEqual(ids);
      await runSql(url, "delete from events where id = $1", [ids[0]]);
      await other.query("rollback");
      expect((await auditOf(store)).problems).toMatchObject([{ id: ids[1] }]);
    });
  });

  test("that somebody adds without the key are found by the audit", async () => {
    const store = await open();
    const id = await store.write(appendEvent);
    const forged = `${id.slice(0, -1)}${id.endsWith("z") ? "{" : "z"}`;
    await runSql(
      url,
      "insert into events (id, type, mode, object_json, created_at, chain) select $1, type, mode, object_json, created_at, chain from events",
      [forged],
    );
    await store.write(appendEvent);
    const { problems } = await auditOf(store);
    expect(problems).toMatchObject([{ id: forged }]);
  });
});

/** Puts the appliance back to what `head` was, as a standby would that did not receive later events. */
async function goBackTo(head: Record<string, unknown>): Promise<void> {
  const { last_id: lastId, chain_id: chainId, chain, chain_seal: seal } = head;
  await runSql(url, "delete from events where id > $1", [chainId]);
  await runSql(url, "delete from lanes where last_id > $1", [lastId]);
  await runSql(url, "update appliance set last_id = $1, chain_id = $2, chain = $3, chain_seal = $4", [
    lastId,
    chainId,
    chain,
    seal,
  ]);
}

describe("whether the database lost writes", () => {
  test("shows in the commits of each server, also where others have written since", async () => {
    const store = await open();
    await store.write(appendEvent);
    await runSql(url, "update lanes set commits = 0");
    await store.write(appendEvent);
    expect(losses).toBe(1);
    expect(await store.write(async (trx) => trx.isHeld)).toBe(true);
  });

  test("is not concluded from a transaction that was given up before its commit", async () => {
    const proxy = await startProxy(url, { reaches: false });
    onTestFinished(proxy.close);
    const store = await open(proxy.url);
    await store.write(appendEvent);
    const givenUp = store.write(async (trx) => {
      proxy.cutNextCommit();
      return appendEvent(trx);
    });
    await expect(givenUp).rejects.toThrow(UnavailableDatabaseError);
    for (let round = 0; round < 5; round += 1) await store.write(appendEvent);
    expect(losses).toBe(0);
  });

  test("is over for all servers once the appliance is resumed, also for one that was idle", async () => {
    const [idle, other] = [await open(), await open()];
    await other.write(appendEvent);
    const [head] = await runSql(url, "select * from appliance");
    await other.write(appendEvent);
    for (let round = 0; round < 2; round += 1) await idle.write(appendEvent);
    expect(await listIds(idle)).toHaveLength(4);
    await goBackTo(head!);
    await other.write(async () => {});
    await other.write(activateAppliance);
    for (let round = 0; round < 2; round += 1) await idle.write(appendEvent);
    expect(losses).toBe(1);
    expect(await listIds(idle)).toHaveLength(3);
    expect((await auditOf(idle)).problems).toEqual([]);
  });
});

describe("the counts of commits", () => {
  const countRows = async () => (await runSql(url, "select 1 from lanes")).length;

  /** Opens a store as a command does, and closes it after a write. */
  async function useOnce(): Promise<string> {
    const store = await openPostgresIn(makeFolder(), { url, masterKey: new Uint8Array(32) });
    const id = await store.write(appendEvent);
    await stop(store);
    return id;
  }

  test("are deleted when their process ends, and ids still increase", async () => {
    const ids = [await useOnce(), await useOnce(), await useOnce()];
    expect(ids).toEqual(ids.toSorted());
    expect(await countRows()).toBe(0);
  });

  test("of killed processes are deleted after a week, and a server that was idle for so long goes on", async () => {
    const idle = await open();
    const first = await idle.write(appendEvent);
    await listIds(idle);
    await runSql(url, "insert into lanes select gen_random_uuid(), 5, last_id from lanes");
    await useOnce();
    expect(await countRows()).toBe(2);
    await runSql(url, "update appliance set last_id = $1", [idBodyAt(Date.now() + 8 * 86_400_000)]);
    await useOnce();
    expect(await countRows()).toBe(0);
    const second = await idle.write(appendEvent);
    expect([second > first, losses, await countRows()]).toEqual([true, 0, 1]);
  });
});

test("a store that was closed leaves no connection open, even if its last notice cannot be sent", async () => {
  await runSql(url, "alter function pg_catalog.pg_notify(text, text) rename to no_notify");
  const store = await open();
  await store.write(async (trx) => trx.announce("documents"));
  await stop(store);
  await expect(store.write(appendEvent)).rejects.toThrow(UnavailableDatabaseError);
  await expect.poll(() => countConnections(url)).toBe(0);
});

test("news of one server wake the others, also after their connections were lost", async () => {
  const [one, other] = [await open(), await open()];
  let isWoken = false;
  other.onNews("documents", () => void (isWoken = true));
  const tell = () => one.write(async (trx) => trx.announce("documents"));
  await expect.poll(async () => (await tell(), isWoken)).toBe(true);
  await cutConnections(url);
  isWoken = false;
  await expect.poll(async () => (await tell(), isWoken)).toBe(true);
});
