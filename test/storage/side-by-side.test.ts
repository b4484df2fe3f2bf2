/** Servers that write to PostgreSQL at the same time: what they must not see of each other, and what may happen to none of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOnce } from "../../src/journal/create-once.ts";
import type { Context } from "../../src/journal/context.ts";
import { findCustomer, rememberCustomer } from "../../src/merchants/customers.ts";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { activateAppliance } from "../../storage/upkeep/held.ts";
import { UnavailableDatabaseError } from "../../storage/database/errors.ts";
import { insertEvent, listEventRows, listEventsAfter } from "../../storage/journal/events.ts";
import { ListingSession } from "../../storage/postgres/postgres-session.ts";
import { insertKey, touchKey } from "../../storage/access/keys.ts";
import { insertMerchant } from "../../storage/merchants/merchants.ts";
import { idBodyAt } from "../../storage/database/ids.ts";
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { askForPostgres, makePostgresDatabase, openPostgresIn } from "../helpers/engines.ts";
import { withClient } from "../helpers/postgres.ts";
import { startProxy } from "../helpers/postgres-proxy.ts";

const server = await askForPostgres();

let url: string;
let losses: number;
let sealingFailures: number;
const undo: (() => Promise<unknown>)[] = [];
beforeEach(async ({ skip }) => {
  if (server === undefined) skip();
  url = (await makePostgresDatabase())!;
  losses = 0;
  sealingFailures = 0;
});
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const stopped = new Set<Store>();
async function stop(store: Store): Promise<void> {
  if (stopped.has(store)) return;
  stopped.add(store);
  await store.close();
}

/** Opens a store on the database of this test, as a server of its own would. */
async function open(address = url): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-beside-"));
  const masterKey = new Uint8Array(32);
  const store = await openPostgresIn(folder, {
    url: address,
    masterKey,
    onLostWrites: () => void (losses += 1),
    onSealingFailure: () => void (sealingFailures += 1),
  });
  undo.unshift(async () => {
    await stop(store);
    await rm(folder, { recursive: true });
  });
  return store;
}

interface Gate {
  wait: Promise<void>;
  open(): void;
}
function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: resolve };
}

async function appendEvent(trx: Transaction): Promise<string> {
  const id = trx.newId("evt");
  await insertEvent(trx, {
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
  return id;
}

const filters = { mode: "test" as const, created: {} };

async function listIds(store: Store): Promise<string[]> {
  const page = await listEventRows(store.read, filters, { limit: 1000 });
  return page!.rows.map(({ id }) => id).toReversed();
}

async function auditOf(store: Store): Promise<{ events: number; problems: unknown[] }> {
  const { events, problems } = await store.snapshot((session) => audit(session, store.cipher));
  return { events, problems };
}

/** A transaction that has appended an event and stays open until `end` is called. */
async function appendAndStay(store: Store): Promise<{ id: string; end(): Promise<string> }> {
  const gate = createGate();
  const appended = Promise.withResolvers<string>();
  const written = store.write(async (trx) => {
    const id = await appendEvent(trx);
    appended.resolve(id);
    await gate.wait;
    return id;
  }, "beside");
  const end = () => {
    gate.open();
    return written;
  };
  undo.unshift(end);
  return { id: await appended.promise, end };
}

describe("events", () => {
  test("are not listed before those with lower ids are committed, and then all are, in order", async () => {
    const [one, other] = [await open(), await open()];
    const first = await appendAndStay(one);
    const second = await other.write(appendEvent, "beside");
    expect(second > first.id).toBe(true);
    expect(await listIds(other)).toEqual([]);
    expect(await listEventsAfter(other.read, filters, undefined, 10)).toEqual([]);
    await first.end();
    expect(await listIds(other)).toEqual([first.id, second]);
    expect(await auditOf(other)).toEqual({ events: 2, problems: [] });
  });

  test("are listed as soon as they are committed, on every server", async () => {
    const [one, other] = [await open(), await open()];
    const ids: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      ids.push(await (round % 2 === 0 ? one : other).write(appendEvent, "beside"));
      expect(await listIds(round % 3 === 0 ? one : other)).toEqual(ids);
    }
  });

  test("follow in one chain, whether or not their transactions were alone", async () => {
    const [one, other] = [await open(), await open()];
    const ids: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const companies = ["beside", "alone", "after"] as const;
      const written = [one, other].map((store, at) => store.write(appendEvent, companies[(round + at) % 3]!));
      ids.push(...(await Promise.all(written)).toSorted());
    }
    expect(await listIds(one)).toEqual(ids.toSorted());
    expect(await auditOf(one)).toEqual({ events: 24, problems: [] });
  });

  test("are never missed by a reader that follows the list while several servers write", async () => {
    const stores = [await open(), await open(), await open()];
    let isOver = false;
    const written: string[] = [];
    const writers = stores.flatMap((store) =>
      [1, 2, 3, 4].map(async () => {
        for (let round = 0; round < 25; round += 1) {
          const company = round % 10 === 9 ? "alone" : "beside";
          written.push(await store.write(appendEvent, company));
        }
      }),
    );
    const follow = async (store: Store) => {
      const seen: string[] = [];
      for (;;) {
        const wasOver = isOver;
        if (wasOver) await store.read.upToDate?.();
        const rows = await listEventsAfter(store.read, filters, seen.at(-1), 7);
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

  test("are listed without waiting for those that are committed meanwhile", async () => {
    let sealings = 0;
    const connection = {
      query: async () => {
        const rows = [{ through: `${sealings}`, newest: `${sealings + 1}` }];
        return { command: "SELECT", rowCount: 1, oid: 0, fields: [], rows };
      },
    };
    const cipher = (await open()).cipher;
    const session = new ListingSession(connection, cipher, async () => void (sealings += 1));
    await session.upToDate();
    expect(sealings).toBe(1);
  });

  test("wait for a long transaction of another program, and are listed after it", async () => {
    const store = await open();
    await withClient(url, async (other) => {
      await other.query("begin; create temporary table busy (id int)");
      await store.write(appendEvent, "beside");
      expect(await listIds(store)).toEqual([]);
      await other.query("commit");
    });
    expect(await listIds(store)).toHaveLength(1);
  });

  test.each([
    { kind: "open", keep: "select 1", end: "rollback" },
    { kind: "prepared", keep: "prepare transaction 'elsewhere'", end: "rollback prepared 'elsewhere'" },
  ])(
    "do not wait for a transaction that is $kind in another database of the server",
    async ({ kind, keep, end }) => {
      const store = await open();
      await withClient((await makePostgresDatabase())!, async (other) => {
        const { rows } = await other.query("show max_prepared_transactions");
        if (kind === "prepared" && rows[0].max_prepared_transactions === "0") return;
        await other.query(`begin; select pg_current_xact_id(); ${keep}`);
        const id = await store.write(appendEvent, "beside");
        expect(await listIds(store)).toEqual([id]);
        await other.query(end);
      });
    },
  );

  test("may be waiting for their links in two rounds when their server stops", async () => {
    const store = await open();
    await withClient(url, async (other) => {
      await other.query("begin; create temporary table busy (id int)");
      await store.write(appendEvent, "beside");
      const lists = [listIds(store), listIds(store)];
      await stop(store);
      await Promise.allSettled(lists);
    });
    expect(sealingFailures).toBe(0);
    expect(await listIds(await open())).toHaveLength(1);
  });

  test("are linked by a unit that is alone, even if it appends nothing itself", async () => {
    const store = await open();
    await withClient(url, async (other) => {
      await other.query("begin; create temporary table busy (id int)");
      await store.write(appendEvent, "beside");
      expect(await listIds(store)).toEqual([]);
      await store.write(async () => {});
      expect(await listIds(store)).toHaveLength(1);
    });
    expect(await auditOf(store)).toEqual({ events: 1, problems: [] });
  });

  test("that somebody adds without the key are found by the audit", async () => {
    const store = await open();
    const id = await store.write(appendEvent, "beside");
    const forged = `${id.slice(0, -1)}${id.endsWith("z") ? "{" : "z"}`;
    await withClient(url, (client) =>
      client.query(
        "insert into events (id, type, mode, object_json, created_at, chain) select $1, type, mode, object_json, created_at, chain from events",
        [forged],
      ),
    );
    await store.write(appendEvent, "beside");
    const { problems } = await auditOf(store);
    expect(problems).toMatchObject([{ id: forged }]);
  });
});

describe("units", () => {
  test("of two servers are in progress at the same time, and one that needs to be alone waits for both", async () => {
    const [one, other] = [await open(), await open()];
    const open1 = await appendAndStay(one);
    const open2 = await appendAndStay(other);
    const third = await open();
    let isDone = false;
    const alone = third.write(async (trx) => trx.newId("evt")).finally(() => (isDone = true));
    await open1.end();
    expect(isDone).toBe(false);
    await open2.end();
    expect((await alone) > open2.id).toBe(true);
  });

  test("run again alone if they find that they need to be, and the others of their turn do not", async () => {
    const store = await open();
    const runs: string[] = [];
    await Promise.all([
      store.write(async (trx) => {
        runs.push(`one ${trx.isAlone}`);
        trx.requireAlone();
        await appendEvent(trx);
      }, "beside"),
      store.write(async (trx) => {
        runs.push(`other ${trx.isAlone}`);
        await appendEvent(trx);
      }, "beside"),
    ]);
    expect(runs).toEqual(["one false", "other false", "one true"]);
    expect(await listIds(store)).toHaveLength(2);
  });

  test("of one turn all run again alone after one of them broke a constraint, and only that one fails", async () => {
    const store = await open();
    const id = await store.write(appendEvent);
    const outcomes = await Promise.allSettled([
      store.write(appendEvent, "beside"),
      store.write(async (trx) => {
        await appendEvent(trx);
        await trx.query((db) =>
          db
            .updateTable("events")
            .set({ mode: "neither" as "test" })
            .where("id", "=", id),
        );
      }, "beside"),
      store.write(() => Promise.reject(new Error("refused")), "beside"),
      store.write(appendEvent, "after"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await listIds(store)).toHaveLength(3);
  });

  test("of two servers that lock each other out run again alone", async () => {
    const [one, other] = [await open(), await open()];
    await one.write((trx) =>
      trx.query((db) =>
        db.insertInto("watermarks").values(["a", "b"].map((name) => ({ name, through: "" }))),
      ),
    );
    const gates = [createGate(), createGate()];
    const lock = (trx: Transaction, name: string, through: string) =>
      trx.query((db) => db.updateTable("watermarks").set({ through }).where("name", "=", name));
    const write = (store: Store, at: number, names: [string, string]) =>
      store.write(async (trx) => {
        await lock(trx, names[0], names[0]);
        gates[at]!.open();
        await gates[1 - at]!.wait;
        await lock(trx, names[1], names[0]);
      }, "beside");
    await Promise.all([write(one, 0, ["a", "b"]), write(other, 1, ["b", "a"])]);
    const rows = await one.read.query((db) => db.selectFrom("watermarks").select("through"));
    expect(new Set(rows.map(({ through }) => through)).size).toBe(1);
  });

  test("that note the use of the same keys in opposite order do not wait for each other", async () => {
    const stores = [await open(), await open()];
    const names = ["a", "b"].map((id) => `key_${id}`);
    const dates = { expires_at: null, revoked_at: null, last_used_at: null };
    await stores[0]!.write(async (trx) => {
      for (const id of names) {
        const key = {
          id,
          mode: "test",
          name: id,
          hash: id,
          last4: "abcd",
          created_at: trx.now,
          ...dates,
        } as const;
        await insertKey(trx, key);
      }
    });
    const gates = [createGate(), createGate()];
    const companies: boolean[] = [];
    const note = (at: number, [first, second]: string[]) =>
      stores[at]!.write(async (trx) => {
        companies.push(trx.isAlone);
        await touchKey(trx, first!, trx.now);
        gates[at]!.open();
        await gates[1 - at]!.wait;
        await touchKey(trx, second!, trx.now);
      }, "beside");
    await Promise.all([note(0, names), note(1, names.toReversed())]);
    expect(companies).toEqual([false, false]);
  });

  test("take a name only if no other unit of any server has it, until the commit", async () => {
    const [one, other] = [await open(), await open()];
    const gate = createGate();
    const taken = Promise.withResolvers<readonly string[]>();
    const holding = one.write(async (trx) => {
      taken.resolve(await trx.take(["a", "b"]));
      await gate.wait;
    }, "beside");
    expect(await taken.promise).toEqual(["a", "b"]);
    expect(await other.write((trx) => trx.take(["b", "c"]), "beside")).toEqual(["c"]);
    const both = [1, 2].map(() => other.write((trx) => trx.take(["d"]), "beside"));
    expect((await Promise.all(both)).toSorted()).toEqual([[], ["d"]]);
    gate.open();
    await holding;
    expect(await other.write((trx) => trx.take(["b"]), "beside")).toEqual(["b"]);
  });

  test("with one idempotency key create one thing, even if both find the key free", async () => {
    const stores = [await open(), await open()];
    const gates = [createGate(), createGate()];
    const claim = { operation: "create", key: "key", fingerprint: "same" };
    const created = await Promise.all(
      stores.map((store, at) =>
        store.write(
          (trx) =>
            createOnce(trx, store.cipher, "test", claim, async () => {
              gates[at]!.open();
              if (!trx.isAlone) await gates[1 - at]!.wait;
              const eventId = await appendEvent(trx);
              return { id: eventId, json: `{"id":"${eventId}"}`, eventId: null };
            }),
          "beside",
        ),
      ),
    );
    expect(created.map(({ replayed }) => replayed).toSorted()).toEqual([false, true]);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(await listIds(stores[0]!)).toEqual([created[0]!.id]);
  });
});

test("documents of one customer that are accepted at the same time keep what each of them says", async () => {
  const stores = [await open(), await open()];
  const merchantId = await stores[0]!.write(async (trx) => {
    const merchant = { external_id: "m", external_id_folded: "m", name: "Shop", tax_id: null, branch: 0 };
    const row = { id: trx.newId("mer"), ...merchant, metadata_json: "{}", archived: 0, created_at: trx.now };
    return (await insertMerchant(trx, row as Parameters<typeof insertMerchant>[1])).id;
  });
  const place = { merchantId, mode: "test" } as const;
  const address = { street: "Ermou 1", postal_code: "10563", city: "Athens" };
  const clock = { today: () => "2026-01-02" };
  for (let round = 0; round < 5; round += 1) {
    const tax_id = { country: "GR", code: `09401420${round}` };
    for (const details of [{ name: "One" }, { address }])
      for (const store of stores)
        rememberCustomer({ store, clock } as Context, place, { tax_id, branch: 0, ...details });
    await Promise.all(stores.map((store) => store.write(async () => {}, "beside")));
    // What had to run again has ended before these.
    for (const store of stores) await store.write(async () => {});
    const customer = await findCustomer(stores[0]!.read, {
      merchant_id: merchantId,
      mode: "test",
      ...tax_id,
    });
    expect(customer).toMatchObject({ name: "One", address });
  }
});

/** Cuts all connections of our stores, as an administrator would. */
async function terminateAll(): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'fiscal'",
    ),
  );
}

describe("when connections are lost", () => {
  test.each([
    { title: "and has committed", reaches: true, runs: 1 },
    { title: "and has not committed", reaches: false, runs: 2 },
  ])("during a commit $title, its events are stored once", async ({ reaches, runs }) => {
    const proxy = await startProxy(url, { reaches });
    undo.push(proxy.close);
    const [store, other] = [await open(proxy.url), await open()];
    let ran = 0;
    await store.write(appendEvent, "beside");
    await listIds(store);
    const open1 = await appendAndStay(other);
    proxy.cutNextCommit();
    const written = store.write(async (trx) => {
      ran += 1;
      return appendEvent(trx);
    }, "beside");
    await open1.end();
    const id = await written;
    expect(ran).toBe(runs);
    expect((await listIds(other)).slice(1)).toEqual([open1.id, id].toSorted());
  });

  test("again and again, what was acknowledged is stored once, and nothing else", async () => {
    const stores = [await open(), await open()];
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; !isOver; round += 1) {
        const company = round % 7 === 6 ? "alone" : "beside";
        const written = stores[(round + writer) % 2]!.write(appendEvent, company);
        await written.then(
          (id) => acknowledged.push(id),
          (error: unknown) => expect(error).toBeInstanceOf(UnavailableDatabaseError),
        );
      }
    });
    for (let cuts = 0; cuts < 10; cuts += 1) {
      const before = acknowledged.length;
      await terminateAll();
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 8);
    }
    isOver = true;
    await Promise.all(writers);
    expect(await listIds(stores[0]!)).toEqual(acknowledged.toSorted().slice(-1000));
    expect((await auditOf(stores[1]!)).problems).toEqual([]);
    expect(losses).toBe(0);
  });

  test("while they are idle, the next event is listed as soon as it is committed, without a warning", async () => {
    const store = await open();
    const ids = [await store.write(appendEvent, "beside")];
    expect(await listIds(store)).toEqual(ids);
    await terminateAll();
    ids.push(await store.write(appendEvent, "beside"));
    expect(await listIds(store)).toEqual(ids);
    expect(sealingFailures).toBe(0);
  });

  test("and the database has gone back, commits that it lost are noticed at the next one", async () => {
    const store = await open();
    await store.write(appendEvent, "beside");
    await withClient(url, (client) => client.query("update lanes set commits = 0"));
    await store.write(appendEvent, "beside");
    expect(losses).toBe(1);
    expect(await store.write(async (trx) => trx.isHeld)).toBe(true);
    expect((await auditOf(store)).problems).toEqual([]);
  });
});

/** Puts the appliance back to what `head` was, as a standby would that did not receive later events. */
async function goBackTo(head: Record<string, unknown>): Promise<void> {
  await withClient(url, async (client) => {
    const { last_id: lastId, chain_id: chainId, chain, chain_seal: seal } = head;
    await client.query("delete from events where id > $1", [chainId]);
    await client.query("delete from lanes where last_id > $1", [lastId]);
    await client.query("update sealed set through = $1", [lastId]);
    await client.query("update appliance set last_id = $1, chain_id = $2, chain = $3, chain_seal = $4", [
      lastId,
      chainId,
      chain,
      seal,
    ]);
  });
}

describe("whether the database lost writes", () => {
  test("is not concluded from a transaction that was given up before its commit", async () => {
    const proxy = await startProxy(url, { reaches: false });
    undo.push(proxy.close);
    const store = await open(proxy.url);
    await store.write(appendEvent);
    const givenUp = store.write(async (trx) => {
      proxy.cutNextCommit();
      return appendEvent(trx);
    });
    await expect(givenUp).rejects.toThrow(UnavailableDatabaseError);
    for (let round = 0; round < 5; round += 1) await store.write(appendEvent, "beside");
    expect(losses).toBe(0);
  });

  test("is noticed also by a server that seals before it writes", async () => {
    const [store, other] = [await open(), await open()];
    await other.write(appendEvent);
    const head = await withClient(
      url,
      async (client) => (await client.query("select * from appliance")).rows[0],
    );
    const between = await other.write(async (trx) => trx.newId("evt"), "beside");
    await other.write(appendEvent, "beside");
    expect(await listIds(store)).toHaveLength(2);
    await goBackTo(head);
    // A commit of a third server, after the failover.
    await withClient(url, (client) =>
      client.query("insert into lanes values (gen_random_uuid(), 1, $1)", [between.slice("evt_".length)]),
    );
    await listIds(store);
    await store.write(async () => {}, "beside");
    expect(losses).toBe(1);
    expect((await auditOf(store)).problems).toEqual([]);
  });

  test("is over for all servers once the appliance is resumed, also for one that was idle", async () => {
    const [idle, other] = [await open(), await open()];
    await other.write(appendEvent);
    const head = await withClient(
      url,
      async (client) => (await client.query("select * from appliance")).rows[0],
    );
    await other.write(appendEvent, "beside");
    for (let round = 0; round < 2; round += 1) await idle.write(appendEvent);
    expect(await listIds(idle)).toHaveLength(4);
    await goBackTo(head);
    await other.write(async () => {});
    await other.write(activateAppliance);
    for (const company of ["beside", "alone"] as const) await idle.write(appendEvent, company);
    expect(losses).toBe(1);
    expect(await listIds(idle)).toHaveLength(3);
    expect((await auditOf(idle)).problems).toEqual([]);
  });
});

describe("the counts of commits", () => {
  const countRows = () =>
    withClient(url, async (client) =>
      Number((await client.query("select count(*) from lanes")).rows[0].count),
    );

  /** Opens a store as a command does, and closes it after a write. */
  async function useOnce(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "fiscal-beside-"));
    const store = await openPostgresIn(folder, { url, masterKey: new Uint8Array(32) });
    const id = await store.write(appendEvent, "beside");
    await stop(store);
    await rm(folder, { recursive: true });
    return id;
  }

  test("are deleted when their process ends, and ids still increase", async () => {
    const ids = [await useOnce(), await useOnce(), await useOnce()];
    expect(ids).toEqual(ids.toSorted());
    expect(await countRows()).toBe(0);
  });

  test("of killed processes are deleted after a week, and a server that was idle for so long goes on", async () => {
    const idle = await open();
    const first = await idle.write(appendEvent, "beside");
    await listIds(idle);
    await withClient(url, async (client) => {
      await client.query("insert into lanes select gen_random_uuid(), 5, last_id from lanes");
      await useOnce();
      expect(await countRows()).toBe(2);
      await client.query("update appliance set last_id = $1", [idBodyAt(Date.now() + 8 * 86_400_000)]);
    });
    await useOnce();
    expect(await countRows()).toBe(0);
    const second = await idle.write(appendEvent, "beside");
    expect([second > first, losses, await countRows()]).toEqual([true, 0, 1]);
  });
});

async function countConnections(): Promise<number> {
  const { rows } = await withClient(url, (client) =>
    client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = 'fiscal'",
    ),
  );
  return rows.length;
}

test("a store that was closed leaves no connection open, even if its last notice cannot be sent", async () => {
  await withClient(url, (client) =>
    client.query("alter function pg_catalog.pg_notify(text, text) rename to no_notify"),
  );
  const store = await open();
  await store.write(async (trx) => trx.announce("documents"), "beside");
  await stop(store);
  await expect(store.write(appendEvent)).rejects.toThrow(UnavailableDatabaseError);
  await expect.poll(countConnections).toBe(0);
});

describe("news", () => {
  test("of one server wake the others, also after their connections were lost", async () => {
    const [one, other] = [await open(), await open()];
    let isWoken = false;
    other.onNews("documents", () => void (isWoken = true));
    const tell = () => one.write(async (trx) => trx.announce("documents"));
    await expect.poll(async () => (await tell(), isWoken)).toBe(true);
    await terminateAll();
    isWoken = false;
    await expect.poll(async () => (await tell(), isWoken)).toBe(true);
  });
});
