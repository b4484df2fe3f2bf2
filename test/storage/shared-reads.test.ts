/** Documents that are accepted in one transaction share what is read about their merchant, until something changes it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { archiveMerchant } from "../../src/merchants/merchants.ts";
import { findActiveConnections, insertConnection } from "../../storage/merchants/connections.ts";
import { findIssuingMerchantRow, saveSettings } from "../../storage/merchants/merchant-settings.ts";
import { readOnce } from "../../storage/database/shared-reads.ts";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";

const CAUSE = { mode: "test" as const, requestId: null, idempotencyKey: null };

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());

test("a document accepted after its merchant was archived in the same transaction is refused", async () => {
  const { appliance } = bench;
  const merchant = await bench.makeMerchant("archived");
  const accept = () => acceptDocument(appliance, buildIssueBody(merchant, {}), CAUSE);
  const archive = () => archiveMerchant(appliance, merchant, CAUSE);
  await accept();
  const results = await Promise.allSettled([accept(), archive(), accept()]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
});

test("settings that change between the units of a transaction are read again", async () => {
  const { appliance } = bench;
  const merchant = await bench.makeMerchant("settings");
  const read = () =>
    appliance.store.write(
      async (trx) => (await findIssuingMerchantRow(trx, merchant, "test"))?.settings_json,
    );
  const settings = { merchantId: merchant, mode: "test" as const, settingsJson: "{}" };
  const put = () => appliance.store.write((trx) => saveSettings(trx, settings));
  const [before, , after] = await Promise.all([read(), put(), read()]);
  expect([before, after]).toEqual([null, "{}"]);
});

test("a value is read once in a transaction, and again in the next and outside of one", async () => {
  const { store } = bench.appliance;
  let reads = 0;
  const read = async () => (reads += 1);
  await store.write(async (trx) => [await readOnce(trx, "x", read), await readOnce(trx, "x", read)]);
  expect(reads).toBe(1);
  await store.write((trx) => readOnce(trx, "x", read));
  expect(reads).toBe(2);
  await readOnce(store.read, "x", read);
  await readOnce(store.read, "x", read);
  expect(reads).toBe(4);
});

test("a connection added in a transaction is found in it", async () => {
  const { store } = bench.appliance;
  const merchant = await bench.makeMerchant("connected");
  const found = await store.write(async (trx) => {
    const before = await findActiveConnections(trx, merchant, "test");
    await insertConnection(trx, {
      id: trx.newId("con"),
      merchant_id: merchant,
      provider: "provider_a",
      mode: "test",
      status: "active",
      credentials: new Uint8Array(),
      created_at: trx.now,
    });
    return [before.length, (await findActiveConnections(trx, merchant, "test")).length];
  });
  expect(found).toEqual([0, 1]);
});
