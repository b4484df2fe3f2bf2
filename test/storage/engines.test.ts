/** What every engine must do, and what PostgreSQL must do when its connections are lost. */
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { StorageError, UnavailableDatabaseError } from "../../storage/database/errors.ts";
import { findIdempotency } from "../../storage/documents/idempotency.ts";
import { findTimelines } from "../../storage/journal/events.ts";
import { findSandboxFilings } from "../../storage/documents/sandbox.ts";
import type { Session } from "../../storage/database/session.ts";
import { openStore } from "../../storage/sqlite/open-sqlite.ts";
import { findSealedContents } from "../../storage/upkeep/diagnosis.ts";
import type { Store } from "../../storage/database/store.ts";
import { inTurn, type Transaction } from "../../storage/database/write.ts";
import { explainFailure } from "../../storage/postgres/postgres-errors.ts";
import { inspectPostgres } from "../../storage/postgres/postgres-schema.ts";
import { askForPostgres, leaveTrace, makePostgresDatabase, openPostgresIn } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { cutConnections, runSql } from "../helpers/postgres.ts";
import { startProxy } from "../helpers/postgres-proxy.ts";

const KEY = new Uint8Array(32);
const AT = "2026-11-21T10:00:00.000Z";

/** Opens another store on the database of this test, as another server would. */
let open: (masterKey?: Uint8Array) => Promise<Store>;
let url: string;

async function prepareSqlite(): Promise<void> {
  const folder = makeFolder();
  open = (masterKey = KEY) => openStore({ file: join(folder, "fiscal.db"), masterKey, nowMs: Date.now });
}

async function preparePostgres(): Promise<void> {
  url = (await makePostgresDatabase())!;
  const folder = makeFolder();
  open = (masterKey = KEY) => openPostgresIn(folder, { url, masterKey });
}

async function openOne(): Promise<Store> {
  const store = await open();
  onTestFinished(store.close);
  return store;
}

async function countTraces(session: Session, trace: string): Promise<number> {
  return (await findSandboxFilings(session, [trace])).length;
}

/** Breaks a constraint: there is one appliance. */
async function breakConstraint(trx: Transaction): Promise<void> {
  await trx.query((db) => db.updateTable("appliance").set({ state: "neither" as "held" }));
}

const hasPostgres = (await askForPostgres()) !== undefined;

function insertAlert(trx: Transaction): Promise<void> {
  const message = { message_en: "Disk full", message_el: "Γεμάτος δίσκος" };
  return trx.insertRows({
    alerts: [{ id: "disk", check_name: "disk", mode: null, ...message, began_at: trx.now }],
  });
}

describe.each([
  { engine: "SQLite", prepare: prepareSqlite, isHere: true },
  { engine: "PostgreSQL", prepare: preparePostgres, isHere: hasPostgres },
])("a store in $engine", ({ prepare, isHere }) => {
  beforeEach(async ({ skip }) => {
    if (!isHere) skip();
    await prepare();
  });

  test("commits the items of one turn together, and shows others nothing before", async () => {
    const store = await openOne();
    const ITEMS = inTurn(async (trx, trace: string) => {
      const seen = [await countTraces(trx, "a"), await countTraces(store.read, "a")];
      await leaveTrace(trx, trace);
      return { seen, now: trx.now };
    });
    const [first, second] = await Promise.all([store.add(ITEMS, "a"), store.add(ITEMS, "b")]);
    expect(second.seen).toEqual([1, 0]);
    expect(second.now).toBe(first.now);
    expect(await countTraces(store.read, "a")).toBe(1);
  });

  test("rejects only the unit whose statement breaks a constraint", async () => {
    const store = await openOne();
    const outcomes = await Promise.allSettled([
      store.write((trx) => leaveTrace(trx, "before")),
      store.write(async (trx) => {
        await leaveTrace(trx, "half");
        await breakConstraint(trx);
      }),
      store.write((trx) => breakConstraint(trx)),
      store.write((trx) => leaveTrace(trx, "after")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    const traces = await Promise.all(
      ["before", "half", "after"].map((trace) => countTraces(store.read, trace)),
    );
    expect(traces).toEqual([1, 0, 1]);
  });

  test.each([
    ["the last statement", async () => undefined],
    ["followed by others", async (trx: Transaction) => void (await countTraces(trx, "a"))],
    [
      "followed by a new one twice",
      async (trx: Transaction) => void (await insertAlert(trx), await insertAlert(trx)),
    ],
  ])("names the constraint that refuses a row, if it is %s", async (_place, goOn) => {
    const store = await openOne();
    const insert = (trx: Transaction) => trx.insertRows({ watermarks: [{ name: "a", through: "1" }] });
    await store.write(insert);
    const again = store.write(async (trx) => {
      await insert(trx);
      await goOn(trx);
    });
    await expect(again).rejects.toThrow(/unique constraint/i);
    await store.write((trx) => leaveTrace(trx, "later"));
  });

  test("creates ids that increase over all servers in the order of their commits", async () => {
    const [one, other] = [await openOne(), await openOne()];
    const traces = Array.from({ length: 60 }, (_, index) => `trace ${index}`);
    await Promise.all(
      traces.map((trace, index) => (index % 2 === 0 ? one : other).write((trx) => leaveTrace(trx, trace))),
    );
    const filings = await one.read.query((db) =>
      db.selectFrom("sandbox_filings").select(["id", "document_id"]).orderBy("id"),
    );
    const ids = filings.map(({ document_id: id }) => id);
    expect(ids).toHaveLength(60);
    expect(ids).toEqual(ids.toSorted((left, right) => (left < right ? -1 : 1)));
  });

  test("reads one state in a snapshot while others write", async () => {
    const store = await openOne();
    const counts = await store.snapshot(async (session) => {
      const before = await countTraces(session, "a");
      await store.write((trx) => leaveTrace(trx, "a"));
      return [before, await countTraces(session, "a")];
    });
    expect(counts).toEqual([0, 0]);
    expect(await countTraces(store.read, "a")).toBe(1);
  });

  test("returns integers, bytes and nulls as they were written", async () => {
    const store = await openOne();
    const sealed = new Uint8Array([0, 1, 255]);
    await store.write((trx) =>
      trx.query((db) => db.insertInto("bodies").values({ id: "pcl_1", sealed, created_at: AT })),
    );
    const [body] = await store.read.query((db) => db.selectFrom("bodies").selectAll());
    expect(Buffer.from(body!.sealed)).toEqual(Buffer.from(sealed));
    const [appliance] = await store.read.query((db) =>
      db
        .selectFrom("appliance")
        .select((eb) => ["id", "backup_at", eb.fn.countAll<number>().as("n")])
        .groupBy(["id", "backup_at"]),
    );
    expect(appliance).toEqual({ id: 1, backup_at: null, n: 1 });
  });

  test("sorts text by its bytes", async () => {
    const store = await openOne();
    const names = ["a", "B", "Z", "z", "_", "Ά", "0"];
    for (const name of names)
      await store.write((trx) =>
        trx.query((db) => db.insertInto("watermarks").values({ name, through: "" })),
      );
    const rows = await store.read.query((db) => db.selectFrom("watermarks").select("name").orderBy("name"));
    expect(rows.map(({ name }) => name)).toEqual(["0", "B", "Z", "_", "a", "z", "Ά"]);
  });

  test("cannot be written through a read", async () => {
    const store = await openOne();
    await expect(
      store.read.query((db) => db.insertInto("watermarks").values({ name: "a", through: "" })),
    ).rejects.toThrow(/read-?only/);
  });

  test("rejects what is written after it was closed", async () => {
    const store = await open();
    await store.write((trx) => leaveTrace(trx, "before"));
    await store.close();
    await expect(store.write((trx) => leaveTrace(trx, "after"))).rejects.toThrow();
    expect(await countTraces((await openOne()).read, "after")).toBe(0);
  });

  test("is not opened with another master key", async () => {
    await openOne();
    await expect(open(new Uint8Array(32).fill(1))).rejects.toThrow("master key");
  });
});

/** Cuts the connection on which `pid` runs, as an administrator would. */
const terminate = (pid: number) => runSql(url, "select pg_terminate_backend($1)", [pid]);

/** The server process of the transaction. */
async function pidOf(trx: Transaction): Promise<number> {
  const [row] = await trx.query((db) =>
    db.selectNoFrom((eb) => eb.fn<number>("pg_backend_pid", []).as("pid")),
  );
  return row!.pid;
}

describe.skipIf(!hasPostgres)("when PostgreSQL", () => {
  beforeEach(preparePostgres);

  test("cuts the connection of a transaction, its units run again and store their rows once", async () => {
    const store = await openOne();
    let runs = 0;
    await Promise.all([
      store.write((trx) => leaveTrace(trx, "first")),
      store.write(async (trx) => {
        runs += 1;
        await leaveTrace(trx, "second");
        if (runs === 1) await terminate(await pidOf(trx));
      }),
    ]);
    expect(runs).toBe(2);
    expect([await countTraces(store.read, "first"), await countTraces(store.read, "second")]).toEqual([1, 1]);
  });

  test("cuts the connection again and again, the unit is rejected as unavailable and stores nothing", async () => {
    const store = await openOne();
    const written = store.write(async (trx) => {
      await leaveTrace(trx, "never");
      await terminate(await pidOf(trx));
    });
    await expect(written).rejects.toThrow(UnavailableDatabaseError);
    await store.write((trx) => leaveTrace(trx, "later"));
    expect([await countTraces(store.read, "never"), await countTraces(store.read, "later")]).toEqual([0, 1]);
  });

  test.each([
    { title: "and has committed", reaches: true, runs: 1 },
    { title: "and has not committed", reaches: false, runs: 2 },
  ])("loses the connection during a commit $title, the rows are stored once", async ({ reaches, runs }) => {
    const proxy = await startProxy(url, { reaches });
    onTestFinished(proxy.close);
    url = proxy.url;
    const store = await openOne();
    let ran = 0;
    await store.probe();
    proxy.cutNextCommit();
    await store.write(async (trx) => {
      ran += 1;
      await leaveTrace(trx, "once");
    });
    expect(ran).toBe(runs);
    expect(await countTraces(store.read, "once")).toBe(1);
  });

  test("loses the connection during a commit and cannot be asked, the write is rejected and never made twice", async () => {
    const proxy = await startProxy(url, { reaches: true });
    onTestFinished(proxy.close);
    url = proxy.url;
    const store = await openOne();
    await store.probe();
    proxy.cutNextCommit();
    const written = store.write(async (trx) => {
      proxy.setGone(true);
      await leaveTrace(trx, "once");
    });
    await expect(written).rejects.toThrow("whether it was stored is not known");
    proxy.setGone(false);
    await store.write((trx) => leaveTrace(trx, "later"));
    expect([await countTraces(store.read, "once"), await countTraces(store.read, "later")]).toEqual([1, 1]);
  }, 60_000);

  test("cuts idle connections, the next write and read use new ones", async () => {
    const store = await openOne();
    await store.write((trx) => leaveTrace(trx, "first"));
    await countTraces(store.read, "first");
    await cutConnections(url);
    await store.write((trx) => leaveTrace(trx, "second"));
    expect(await countTraces(store.read, "first")).toBe(1);
  });

  test("cuts the connection of a snapshot between two reads, only the snapshot fails", async () => {
    const store = await openOne();
    const snapshot = store.snapshot(async (session) => {
      const [row] = await session.query((db) =>
        db.selectNoFrom((eb) => eb.fn<number>("pg_backend_pid", []).as("pid")),
      );
      await terminate(row!.pid);
      await expect
        .poll(() => runSql(url, "select 1 from pg_stat_activity where pid = $1", [row!.pid]))
        .toEqual([]);
      return countTraces(session, "a");
    });
    await expect(snapshot).rejects.toThrow(UnavailableDatabaseError);
    expect(await countTraces(store.read, "a")).toBe(0);
  });

  test("keeps a transaction of a stopped process for long, other servers go on after it was ended", async () => {
    const [one, other] = [await openOne(), await openOne()];
    let pid = 0;
    let letGo: () => void = () => undefined;
    const stopped = one.write(async (trx) => {
      pid = await pidOf(trx);
      if (letGo.length === 0) await new Promise<void>((done) => (letGo = done));
    });
    await expect.poll(() => pid).toBeGreaterThan(0);
    const waiting = other.write((trx) => leaveTrace(trx, "waiting"));
    await terminate(pid);
    await waiting;
    letGo();
    await stopped.catch(() => undefined);
    expect(await countTraces(other.read, "waiting")).toBe(1);
  });

  test("cuts all connections again and again, what was acknowledged is stored once, and nothing else", async () => {
    const stores = [await openOne(), await openOne()];
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; !isOver; round += 1) {
        const trace = `${writer}-${round}`;
        const written = stores[round % 2]!.write((trx) => leaveTrace(trx, trace));
        await written.then(
          () => acknowledged.push(trace),
          (error: unknown) => expect(error).toBeInstanceOf(UnavailableDatabaseError),
        );
      }
    });
    for (let cuts = 0; cuts < 10; cuts += 1) {
      const before = acknowledged.length;
      await cutConnections(url);
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 8);
    }
    isOver = true;
    await Promise.all(writers);
    const stored = await stores[0]!.read.query((db) => db.selectFrom("sandbox_filings").select("uid"));
    expect(stored.map(({ uid }) => uid).toSorted()).toEqual(acknowledged.toSorted());
  });

  test("has a newer schema, it is not opened and nothing is written to it", async () => {
    const store = await openOne();
    await runSql(url, "update schema_version set version = 99");
    await expect(store.write((trx) => leaveTrace(trx, "old"))).rejects.toThrow("newer fiscal");
    await expect(open()).rejects.toThrow("newer fiscal");
  });

  test.each([
    {
      change: (address: URL) => void (address.pathname = "/missing"),
      reason: 'database "missing" does not exist',
    },
    { change: (address: URL) => void (address.username = "nobody"), reason: 'role "nobody" does not exist' },
  ])("answers $reason, the error says so", async ({ change, reason }) => {
    const address = new URL(url);
    change(address);
    url = address.href;
    await expect(open()).rejects.toThrow(reason);
    await expect(open()).rejects.toBeInstanceOf(StorageError);
  });

  test("lets the role of a server change rows but no tables, it is opened only once they exist", async () => {
    const owner = url;
    const address = new URL(owner);
    address.username = `server_${address.pathname.slice(1)}`;
    const role = address.username;
    await runSql(owner, `create role ${role} login`);
    onTestFinished(async () => void (await runSql(owner, `drop owned by ${role}; drop role ${role}`)));
    url = address.href;
    await expect(open()).rejects.toThrow("permission denied");
    url = owner;
    await openOne();
    await runSql(
      owner,
      `grant select, insert, update, delete on all tables in schema public to ${role};` +
        `grant usage on all sequences in schema public to ${role}`,
    );
    url = address.href;
    const store = await openOne();
    await store.write((trx) => leaveTrace(trx, "granted"));
    expect(await countTraces(store.read, "granted")).toBe(1);
  });

  test("has many documents, doctor decrypts the oldest and the newest in their order", async () => {
    const store = await openOne();
    await runSql(
      url,
      `set session_replication_role = replica;
       insert into document_inputs (document_id, sealed, decided_json) select 'doc_' || n, '', '{}' from generate_series(10, 99) as n`,
    );
    const rows = await findSealedContents(store.read, { limit: 10 });
    const tens = (first: number) => Array.from({ length: 10 }, (_, index) => `doc_${first + index}`);
    expect(rows.map(({ document_id: id }) => id)).toEqual([...tens(10), ...tens(90)]);
  });

  test("is new, two servers that start together create its tables once", async () => {
    const stores = await Promise.all([openOne(), openOne(), openOne()]);
    for (const store of stores) await store.probe();
  });
});

test.skipIf(!hasPostgres)(
  "a new database in PostgreSQL is searched by its indexes, not table by table",
  async () => {
    await preparePostgres();
    // A connection reports what it has read when it ends, which is later than its client's close.
    const countScans = async () => {
      const others =
        "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
      await expect.poll(() => runSql(url, others), { timeout: 60_000 }).toEqual([]);
      return runSql(
        url,
        "select relname, seq_scan from pg_stat_user_tables where relname in ('events', 'idempotency')",
      );
    };
    const use = async (work: (store: Store) => Promise<unknown>) => {
      const store = await open();
      await work(store).finally(store.close);
    };
    await use(async () => undefined);
    const before = await countScans();
    await use(async (store) => {
      await findTimelines(store.read, ["doc_1", "doc_2"]);
      await store.write((trx) =>
        findIdempotency(trx, { mode: "test", operation: "issueDocument", key: "k" }),
      );
    });
    expect(await countScans()).toEqual(before);
  },
);

test.skipIf(!hasPostgres)("PostgreSQL reads a portion of a table by an index, in one process", async () => {
  await preparePostgres();
  const costs = ["parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"];
  const lowered = [...costs, "min_parallel_index_scan_size"].map(
    (name) => `alter database %1$I set ${name} = 0;`,
  );
  await runSql(url, `do $$ begin execute format('${lowered.join(" ")}', current_database()); end $$`);
  const store = await openOne();
  const audited = await inspectPostgres(url);
  onTestFinished(() => audited.close());
  const explain =
    "explain select * from documents left join document_inputs on document_id = id where id > 'doc_' order by id limit 50";
  const others = /Gather|Seq Scan|Merge|Hash/;
  expect(JSON.stringify(await runSql(url, explain))).toMatch(others);
  for (const session of [store.read, audited.session]) {
    const plan = await session.query(() => sql<Record<string, unknown>>`${sql.raw(explain)}`);
    expect(JSON.stringify(plan)).not.toMatch(others);
  }
});

test.each([
  ["http://fiscal@db/fiscal", "must begin with postgres://"],
  ["postgres://db/fiscal", "must name a user"],
  ["postgres://fiscal:hunter2@db/fiscal?sslmode=require", "sslmode=verify-full"],
  ["postgres://fiscal:hunter2@db/fiscal?sslcert=x", "does not know"],
  ["postgres://fiscal:hunter2@127.0.0.1:1/fiscal", "ECONNREFUSED"],
  ["postgres://fiscal:hunter2@db/fiscal?sslrootcert=/missing.pem", "ENOENT"],
])("an address of PostgreSQL %s is refused without showing the password", async (address, reason) => {
  const opening = openPostgresIn(makeFolder(), { url: address, masterKey: KEY });
  const error = (await opening.catch((failure: unknown) => failure)) as Error;
  expect(error.message).toContain(reason);
  expect(error.message).not.toContain("hunter2");
});

test.each([
  ["53300", "sorry, too many clients already"],
  ["57P03", "the database system is starting up"],
])("the error %s of PostgreSQL comes without advice to check its address", (code, words) => {
  const { message } = explainFailure(Object.assign(new Error(words), { code })) as UnavailableDatabaseError;
  expect(message).toBe(`The database server cannot be used: ${words}`);
});
