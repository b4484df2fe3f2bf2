import { expect, test } from "vitest";
import { beginOnce } from "../../src/journal/create-once.ts";
import { fingerprint } from "../../src/journal/idempotency.ts";
import { CONNECT, openConnectingServer, REFUSED } from "../helpers/connecting.ts";
import { ERROR } from "../helpers/scripted-provider.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openConnectingServer);

const path = () => `/api/v1/merchants/${server.merchant}/connections`;

async function eventsAbout(prefix: string) {
  const { body } = await server.get(`/api/v1/events?limit=100&merchant=${server.merchant}`);
  const events = body.data as {
    type: string;
    data: { object: { status: string }; previous_attributes?: object };
  }[];
  return events.filter(({ type }) => type.startsWith(prefix)).toReversed();
}

/** What a process that was killed while it created the connection leaves behind. */
async function leaveClaim(key: string): Promise<void> {
  const claim = {
    operation: "createConnection",
    key,
    fingerprint: fingerprint({ id: server.merchant }, CONNECT),
  };
  await server.appliance.store.write((trx) => beginOnce(trx, "test", claim, 60_000));
}

test("creating a connection reports a key held by a killed process as in progress until its lease expires", async () => {
  await leaveClaim("killed");
  const headers = { "idempotency-key": "killed" };
  const running = await server.post(path(), CONNECT, { headers });
  expect(running).toMatchObject({ status: 409, body: { code: "idempotency_in_progress" } });
  expect(running.headers.get("retry-after")).toBe("1");
  server.advance(60_001);
  expect((await server.post(path(), CONNECT, { headers })).status).toBe(201);
});

test("creating a connection does not wait for a killed process that held the key while the clock ran hours ahead", async () => {
  server.advance(6 * 3_600_000);
  await leaveClaim("ahead");
  server.advance(-6 * 3_600_000);
  expect((await server.post(path(), CONNECT, { headers: { "idempotency-key": "ahead" } })).status).toBe(201);
});

test("verifying again: a refusal makes it invalid, an acceptance active again, each with an event", async () => {
  const id = await server.connect();
  server.answer(REFUSED);
  server.advance(1000);
  const refused = await server.post(`/api/v1/connections/${id}/verify`, undefined);
  expect([refused.status, refused.body.data.status]).toEqual([200, "invalid"]);
  expect(refused.body.data.verified_at).toBe("2026-11-21T09:00:00.000Z");
  server.answer({ kind: "accepted" });
  server.advance(1000);
  const accepted = await server.post(`/api/v1/connections/${id}/verify`, undefined);
  expect(accepted.body.data).toMatchObject({ status: "active", last_error: null });
  expect(accepted.body.data.verified_at).toBe("2026-11-21T09:00:02.000Z");
  const [, , invalid, verified] = await eventsAbout("connection.");
  expect(invalid).toMatchObject({
    type: "connection.invalid",
    data: { previous_attributes: { status: "active", last_error: null } },
  });
  expect(verified).toMatchObject({
    type: "connection.verified",
    data: { previous_attributes: { status: "invalid", verified_at: "2026-11-21T09:00:00.000Z" } },
  });
});

const issue = (key = server.testKey) => server.issue({}, { key });
const show = async (id: string) => await server.read(`/api/v1/documents/${id}`);

test("documents fail if it is disconnected before they are sent, and use the next one when retried", async () => {
  const id = await server.connect();
  const { body } = await issue();
  await server.post(`/api/v1/connections/${id}/disconnect`, undefined);
  await server.settle();
  expect(await show(body.data.id)).toMatchObject({
    status: "failed",
    error: { code: "connection_unavailable", retryable: true },
    number: null,
  });
  expect(server.provider.asked).toEqual(["verify"]);
  await server.connect();
  server.provider.issues("400000000000002");
  await server.post(`/api/v1/documents/${body.data.id}/retry`, undefined);
  await server.settle();
  expect(await show(body.data.id)).toMatchObject({ status: "issued", number: 1 });
});

test("documents are looked up with its credentials after it was disconnected", async () => {
  const id = await server.connect();
  const { body } = await issue();
  server.provider.expect({ asked: "issue", answer: () => ({ kind: "unknown", error: ERROR }) });
  await server.settle();
  expect((await show(body.data.id)).stage).toBe("reconciling");
  await server.post(`/api/v1/connections/${id}/disconnect`, undefined);
  server.provider.expect({
    asked: "reconcile",
    answer: () => ({ kind: "issued", mark: "400000000000003", uid: null, qrUrl: null }),
  });
  server.advance(10_000);
  await server.settle();
  expect(await show(body.data.id)).toMatchObject({ status: "issued", mark: "400000000000003" });
});
