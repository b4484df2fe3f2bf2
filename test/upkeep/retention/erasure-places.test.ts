/** After an erasure, the number is in no place of the database, however it was written. Repeated requests still work. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { audit } from "../../../src/upkeep/audit/audit-journal.ts";
import { storeListingWindow } from "../../../storage/documents/dated-documents.ts";
import { eraseTaxId } from "../../../src/upkeep/retention/erase-tax-number.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { openDeliveringServer } from "../../helpers/delivering.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const NUMBER = "094012834";

/** Spellings that a request id and an idempotency key may contain. */
const IN_IDS = [
  NUMBER,
  `EL${NUMBER}`,
  `GR-${NUMBER}`,
  "094.012.834",
  "094_012_834",
  "0-9-4-0-1-2-8-3-4",
  "94012834",
];
/** Spellings that only a key may contain. */
const IN_KEYS = [...IN_IDS, "094/012/834"];

const server = forEachTest(openDeliveringServer);

/** Entries of the log that are not written yet cannot be erased. */
async function erase(dryRun = false) {
  await server.appliance.store.flush();
  return eraseTaxId(server.appliance, NUMBER, { dryRun });
}

/** The spellings that are in the database file or its log. */
function remaining(spellings: readonly string[]): string[] {
  const { database } = server.appliance.config.storage;
  const files = [readFileSync(database), readFileSync(`${database}-wal`)];
  return spellings.filter((spelling) => files.some((bytes) => bytes.indexOf(spelling) !== -1));
}

const create = (key: string, index: number) =>
  server.post(
    "/api/v1/merchants",
    { external_id: `m${index}`, name: "x" },
    { headers: { "idempotency-key": key, "x-request-id": `order.${IN_IDS[index % IN_IDS.length]!}.z` } },
  );

/** Stores what an interrupted comparison has read. */
const keepListing = (name: string, series: string) =>
  server.appliance.store.write((trx) =>
    storeListingWindow(trx, {
      name,
      content_json: JSON.stringify({ documents: [{ mark: "1", series }], figures: null, refusals: null }),
      read_at: trx.now,
    }),
  );

const isAuditClean = async () =>
  (await server.appliance.store.snapshot((session) => audit(session, server.appliance.store.cipher))).intact;

test("a number that no document has is gone from everywhere", async () => {
  server.receiver.answer = () => ({ status: 200, headers: {}, body: `thank you, ${NUMBER}` });
  const { id: endpoint } = await server.endpoint();
  const keys = IN_KEYS.map((spelling) => `order-${spelling}#1`);
  const created: string[] = [];
  for (const [index, key] of keys.entries()) created.push((await create(key, index)).text);
  const returnUrl = `https://shop.example/back?customer=${NUMBER}`;
  const link = `/api/v1/merchants/${server.merchant}/connect_sessions`;
  const session = await server.post(
    link,
    { return_url: returnUrl },
    { headers: { "idempotency-key": keys[0]! } },
  );
  expect(session.status).toBe(201);
  await server.get(`/api/v1/tax_ids/lookup?country=GR&code=EL%20094%20012%20834`);
  await server.deliver();
  await keepListing("with it", `A-${NUMBER}`);
  await keepListing("without it", "A-1");
  expect(remaining(IN_KEYS)).toEqual(IN_KEYS);

  const planned = await erase(true);
  expect(remaining(IN_KEYS)).toEqual(IN_KEYS);
  const done = await erase();
  expect({ ...done, dry_run: true }).toEqual(planned);
  expect(done).toMatchObject({
    idempotency_keys: IN_KEYS.length + 1,
    connect_sessions: 1,
    listing_windows: 1,
  });
  expect(remaining(IN_KEYS)).toEqual([]);
  const again = await erase();
  expect(new Set(Object.values(again))).toEqual(new Set(["erasure", false, 0]));

  expect(
    (await server.deliveries(endpoint)).flatMap(({ attempts }) => attempts.map(({ response }) => response)),
  ).toEqual(IN_KEYS.map(() => null));
  const [event] = (await server.get("/api/v1/events?type=merchant.created")).body.data;
  expect(event.request).toEqual({
    id: expect.stringMatching(/^client:erased-[0-9a-f]{32}$/),
    idempotency_key: expect.stringMatching(/^erased:[0-9a-f]{32}$/),
  });
  expect(await isAuditClean()).toBe(true);

  // Repeated requests find what they created, and nothing else is created.
  for (const [index, key] of keys.entries()) {
    const replayed = await create(key, index);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(replayed.text).toBe(created[index]);
  }
  const otherBody = await server.post(
    "/api/v1/merchants",
    { external_id: "other", name: "x" },
    { headers: { "idempotency-key": keys[0]! } },
  );
  expect(otherBody.status).toBe(409);
  const replayedSession = await server.post(
    link,
    { return_url: returnUrl },
    { headers: { "idempotency-key": keys[0]! } },
  );
  expect(replayedSession.text).toBe(session.text);
});

test("receivers' responses about a customer's documents are removed, and no others", async () => {
  const { id } = await server.endpoint();
  await server.issue();
  await server.createEvent();
  await server.deliver();
  expect((await erase()).deliveries).toBe(1);
  expect((await erase()).deliveries).toBe(0);
  const responses = (await server.deliveries(id)).map(({ attempts }) => attempts[0]?.response);
  expect(responses).toEqual(["seen", null]);
});

test("a customer's documents stay, and a repeated request does not issue again", async () => {
  const key = `invoice-${NUMBER}-7`;
  const body = buildIssueBody(server.merchant);
  const first = await server.post("/api/v1/documents", body, {
    headers: { "idempotency-key": key, "x-request-id": `inv_${NUMBER}` },
  });
  await server.settle();
  const path = `/api/v1/documents/${first.body.data.id}`;
  const before = (await server.get(path)).text;
  await erase();
  expect((await server.get(path)).text).toBe(before);
  expect(remaining([key, `inv_${NUMBER}`])).toEqual([]);
  const replayed = await server.post("/api/v1/documents", body, { headers: { "idempotency-key": key } });
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.text).toBe(first.text);
  expect((await server.get("/api/v1/documents")).body.data).toHaveLength(1);
  expect(await isAuditClean()).toBe(true);
});
