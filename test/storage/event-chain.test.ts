import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { type ChainedEvent, CHAIN_START, digestOfEvent, linkAfter } from "../../storage/event-chain.ts";
import { insertEvent } from "../../storage/events.ts";
import { openStore, type Store } from "../../storage/open.ts";
import type { Transaction } from "../../storage/write.ts";

let folder: string;
let store: Store;
const opened: Store[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscal-chain-"));
  store = await open();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
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
  };
}

const append = (trx: Transaction) => insertEvent(trx, buildEvent(trx.newId("evt")));
const verify = (onProgress?: (done: number, total: number) => void) =>
  store.snapshot((session) => audit(session, onProgress === undefined ? {} : { onProgress }));

describe("the digest of an event", () => {
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
  ])("changes with each of its columns (%#)", (other) => {
    expect(digestOfEvent(other)).not.toEqual(digestOfEvent(event));
  });

  test("changes if text moves from one part to the next", () => {
    const [one, other] = [
      { ...event, object_json: "a\nb", previous_json: "" },
      { ...event, object_json: "a", previous_json: "b" },
    ];
    expect(digestOfEvent(one)).not.toEqual(digestOfEvent(other));
  });

  test("and the link never change between versions", () => {
    const digest = digestOfEvent({ ...event, previous_json: '{"ά":null}', document_id: "doc_0" });
    expect(linkAfter(CHAIN_START.link, digest).toString("hex")).toMatchInlineSnapshot(
      `"40db210ad9817c16666a4c82b49a114ad8787ecc67119d93b8289c53c214a882"`,
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

test("rejects an event older than the newest", async () => {
  await store.write(append);
  await expect(store.write((trx) => insertEvent(trx, buildEvent("evt_0")))).rejects.toThrow(
    "chain of events",
  );
  expect(await verify()).toMatchObject({ intact: true, events: 1 });
});
