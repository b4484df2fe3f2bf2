/** A clock running ahead puts off retries. Once it is set back, they come as soon as otherwise, whether or not a server ran. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { type Bench, CAUSE, openBench } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import { startLocalReceiver } from "../helpers/local-receiver.ts";
import { forEachTest } from "../helpers/set-up.ts";

const START_MS = Date.parse("2026-11-21T09:00:00.000Z");
/** Less than the longest pauses, so that no due time is impossible in itself. */
const AHEAD_MS = 30 * 60_000;
const PAUSE_MS = 70_000;
const ENV = {
  FISCAL_ISSUING__DELAYS_SECONDS: "0,60",
  FISCAL_WEBHOOKS__DELAYS_SECONDS: "0,60,86400",
  FISCAL_WEBHOOKS__ALLOW_NETWORKS: "127.0.0.0/8",
};
const SECONDS = { timeout: 60_000 };

const receiver = forEachTest(startLocalReceiver);
let folder: string;
let bench: Bench;
beforeEach(async () => {
  folder = makeFolder();
  bench = await openBench({ folder, env: ENV });
  const endpoint = { url: receiver.url, enabled_events: ["merchant.created"] };
  await createWebhookEndpoint(bench.appliance, endpoint, CAUSE);
});
afterEach(() => bench.close());

/** Has a document and a webhook wait for their second attempt. */
async function failOnce(): Promise<string> {
  receiver.answer = () => 500;
  const merchant = await bench.makeMerchant();
  const id = await bench.acceptFor(merchant, { metadata: { sandbox: "unavailable" } });
  bench.appliance.pokeIssuing();
  await vi.waitFor(async () => expect(await dueTimes()).toHaveLength(2), SECONDS);
  receiver.answer = () => 200;
  return id;
}

/** When the document and the webhook that wait for their second attempt are due. */
async function dueTimes(): Promise<string[]> {
  const { read } = bench.appliance.store;
  const documents = await read.query((db) =>
    db.selectFrom("documents").select("next_at as at").where("attempts", "=", 1),
  );
  const deliveries = await read.query((db) =>
    db.selectFrom("deliveries").select("due_at as at").where("tries", "=", 1),
  );
  return [...documents, ...deliveries].flatMap(({ at }) => at ?? []);
}

async function expectResumed(id: string): Promise<void> {
  const latest = new Date(bench.appliance.clock.nowMs() + PAUSE_MS).toISOString();
  await vi.waitFor(
    async () => expect(await dueTimes()).toSatisfy((times: string[]) => times.every((at) => at < latest)),
    SECONDS,
  );
  bench.advance(PAUSE_MS);
  await vi.waitFor(async () => {
    expect(await bench.see(id)).toMatchObject({ status: "failed" });
  }, SECONDS);
  await receiver.received(2);
}

test("retries are made once the clock is set back under a running server", async () => {
  await bench.appliance.startScheduler({ webhooks: true });
  bench.advance(AHEAD_MS);
  const id = await failOnce();
  bench.advance(-AHEAD_MS);
  await expectResumed(id);
  expect(bench.logged.filter((line) => line.includes("the clock was set back"))).toHaveLength(1);
});

test.each([
  ["after a start", "0,60"],
  ["after a start with a shorter schedule", "0"],
])("retries are made %s if the clock was set back while no server ran", async (_when, delays) => {
  const env = { ...ENV, FISCAL_ISSUING__DELAYS_SECONDS: delays };
  bench.advance(AHEAD_MS);
  await bench.appliance.startScheduler({ webhooks: true });
  const id = await failOnce();
  await bench.close();
  bench = await openBench({ folder, env, startMs: START_MS });
  await bench.appliance.startScheduler({ webhooks: true });
  await expectResumed(id);
  await bench.close();
  bench = await openBench({ folder, env, startMs: START_MS + PAUSE_MS });
  await bench.appliance.startScheduler({ webhooks: true });
  expect(bench.logged.filter((line) => line.includes("the clock was set back"))).toEqual([]);
});
