import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore } from "../../storage/sqlite/open-sqlite.ts";
import type { Store } from "../../storage/database/store.ts";
import { findSandboxFilings, insertSandboxFiling } from "../../storage/documents/sandbox.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";

const START_MS = Date.parse("2026-11-21T10:00:00.000Z");
const AT = "2026-11-21T10:00:00.000Z";

let folder: string;
let file: string;
const opened = new Set<Store>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscal-write-"));
  file = join(folder, "fiscal.db");
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([...opened].map(close));
  await rm(folder, { recursive: true });
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

/** Writes a row that identifies a unit, in the sandbox's ledger: it has no constraint that would reject it. */
async function leaveTrace(trx: Transaction, trace: string): Promise<string> {
  const id = trx.newId("doc");
  const ids = { uid: trace, document_id: id, filed_at: AT, mark_at: AT };
  const content = { customer_country: null, customer_code: null, sent_type: "11.1", net: 0 };
  await insertSandboxFiling(trx, { ...ids, ...content, supplier: "123456783" }, []);
  return id;
}

async function hasTrace(session: Session, trace: string): Promise<boolean> {
  return (await findSandboxFilings(session, [trace])).length > 0;
}

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
  test("resolves with the result of its unit, once it is on disk", async () => {
    const store = await open();
    const id = await store.write((trx) => leaveTrace(trx, "a"));
    expect(id).toMatch(/^doc_[0-9A-Za-z]{22}$/);
    expect(rowsOnDisk()).toEqual([{ uid: "a", document_id: id }]);
  });

  test("shares its commit with the writes of the same turn, in their order", async () => {
    const store = await open();
    const instants: string[] = [];
    const seen: boolean[] = [];
    await Promise.all([
      store.write(async (trx) => {
        instants.push(trx.now);
        await leaveTrace(trx, "a");
      }),
      store.write(async (trx) => {
        instants.push(trx.now);
        // Visible in the transaction, but not to readers yet.
        seen.push(await hasTrace(trx, "a"), await hasTrace(store.read, "a"));
        await leaveTrace(trx, "b");
      }),
    ]);
    expect(seen).toEqual([true, false]);
    expect(new Set(instants).size).toBe(1);
    expect(tracesOnDisk()).toEqual(["a", "b"]);
    await store.write(async (trx) => void instants.push(trx.now));
    expect(instants[2]! > instants[0]!).toBe(true);
  });

  test("is done in order, even with more units than fit into one commit", async () => {
    const store = await open();
    const traces = Array.from({ length: 600 }, (_, index) => String(index));
    await Promise.all(traces.map((trace) => store.write((trx) => leaveTrace(trx, trace))));
    expect(tracesOnDisk()).toEqual(traces);
  });

  test("leaves turns to other work of the process, which sees nothing of its transaction yet", async () => {
    const store = await open();
    const seen: unknown[] = [];
    const writes = Array.from({ length: 200 }, (_, index) =>
      store.write(async (trx) => {
        if (index === 0)
          setImmediate(() => seen.push("another turn", tracesOnDisk().length, store.file!.checkpoint()));
        await leaveTrace(trx, String(index));
        if (index === 199) seen.push("last unit");
      }),
    );
    await Promise.all(writes);
    expect(seen).toEqual(["another turn", 0, false, "last unit"]);
    expect(tracesOnDisk()).toHaveLength(200);
    expect(store.file!.checkpoint()).toBe(true);
  });

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
    const writes = [
      store.write((trx) => leaveTrace(trx, "a")),
      store.defer(async (trx) => void (await leaveTrace(trx, "b"))),
    ];
    await close(store);
    await Promise.all(writes);
    expect(tracesOnDisk()).toEqual(["a", "b"]);
  });
});

describe("a unit that throws", () => {
  const FAULT = new Error("the unit failed");

  async function fail(trx: Transaction, trace?: string): Promise<never> {
    if (trace !== undefined) await leaveTrace(trx, trace);
    throw FAULT;
  }

  test("after writing leaves nothing and does not affect the others", async () => {
    const store = await open();
    const outcomes = await Promise.allSettled([
      store.write((trx) => leaveTrace(trx, "a")),
      store.write((trx) => fail(trx, "b")),
      store.write((trx) => leaveTrace(trx, "c")),
      store.write((trx) => fail(trx, "d")),
      store.write((trx) => leaveTrace(trx, "e")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[1]).toEqual({ status: "rejected", reason: FAULT });
    const ids = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(rowsOnDisk()).toEqual(["a", "c", "e"].map((uid, index) => ({ uid, document_id: ids[index] })));
  });

  test("before writing makes no other unit run twice", async () => {
    const store = await open();
    let runs = 0;
    const counted = async (trx: Transaction) => {
      runs += 1;
      await leaveTrace(trx, "a");
    };
    const outcomes = await Promise.allSettled([store.write(counted), store.write((trx) => fail(trx))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(runs).toBe(1);
  });

  test("alone does not stop later writes", async () => {
    const store = await open();
    await expect(store.write((trx) => fail(trx, "a"))).rejects.toBe(FAULT);
    await store.write((trx) => leaveTrace(trx, "b"));
    expect(tracesOnDisk()).toEqual(["b"]);
  });

  test("because of a rejected statement does not affect the others", async () => {
    const store = await open();
    const clash = async (trx: Transaction) => {
      await leaveTrace(trx, "b");
      await trx.query((db) =>
        db.insertInto("appliance").values({
          id: 1,
          last_id: "",
          key_check: new Uint8Array(),
          audit_key: new Uint8Array(),
          chain_seal: new Uint8Array(),
          state: "active",
          created_at: AT,
        }),
      );
    };
    const outcomes = await Promise.allSettled([
      store.write((trx) => leaveTrace(trx, "a")),
      store.write(clash),
    ]);
    expect(outcomes[1]).toMatchObject({
      status: "rejected",
      reason: { code: expect.stringMatching(/^SQLITE_CONSTRAINT/) },
    });
    expect(tracesOnDisk()).toEqual(["a"]);
  });

  test("is rejected alone in any mixture: the others are on disk once, in order", async () => {
    const store = await open();
    const kinds = fc.constantFrom("writes", "only reads", "throws", "writes and throws");
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 12 }), async (units) => {
        round += 1;
        const traceOf = (index: number) => `${round}/${index}`;
        const outcomes = await Promise.allSettled(
          units.map((kind, index) =>
            store.write(async (trx) => {
              if (kind.startsWith("writes")) await leaveTrace(trx, traceOf(index));
              if (kind.endsWith("throws")) throw FAULT;
            }),
          ),
        );
        expect(outcomes.map(({ status }) => status === "rejected")).toEqual(
          units.map((kind) => kind.endsWith("throws")),
        );
        const kept = units.flatMap((kind, index) => (kind === "writes" ? [traceOf(index)] : []));
        expect(tracesOnDisk().filter((trace) => trace.startsWith(`${round}/`))).toEqual(kept);
      }),
      { numRuns: 40 },
    );
  });
});

describe("two stores on one file", () => {
  test("create ids that rise in commit order, even if one clock is an hour behind", async () => {
    const [ahead, behind] = [await open(), await open(START_MS - 3_600_000)];
    for (let round = 0; round < 5; round += 1) {
      await ahead.write((trx) => leaveTrace(trx, "ahead"));
      await behind.write((trx) => leaveTrace(trx, "behind"));
    }
    const ids = rowsOnDisk().map(({ document_id }) => document_id);
    expect(ids).toHaveLength(10);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(10);
  });

  test("create rising ids when both write at once", async () => {
    const stores = [await open(), await open(START_MS - 1000)];
    const writes = Array.from({ length: 200 }, (_, index) =>
      stores[index % 2]!.write((trx) => leaveTrace(trx, String(index))),
    );
    await Promise.all(writes);
    const ids = rowsOnDisk().map(({ document_id }) => document_id);
    expect(ids).toHaveLength(200);
    expect(ids).toEqual(ids.toSorted());
  });

  test("create ids above those of a closed store; `now` does not go back either", async () => {
    const first = await open();
    const before = await first.write(async (trx) => ({ id: await leaveTrace(trx, "a"), now: trx.now }));
    await close(first);
    const later = await open(START_MS - 86_400_000);
    const after = await later.write(async (trx) => ({ id: await leaveTrace(trx, "b"), now: trx.now }));
    expect(after.id > before.id).toBe(true);
    expect(after.now >= before.now).toBe(true);
  });
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

  test("a unit deferred meanwhile is written soon after, without another write", async () => {
    const store = await open();
    const other = lock();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = store.write((trx) => leaveTrace(trx, "a"));
    await turns(3);
    const second = store.defer(async (trx) => void (await leaveTrace(trx, "b")));
    // The delay of the deferred unit ends while the first still waits for the lock.
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
