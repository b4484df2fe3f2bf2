import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore } from "../../storage/sqlite/open-sqlite.ts";
import type { Store } from "../../storage/database/store.ts";
import { createKeyRing } from "../../storage/encryption/key-ring.ts";
import { createTransactions } from "../../storage/database/transactions.ts";
import { createFileConnection } from "../../storage/sqlite/file-connection.ts";
import { SqliteSession } from "../../storage/sqlite/sqlite-session.ts";
import { createWriter, inTurn, type Kind, type Transaction } from "../../storage/database/write.ts";
import { leaveTrace } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";

const START_MS = Date.parse("2026-11-21T10:00:00.000Z");

let file: string;
const opened = new Set<Store>();

beforeEach(() => void (file = join(makeFolder(), "fiscal.db")));
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([...opened].map(close));
});

/** Opens a store on the file. Its clock advances by a millisecond whenever it is read. */
async function open(startMs = START_MS): Promise<Store> {
  let nowMs = startMs;
  const store = await openStore({ file, masterKey: new Uint8Array(32), nowMs: () => (nowMs += 1) });
  opened.add(store);
  return store;
}

async function close(store: Store): Promise<void> {
  opened.delete(store);
  await store.close();
}

const FAULT = new Error("it failed");
const TRACES = inTurn(leaveTrace);
const TRACES_ONLY = inTurn(async (trx, trace: string) => void (await leaveTrace(trx, trace)));

interface Row {
  uid: string;
  document_id: string;
}

/** The rows that another process sees in the file, in the order of writing. */
function rowsOnDisk(): Row[] {
  const other = new Database(file, { readonly: true });
  try {
    return other.prepare<[], Row>("select uid, document_id from sandbox_filings order by id").all();
  } finally {
    other.close();
  }
}

function tracesOnDisk(): string[] {
  return rowsOnDisk().map(({ uid }) => uid);
}

describe("a write", () => {
  test("that arrives during another one is done too", async () => {
    const store = await open();
    let inner: Promise<string> | undefined;
    await store.write(async (trx) => {
      inner = store.write((later) => leaveTrace(later, "b"));
      await leaveTrace(trx, "a");
    });
    await inner;
    expect(tracesOnDisk()).toEqual(["a", "b"]);
  });

  test("is done before the store closes", async () => {
    const store = await open();
    const writes = [store.write((trx) => leaveTrace(trx, "a")), store.defer(TRACES_ONLY, "b")];
    await close(store);
    await Promise.all(writes);
    expect(tracesOnDisk().toSorted()).toEqual(["a", "b"]);
  });
});

describe("items", () => {
  test("of one kind are committed with one call", async () => {
    const store = await open();
    const calls: number[] = [];
    const COUNTED: Kind<string, string> = {
      async commit(trx, traces) {
        calls.push(traces.length);
        return TRACES.commit(trx, traces);
      },
    };
    const traces = Array.from({ length: 600 }, (_, index) => String(index));
    await Promise.all(traces.map((trace) => store.add(COUNTED, trace)));
    expect(tracesOnDisk()).toEqual(traces);
    expect(calls).toEqual([256, 256, 88]);
  });

  test("that are deferred are written with others once they are eight", async () => {
    const store = await open();
    const deferred = Array.from({ length: 7 }, (_, index) => store.defer(TRACES_ONLY, `log ${index}`));
    await store.add(TRACES, "a");
    expect(tracesOnDisk()).toEqual(["a"]);
    deferred.push(store.defer(TRACES_ONLY, "log 7"));
    await store.add(TRACES, "b");
    expect(tracesOnDisk()).toEqual(["a", "b", ...deferred.map((_, index) => `log ${index}`)]);
    await Promise.all(deferred);
  });

  test("are rejected alone in any mixture: the others are on disk once, in order", async () => {
    const store = await open();
    const kinds = fc.constantFrom("writes", "only reads", "throws", "writes and throws");
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 12 }), async (mixture) => {
        round += 1;
        const traceOf = (index: number) => `${round}/${index}`;
        const MIXED = inTurn(async (trx, { kind, trace }: { kind: string; trace: string }) => {
          if (kind.startsWith("writes")) await leaveTrace(trx, trace);
          if (kind.endsWith("throws")) throw FAULT;
        });
        const outcomes = await Promise.allSettled(
          mixture.map((kind, index) => store.add(MIXED, { kind, trace: traceOf(index) })),
        );
        expect(outcomes.map(({ status }) => status === "rejected")).toEqual(
          mixture.map((kind) => kind.endsWith("throws")),
        );
        const kept = mixture.flatMap((kind, index) => (kind === "writes" ? [traceOf(index)] : []));
        expect(tracesOnDisk().filter((trace) => trace.startsWith(`${round}/`))).toEqual(kept);
      }),
      { numRuns: 40 },
    );
  });
});

test("two stores on one file create ids above those of a closed store; `now` does not go back either", async () => {
  const first = await open();
  const before = await first.write(async (trx) => ({ id: await leaveTrace(trx, "a"), now: trx.now }));
  await close(first);
  const later = await open(START_MS - 86_400_000);
  const after = await later.write(async (trx) => ({ id: await leaveTrace(trx, "b"), now: trx.now }));
  expect(after.id > before.id).toBe(true);
  expect(after.now >= before.now).toBe(true);
});

/** Waits for turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((next) => setImmediate(next));
}

describe("while another process holds the lock", () => {
  function lock(): Database.Database {
    const other = new Database(file);
    other.exec("begin immediate");
    return other;
  }

  test("a write waits without blocking the event loop", async () => {
    const store = await open();
    const other = lock();
    let done = false;
    const written = store.write((trx) => leaveTrace(trx, "a")).then(() => (done = true));
    await turns(5);
    expect(done).toBe(false);
    other.exec("commit");
    other.close();
    await written;
    expect(tracesOnDisk()).toEqual(["a"]);
  });

  test("an item deferred meanwhile is written soon after, without another write", async () => {
    const store = await open();
    const other = lock();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = store.write((trx) => leaveTrace(trx, "a"));
    await turns(3);
    const second = store.defer(TRACES_ONLY, "b");
    // The delay of the deferred item ends while the first still waits for the lock.
    await vi.advanceTimersByTimeAsync(1000);
    other.exec("commit");
    other.close();
    await vi.advanceTimersByTimeAsync(1000);
    await first;
    await turns(3);
    await vi.advanceTimersByTimeAsync(1000);
    await turns(3);
    expect(tracesOnDisk()).toEqual(["a", "b"]);
    await second;
  });
});

test("a full disk rejects the whole batch and stores no part of it", async () => {
  await close(await open());
  const ring = createKeyRing(() => [new Uint8Array(32)]);
  const database = new Database(file);
  const writer = createWriter(
    createTransactions(createFileConnection(new SqliteSession(database)), Date.now, {
      ring,
      memory: undefined,
    }).transact,
  );
  /** Inserts without RETURNING, so that SQLite ends the whole transaction when the disk is full. */
  const insert = (trx: Transaction, id: string, bytes: number) =>
    trx.insertRows({ bodies: [{ id, sealed: new Uint8Array(bytes), created_at: trx.now }] });
  const BODIES = inTurn((trx, [id, bytes]: [string, number]) => insert(trx, id, bytes));
  const select = database.prepare("select id from bodies").pluck();
  const pages = Number(database.pragma("page_count", { simple: true }));
  database.pragma(`max_page_count = ${pages + 2}`);
  const bodies: [string, number][] = [
    ["first", 1],
    ["large", 100_000],
    ["last", 1],
  ];
  const outcomes = await Promise.allSettled(bodies.map((body) => writer.add(BODIES, body)));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(select.all()).toEqual([]);
  database.pragma(`max_page_count = ${pages + 1000}`);
  await writer.write((trx) => insert(trx, "again", 1));
  expect(select.all()).toEqual(["again"]);
  database.close();
});
