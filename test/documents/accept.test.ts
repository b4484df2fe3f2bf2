/** Documents that arrive together share a commit, and each is judged by what is stored then, whoever changed it last. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { fingerprint } from "../../src/journal/idempotency.ts";
import { archiveMerchant, unarchiveMerchant } from "../../src/merchants/merchants.ts";
import { putSettings } from "../../src/merchants/settings.ts";
import { giveUpNumber } from "../../src/numbering/allocate.ts";
import {
  changeConnection,
  deleteOldCredentials,
  insertConnection,
} from "../../storage/merchants/connections.ts";
import {
  insertLetterhead,
  outdateLetterheads,
  saveSettings,
  findMerchantRow,
  insertMerchant,
  updateMerchantRow,
} from "../../storage/merchants/merchants.ts";
import { rewriteConnectionError } from "../../storage/journal/event-notes.ts";
import type { Transaction } from "../../storage/database/write.ts";
import {
  changeEndpoint,
  findEndpointRow,
  insertEndpoint,
  removeEndpoint,
} from "../../storage/webhooks/webhooks.ts";
import { type Bench, buildIssueBody, CAUSE, openBench } from "../helpers/appliance.ts";

let folder: string;
let bench: Bench;
/** Another process on the same database. */
let other: Bench;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscal-accept-"));
  bench = await openBench({ folder });
  other = await openBench({ folder });
});
afterAll(async () => {
  await bench.close();
  await other.close();
  await rm(folder, { recursive: true });
});

let merchants = 0;
const makeMerchant = () => bench.makeMerchant(`shop-${(merchants += 1)}`);

function accept(merchant: string, extra: Record<string, unknown> = {}, key?: string) {
  const body = buildIssueBody(merchant, extra);
  const use =
    key === undefined ? undefined : { operation: "issueDocument", key, fingerprint: fingerprint({}, body) };
  return acceptDocument(bench.appliance, body, CAUSE, use);
}

const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === "fulfilled" ? "accepted" : (result.reason as { code: string }).code;

test("of one key in one commit the first is accepted, and the others are its replays and conflicts", async () => {
  const merchant = await makeMerchant();
  const [first, same, different] = await Promise.allSettled([
    accept(merchant, {}, "together"),
    accept(merchant, {}, "together"),
    accept(merchant, { external_reference: "another" }, "together"),
  ]);
  if (first.status === "rejected" || same.status === "rejected") throw new Error("refused");
  expect(first.value).toMatchObject({ replayed: false });
  expect(same.value).toMatchObject({ id: first.value.id, json: first.value.json, replayed: true });
  expect(codeOf(different)).toBe("idempotency_conflict");
  expect(await accept(merchant, {}, "together")).toMatchObject({ id: first.value.id, replayed: true });
});

test("the key of a refused document is free for the next one of its commit", async () => {
  const merchant = await makeMerchant();
  const taken = { series: "Κ", number: 1 };
  const results = await Promise.allSettled([
    accept(merchant, taken, "first"),
    accept(merchant, taken, "second"),
    accept(merchant, { series: "Κ", number: 2 }, "second"),
  ]);
  expect(results.map(codeOf)).toEqual(["accepted", "already_exists", "accepted"]);
});

test("given numbers are used once, in a commit and later, and the counter continues after the highest", async () => {
  const merchant = await makeMerchant();
  const give = (...numbers: number[]) =>
    Promise.allSettled(numbers.map((number) => accept(merchant, { series: "Δ", number })));
  expect((await give(5, 7, 5, 6, 9)).map(codeOf)).toEqual([
    "accepted",
    "accepted",
    "already_exists",
    "accepted",
    "accepted",
  ]);
  expect((await give(9, 8)).map(codeOf)).toEqual(["already_exists", "accepted"]);
  await bench.appliance.store.write((trx) =>
    giveUpNumber(trx, {
      key: { supplier: "123456783", branch: 0, type: "1.1", series: "Δ", mode: "test" },
      number: 12,
      state: "abandoned",
      documentId: "doc_1",
      reason: "",
    }),
  );
  expect((await give(12, 13)).map(codeOf)).toEqual(["already_exists", "accepted"]);
  const series = await bench.appliance.store.read.query((db) =>
    db.selectFrom("series").select(["first_number", "next_number"]).where("series", "=", "Δ"),
  );
  expect(series).toEqual([{ first_number: 5, next_number: 14 }]);
});

test("a change of the merchant by any process counts for the next document", async () => {
  const merchant = await makeMerchant();
  await accept(merchant);
  await accept(merchant);
  await archiveMerchant(other.appliance, merchant, CAUSE);
  await expect(accept(merchant)).rejects.toMatchObject({ code: "connection_unavailable" });
  await unarchiveMerchant(other.appliance, merchant, CAUSE);
  const results = await Promise.allSettled([accept(merchant), accept(merchant)]);
  expect(results.map(codeOf)).toEqual(["accepted", "accepted"]);
  const settings = { classification: {}, numbering: { "1.1": { series: "ΝΕΑ" } } };
  await putSettings(other.appliance, merchant, settings, "test");
  expect(JSON.parse((await accept(merchant)).json)).toMatchObject({ series: "ΝΕΑ" });
});

test("each change of what documents are prepared from raises the epoch", async () => {
  const { store } = bench.appliance;
  const epochNow = async () =>
    (await store.read.query((db) => db.selectFrom("appliance").select("epoch")))[0]!.epoch;
  const merchantId = await makeMerchant();
  const at = bench.appliance.clock.now();
  const endpoint = {
    id: "we_1",
    mode: "test",
    url: "https://example.com",
    enabled_events_json: "[]",
    status: "enabled",
    secrets: new Uint8Array(),
    failures: 0,
    created_at: at,
  } as const;
  const connection = {
    id: "con_1",
    merchant_id: merchantId,
    provider: "provider_a",
    mode: "test",
    status: "active",
    credentials: new Uint8Array(),
    created_at: at,
  } as const;
  const changes: Record<string, (trx: Transaction) => Promise<unknown>> = {
    insertMerchant: (trx) =>
      insertMerchant(trx, {
        id: "mer_1",
        external_id: "a",
        external_id_folded: "a",
        name: "a",
        branch: 0,
        metadata_json: "{}",
        archived: 0,
        created_at: at,
      }),
    updateMerchantRow: async (trx) =>
      updateMerchantRow(trx, (await findMerchantRow(trx, { id: merchantId }))!),
    saveSettings: (trx) =>
      saveSettings(trx, { merchant_id: merchantId, mode: "test", settings_json: "{}", letterhead_id: null }),
    insertLetterhead: (trx) =>
      insertLetterhead(trx, { merchantId, mode: "test", digest: new Uint8Array(32), contentJson: "{}" }),
    outdateLetterheads: (trx) => outdateLetterheads(trx, { merchantId }),
    insertConnection: (trx) => insertConnection(trx, connection),
    rewriteConnectionError: (trx) => rewriteConnectionError(trx, { id: "con_1", last_error_json: "{}" }),
    changeConnection: (trx) =>
      changeConnection(trx, {
        id: "con_1",
        from: "active",
        status: "invalid",
        verified_at: null,
        last_error_json: null,
        last_error_at: null,
        disconnected_at: null,
      }),
    deleteOldCredentials: (trx) => deleteOldCredentials(trx, { before: at }),
    insertEndpoint: (trx) => insertEndpoint(trx, endpoint),
    changeEndpoint: async (trx) => {
      const {
        mode: _mode,
        created_at: _created,
        removed_at: _removed,
        ...row
      } = (await findEndpointRow(trx, { id: "we_1" }))!;
      await changeEndpoint(trx, row);
    },
    removeEndpoint: (trx) => removeEndpoint(trx, { id: "we_1", at }),
  };
  for (const [name, change] of Object.entries(changes)) {
    const before = await epochNow();
    await store.write(change);
    expect([name, await epochNow()]).toEqual([name, before + 1]);
  }
});
