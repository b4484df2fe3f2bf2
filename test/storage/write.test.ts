import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../storage/open.ts";
import { findSandboxFilings, insertSandboxFiling } from "../../storage/sandbox.ts";
import type { Session } from "../../storage/session.ts";
import type { Transaction } from "../../storage/write.ts";

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

/** A store on the one file. Its clock goes on by a millisecond whenever it is read. */
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

/** A unit's trace in the file: rows of the sandbox's ledger, which has no rule that would refuse them. */
async function leave(trx: Transaction, trace: string): Promise<string> {
  const id = trx.newId("doc");
  await insertSandboxFiling(trx, { uid: trace, document_id: id, filed_at: AT, mark_at: AT });
  return id;
}

async function isLeft(session: Session, trace: string): Promise<boolean> {
  return (await findSandboxFilings(session, trace)).length > 0;
}

interface Row {
  uid: string;
  document_id: string;
}

/** What any other process finds in the file, in the order of writing. */
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
  test("answers what its unit answers, once it is on disk", async () => {
    const store = await open();
    const id = await store.write((trx) => leave(trx, "a"));
    expect(id).toMatch(/^doc_[0-9A-Za-z]{22}$/);
    expect(rowsOnDisk()).toEqual([{ uid: "a", document_id: id }]);
  });

  test("shares its commit with those of the same turn, in the order in which they came", async () => {
    const store = await open();
    const instants: string[] = [];
    const seen: boolean[] = [];
    await Promise.all([
      store.write(async (trx) => {
        instants.push(trx.now);
        await leave(trx, "a");
      }),
      store.write(async (trx) => {
        instants.push(trx.now);
        // The same transaction sees it, readers do not yet.
        seen.push(await isLeft(trx, "a"), await isLeft(store.read, "a"));
        await leave(trx, "b");
      }),
    ]);
    expect(seen).toEqual([true, false]);
    expect(new Set(instants).size).toBe(1);
    expect(tracesOnDisk()).toEqual(["a", "b"]);
    await store.write(async (trx) => void instants.push(trx.now));
    expect(instants[2]! > instants[0]!).toBe(true);
  });

  test("is one of any number: more than one commit takes keep their order", async () => {
    const store = await open();
    const traces = Array.from({ length: 600 }, (_, index) => String(index));
    await Promise.all(traces.map((trace) => store.write((trx) => leave(trx, trace))));
    expect(tracesOnDisk()).toEqual(traces);
  });

  test("that came while another ran is made too", async () => {
    const store = await open();
    let inner: Promise<string> | undefined;
    await store.write(async (trx) => {
      inner = store.write((later) => leave(later, "b"));
      await leave(trx, "a");
    });
    await inner;
    expect(tracesOnDisk()).toEqual(["a", "b"]);
  });

  test("that was handed in is made before the store closes", async () => {
    const store = await open();
    const writes = [
      store.write((trx) => leave(trx, "a")),
      store.defer(async (trx) => void (await leave(trx, "b"))),
    ];
    await close(store);
    await Promise.all(writes);
    expect(tracesOnDisk()).toEqual(["a", "b"]);
  });
});

describe("a unit that throws", () => {
  const FAULT = new Error("the unit failed");

  async function fail(trx: Transaction, trace?: string): Promise<never> {
    if (trace !== undefined) await leave(trx, trace);
    throw FAULT;
  }

  test("after having written harms no other, and leaves nothing", async () => {
    const store = await open();
    const outcomes = await Promise.allSettled([
      store.write((trx) => leave(trx, "a")),
      store.write((trx) => fail(trx, "b")),
      store.write((trx) => leave(trx, "c")),
      store.write((trx) => fail(trx, "d")),
      store.write((trx) => leave(trx, "e")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[1]).toEqual({ status: "rejected", reason: FAULT });
    const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(rowsOnDisk()).toEqual(["a", "c", "e"].map((uid, index) => ({ uid, document_id: answers[index] })));
  });

  test("before having written makes nobody run twice", async () => {
    const store = await open();
    let runs = 0;
    const counted = async (trx: Transaction) => {
      runs += 1;
      await leave(trx, "a");
    };
    const outcomes = await Promise.allSettled([store.write(counted), store.write((trx) => fail(trx))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(runs).toBe(1);
  });

  test("alone leaves the store able to write", async () => {
    const store = await open();
    await expect(store.write((trx) => fail(trx, "a"))).rejects.toBe(FAULT);
    await store.write((trx) => leave(trx, "b"));
    expect(tracesOnDisk()).toEqual(["b"]);
  });

  test("because the file refused a statement harms no other", async () => {
    const store = await open();
    const clash = async (trx: Transaction) => {
      await leave(trx, "b");
      await trx.query((db) =>
        db
          .insertInto("appliance")
          .values({ id: 1, last_id: "", key_check: new Uint8Array(), state: "active", created_at: AT }),
      );
    };
    const outcomes = await Promise.allSettled([store.write((trx) => leave(trx, "a")), store.write(clash)]);
    expect(outcomes[1]).toMatchObject({
      status: "rejected",
      reason: { code: expect.stringMatching(/^SQLITE_CONSTRAINT/) },
    });
    expect(tracesOnDisk()).toEqual(["a"]);
  });

  test("is told apart in any mixture: the others are on disk, each once, in their order", async () => {
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
              if (kind.startsWith("writes")) await leave(trx, traceOf(index));
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
  test("make ids that rise in the order of the commits, though one clock is an hour behind", async () => {
    const [ahead, behind] = [await open(), await open(START_MS - 3_600_000)];
    for (let round = 0; round < 5; round += 1) {
      await ahead.write((trx) => leave(trx, "ahead"));
      await behind.write((trx) => leave(trx, "behind"));
    }
    const ids = rowsOnDisk().map(({ document_id }) => document_id);
    expect(ids).toHaveLength(10);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(10);
  });

  test("and do so when both write at once", async () => {
    const stores = [await open(), await open(START_MS - 1000)];
    const writes = Array.from({ length: 200 }, (_, index) =>
      stores[index % 2]!.write((trx) => leave(trx, String(index))),
    );
    await Promise.all(writes);
    const ids = rowsOnDisk().map(({ document_id }) => document_id);
    expect(ids).toHaveLength(200);
    expect(ids).toEqual(ids.toSorted());
  });

  test("and a store opened later goes on above them; `now` does not go back either", async () => {
    const first = await open();
    const before = await first.write(async (trx) => ({ id: await leave(trx, "a"), now: trx.now }));
    await close(first);
    const later = await open(START_MS - 86_400_000);
    const after = await later.write(async (trx) => ({ id: await leave(trx, "b"), now: trx.now }));
    expect(after.id > before.id).toBe(true);
    expect(after.now >= before.now).toBe(true);
  });
});

/** Some turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((next) => setImmediate(next));
}

describe("while another process holds the lock", () => {
  function lock(): Database.Database {
    const other = new Database(file);
    other.exec("begin immediate");
    return other;
  }

  test("a write waits without stopping the event loop, and is made after", async () => {
    const store = await open();
    const other = lock();
    let done = false;
    const written = store.write((trx) => leave(trx, "a")).then(() => (done = true));
    await turns(5);
    expect(done).toBe(false);
    other.exec("commit");
    other.close();
    await written;
    expect(tracesOnDisk()).toEqual(["a"]);
  });

  test("what was put off meanwhile is written soon after, with nothing else to write", async () => {
    const store = await open();
    const other = lock();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const first = store.write((trx) => leave(trx, "a"));
    await turns(3);
    const second = store.defer(async (trx) => void (await leave(trx, "b")));
    // Its own while passes when the first still waits for the lock.
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
