// docs/contract.md#event-types
// docs/contract.md#event-snapshots
import { expect, test } from "vitest";
import { createWebhookQueue } from "../../../src/webhooks/webhook-queue.ts";
import { startLocalReceiver } from "../../helpers/local-receiver.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import {
  CONNECT,
  DOCUMENTS,
  EVENTS,
  idForm,
  type Json,
  MERCHANTS,
  REFUSED,
  useServer,
} from "../helpers/bench.ts";

const server = useServer();
/** The latest event of each type, after causing one of each. */
const events = forAllTests(async () => {
  const merchant = await server.addMerchant();
  const { id } = await server.connect(merchant);
  await server.connect(await server.addMerchant(), {}, REFUSED);
  await server.post(`/api/v1/connections/${id}/disconnect`, undefined);
  await server.connect();
  await server.finished({ play: "accepted", later: "rejected" });
  const failed = await server.finished({ play: "away" });
  await server.post(`${DOCUMENTS}/${failed.id}/retry`, undefined);
  await server.finished();
  const path = `${MERCHANTS}/${merchant}/connect_sessions`;
  const session = (await server.post(path, { provider: "registry_direct" })).body.data;
  await server.request("POST", new URL(session.url).pathname, {
    key: null,
    raw: new URLSearchParams({ provider: "registry_direct", ...CONNECT.credentials }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
  });
  await failAnEndpoint();
  const all: Json[] = await server.read(`${EVENTS}?limit=100`);
  return Object.fromEntries(all.toReversed().map((event) => [event.type, event] as const));
});

/** An endpoint whose receiver responds with 410, twice within the hour. */
async function failAnEndpoint(): Promise<void> {
  const receiver = await startLocalReceiver();
  receiver.answer = () => 410;
  const hook = { url: receiver.url, enabled_events: ["merchant.created"] };
  await server.post("/api/v1/webhook_endpoints", hook);
  const queue = createWebhookQueue(server.appliance);
  for (let count = 0; count < 2; count += 1) {
    await server.addMerchant();
    await queue.settleAll();
  }
  await queue.stop();
  await receiver.down();
}

/** The snapshot's kind, and the part that shows what happened. */
const TYPES: [string, string, Record<string, unknown>][] = [
  ["document.created", "document", { status: "pending", stage: "queued", mark: null }],
  ["document.issued", "document", { status: "issued", stage: null, mark: expect.stringMatching(/^\d{15}$/) }],
  [
    "document.rejected",
    "document",
    { status: "rejected", error: expect.objectContaining({ retryable: false }) },
  ],
  ["document.failed", "document", { status: "failed", error: expect.objectContaining({ retryable: true }) }],
  ["document.retried", "document", { status: "pending", stage: "queued", error: null }],
  ["merchant.created", "merchant", { archived: false }],
  ["connection.created", "connection", { provider: "registry_direct" }],
  ["connection.verified", "connection", { status: "active", verified_at: expect.any(String) }],
  ["connection.invalid", "connection", { status: "invalid", last_error: expect.any(Object) }],
  ["connection.disconnected", "connection", { status: "disconnected" }],
  [
    "webhook_endpoint.disabled",
    "webhook_endpoint",
    { status: "disabled", disabled_reason: "failing", enabled_events: ["merchant.created"] },
  ],
  ["connect_session.completed", "connect_session", { connection: expect.stringMatching(idForm("con")) }],
];

test.each(TYPES)("%s: its data.object is a %s with the state right after it", (type, kind, shown) => {
  expect(events[type]?.data.object).toMatchObject({ object: kind, ...shown });
});
