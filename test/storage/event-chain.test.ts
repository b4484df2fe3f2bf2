import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { createAuditKey } from "../../storage/encryption/key-ring.ts";
import {
  type ChainedEvent,
  CHAIN_START,
  digestOfEvent,
  digestRemovable,
  linkAfter,
} from "../../storage/journal/event-chain.ts";
import { linkEvent } from "../../storage/journal/events.ts";
import { openStore } from "../../storage/sqlite/open-sqlite.ts";
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { makeFolder } from "../helpers/folder.ts";

let folder: string;
let store: Store;
const opened: Store[] = [];
beforeEach(async () => {
  folder = makeFolder();
  store = await open();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(): Promise<Store> {
  const file = join(folder, "fiscal.db");
  const one = await openStore({ file, masterKey: new Uint8Array(32), nowMs: Date.now });
  opened.push(one);
  return one;
}

function buildEvent(id: string, object = "{}"): ChainedEvent {
  return {
    id,
    type: "merchant.created",
    mode: "test",
    object_json: object,
    previous_json: null,
    request_id: null,
    idempotency_key: null,
    document_id: null,
    merchant_id: null,
    created_at: "2026-11-21T10:00:00.000Z",
    document_digest: null,
  };
}

const append = (trx: Transaction) =>
  trx.insertRows({ events: [linkEvent(trx, buildEvent(trx.newId("evt")))] });
const verify = (onProgress?: (done: number, total: number) => void) =>
  store.snapshot((session) => audit(session, store.cipher, onProgress === undefined ? {} : { onProgress }));

const KEY = createAuditKey(new Uint8Array(32).fill(7));
const linkOf = (event: ChainedEvent, key = KEY) =>
  linkAfter(key, CHAIN_START.link, digestOfEvent(key, event, digestRemovable(key, event)), event.document_id);

describe("the link of an event", () => {
  const event = buildEvent("evt_0", '{"a":1}');

  test.each([
    { ...event, id: "evt_1" },
    { ...event, type: "merchant.updated" as const },
    { ...event, mode: "live" as const },
    { ...event, object_json: '{"a":2}' },
    { ...event, previous_json: "{}" },
    { ...event, previous_json: "" },
    { ...event, request_id: "req_1" },
    { ...event, idempotency_key: "k" },
    { ...event, document_id: "doc_0" },
    { ...event, merchant_id: "mer_0" },
    { ...event, created_at: "2026-11-21T10:00:00.001Z" },
    { ...event, document_digest: new Uint8Array(32) },
  ])("changes with each of its columns (%#)", (other) => {
    expect(linkOf(other)).not.toEqual(linkOf(event));
  });

  test("changes if text moves from one part to the next", () => {
    const [one, other] = [
      { ...event, object_json: "a\nb", previous_json: "" },
      { ...event, object_json: "a", previous_json: "b" },
    ];
    expect(linkOf(one)).not.toEqual(linkOf(other));
  });

  test("changes with the audit key", () => {
    expect(linkOf(event, createAuditKey(new Uint8Array(32)))).not.toEqual(linkOf(event));
  });

  test("changes with a provider's words, which its digest alone does not contain", () => {
    const words = { ...event, object_json: '{"error":{"provider_message":"no"}}' };
    const silent = { ...event, object_json: '{"error":{"provider_message":null}}' };
    expect(linkOf(words)).not.toEqual(linkOf(silent));
    const removable = digestRemovable(KEY, words);
    expect(digestOfEvent(KEY, silent, removable)).toEqual(digestOfEvent(KEY, words, removable));
  });

  test("never changes between versions", () => {
    const request = { request_id: "req_1", document_id: "doc_0" };
    const link = linkOf({ ...event, ...request, previous_json: '{"ά":null}' });
    expect(link.toString("hex")).toMatchInlineSnapshot(
      `"d26a7f78e46697e2d9f04dee9f3cd7238443e672fd8fb0341a8b153fd52480bd"`,
    );
  });
});

describe("the chain is intact", () => {
  test("after several processes have written at once", async () => {
    const other = await open();
    const writes = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? store : other).write(append));
    await Promise.all(writes);
    expect(await verify()).toMatchObject({ intact: true, events: 60 });
  });

  test("after a unit of a batch has failed, before or after writing", async () => {
    const failing = [
      async () => {
        throw new Error("before");
      },
      async (trx: Transaction) => {
        await append(trx);
        throw new Error("after");
      },
    ];
    const writes = [store.write(append), ...failing.map((unit) => store.write(unit)), store.write(append)];
    const settled = await Promise.allSettled(writes);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    await store.write(append);
    expect(await verify()).toMatchObject({ intact: true, events: 3 });
  });

  test("over several portions, and reports the progress", async () => {
    for (let count = 0; count < 3; count += 1)
      await store.write(async (trx) => {
        for (let event = 0; event < 700; event += 1) await append(trx);
      });
    const seen: number[] = [];
    expect(await verify((done, total) => seen.push(done / total))).toMatchObject({
      intact: true,
      events: 2100,
    });
    expect(seen.length).toBe(4);
    expect(seen.every((part) => part > 0 && part <= 1)).toBe(true);
  });

  test("without any event", async () => {
    expect(await verify()).toMatchObject({ intact: true, events: 0, head: null });
  });
});

describe("a change of the stored end while a server runs", () => {
  const cut = () => {
    const database = new Database(join(folder, "fiscal.db"));
    database.exec("delete from events where id = (select max(id) from events)");
    database.exec(
      "update appliance set (chain_id, chain) = (select id, chain from events order by id desc limit 1)",
    );
    database.close();
  };

  test("is still found after further events", async () => {
    for (let count = 0; count < 3; count += 1) await store.write(append);
    cut();
    for (let count = 0; count < 2; count += 1) await store.write(append);
    const { events, problems } = await verify();
    expect(events).toBe(4);
    expect(problems).toMatchObject([{ message: { en: expect.stringContaining("does not follow from") } }]);
  });

  test("to an earlier end with its seal is found too", async () => {
    await store.write(append);
    const database = new Database(join(folder, "fiscal.db"));
    const earlier = database
      .prepare("select chain_id, chain, chain_seal from appliance")
      .raw()
      .get() as unknown[];
    await store.write(append);
    await store.write(append);
    database.exec("delete from events where id > (select min(id) from events)");
    database.prepare("update appliance set (chain_id, chain, chain_seal) = (?, ?, ?)").run(...earlier);
    database.close();
    await store.write(append);
    expect((await verify()).intact).toBe(false);
  });
});

test("rejects an event older than the newest", async () => {
  await store.write(append);
  await expect(store.write(async (trx) => linkEvent(trx, buildEvent("evt_0")))).rejects.toThrow(
    "chain of events",
  );
  expect(await verify()).toMatchObject({ intact: true, events: 1 });
});
