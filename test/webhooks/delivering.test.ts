import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { openDeliveringServer } from "../helpers/delivering.ts";
import type { Received } from "../helpers/local-receiver.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";

/** Verification packages use the system's clock. */
const server = forEachTest(() => openDeliveringServer({ startMs: Date.now() }));

function verifiedBy({ body, headers }: Received, secret: string): boolean {
  const text = body.toString();
  const ours = String(headers["service-signature"]);
  const standard = headers as Record<string, string>;
  try {
    Stripe.webhooks.constructEvent(text, ours, secret);
  } catch {
    expect(() => new Webhook(secret).verify(text, standard)).toThrow();
    return false;
  }
  new Webhook(secret).verify(text, standard);
  return true;
}

test("a delivery is the event byte for byte, with a signature that other packages verify", async () => {
  const { id, secret } = await server.endpoint();
  await server.post("/api/v1/documents", buildIssueBody(server.merchant));
  await server.settle();
  await server.deliver();
  expect(server.receiver.requests.map(({ event }) => event.type)).toEqual([
    "document.created",
    "document.issued",
  ]);
  for (const received of server.receiver.requests) {
    const { text } = await server.get(`/api/v1/events/${received.event.id}`);
    expect(`{"data":${received.body.toString()}}`).toBe(text);
    expect(received).toMatchObject({ method: "POST", path: "/hooks?shop=1" });
    expect(received.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": received.event.id,
      "content-length": String(received.body.length),
    });
    expect(received.headers["user-agent"]).toMatch(/^fiscal\/\d+\.\d+\.\d+$/);
    expect(verifiedBy(received, secret)).toBe(true);
    // As described in the contract, step by step.
    const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(received.headers["service-signature"]),
    )!;
    const hmac = createHmac("sha256", Buffer.from(secret, "utf8"));
    expect(hmac.update(`${t}.`).update(received.body).digest("hex")).toBe(v1);
  }
  expect(await server.deliveries(id)).toMatchObject([
    {
      status: "delivered",
      next_attempt_at: null,
      attempts: [{ status: 200, error: null, response: "seen" }],
    },
    {
      status: "delivered",
      next_attempt_at: null,
      attempts: [{ status: 200, error: null, response: "seen" }],
    },
  ]);
});

test("during a rotation both secrets sign, newest first; then only the new one", async () => {
  const { id, secret: first } = await server.endpoint();
  const path = `/api/v1/webhook_endpoints/${id}/rotate_secret`;
  const { secret: second } = (await server.post(path, { overlap_seconds: 60 })).body.data;
  await server.createEvent();
  await server.deliver();
  const during = server.receiver.requests.at(-1)!;
  expect([first, second].map((secret) => verifiedBy(during, secret))).toEqual([true, true]);
  const [time = "", ...signatures] = String(during.headers["service-signature"]).split(",");
  const signed = Buffer.concat([Buffer.from(`${time.slice(2)}.`), during.body]);
  expect(signatures).toEqual(
    [second, first].map((secret) => `v1=${createHmac("sha256", secret).update(signed).digest("hex")}`),
  );
  const { secret: third } = (await server.post(path, { overlap_seconds: 0 })).body.data;
  await server.createEvent();
  await server.deliver();
  const after = server.receiver.requests.at(-1)!;
  expect([first, second, third].map((secret) => verifiedBy(after, secret))).toEqual([false, false, true]);
});

test("a longer overlap later does not extend an older secret", async () => {
  const { id, secret: first } = await server.endpoint();
  const path = `/api/v1/webhook_endpoints/${id}/rotate_secret`;
  await server.post(path, { overlap_seconds: 60 });
  await server.post(path, { overlap_seconds: 86_400 });
  server.advance(61_000);
  await server.createEvent();
  await server.deliver();
  expect(verifiedBy(server.receiver.requests.at(-1)!, first)).toBe(false);
});

describe("an event is sent", () => {
  test("to the endpoints of its mode that subscribe to its type, and to no other", async () => {
    const wanting = await server.endpoint({ enabled_events: ["merchant.updated", "merchant.created"] });
    const other = await server.endpoint({ enabled_events: ["document.issued"] });
    const url = "https://shop.example/webhooks";
    const live = await server.post(
      "/api/v1/webhook_endpoints",
      { url, enabled_events: ["*"] },
      { key: server.liveKey },
    );
    await server.createEvent();
    expect(await server.deliveries(wanting.id)).toMatchObject([{ status: "pending", endpoint: wanting.id }]);
    expect(await server.deliveries(other.id)).toEqual([]);
    const path = `/api/v1/webhook_endpoints/${live.body.data.id}/deliveries`;
    expect((await server.get(path, { key: server.liveKey })).body.data).toEqual([]);
  });

  test("to an endpoint once, however often the queue runs", async () => {
    await server.endpoint();
    for (let count = 0; count < 30; count += 1) await server.createEvent();
    await Promise.all([server.deliver(), server.deliver(), server.deliver()]);
    await server.deliver();
    const ids = server.receiver.requests.map(({ event }) => event.id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
  });

  test("nowhere after its endpoint is deleted", async () => {
    const { id } = await server.endpoint();
    await server.createEvent();
    expect((await server.request("DELETE", `/api/v1/webhook_endpoints/${id}`)).body.data).toEqual({
      id,
      object: "webhook_endpoint",
      deleted: true,
    });
    await server.createEvent();
    await server.deliver();
    expect(server.receiver.requests).toEqual([]);
    expect((await server.get(`/api/v1/webhook_endpoints/${id}`)).status).toBe(404);
  });
});

test("after the first attempt of the same document's previous event, and no later", async () => {
  const { id } = await server.endpoint({ enabled_events: ["document.created", "document.issued"] });
  // Two documents, four events, all due before the first attempt.
  for (const reference of ["a", "b"])
    await server.post(
      "/api/v1/documents",
      buildIssueBody(server.merchant, { external_reference: reference }),
    );
  await server.settle();
  server.receiver.answer = (index) => (index < 2 ? 500 : 200);
  await server.deliver();
  const seen = server.receiver.requests.map(({ event }) => {
    const { external_reference: reference } = event.data.object as { external_reference?: string };
    return `${reference}: ${event.type}`;
  });
  for (const reference of ["a", "b"]) {
    const own = seen.filter((line) => line.startsWith(reference));
    expect(own).toEqual([`${reference}: document.created`, `${reference}: document.issued`]);
  }
  const statuses = (await server.deliveries(id)).map(({ status }) => status).sort();
  expect(statuses).toEqual(["delivered", "delivered", "pending", "pending"]);
});

test("a silent receiver delays no other", async () => {
  const quick = await server.endpoint();
  const silent = await server.endpoint({ url: `${server.receiver.url}&silent` });
  const { requests } = server.receiver;
  server.receiver.answer = (index) => (requests[index]!.path.endsWith("silent") ? "silence" : 200);
  for (let count = 0; count < 40; count += 1) await server.createEvent();
  server.queue.poke();
  await server.receiver.received(41);
  const isSilent = ({ path }: Received) => path.endsWith("silent");
  await waitFor(async () => requests.filter((one) => !isSilent(one)).length === 40);
  expect(requests.filter(isSilent)).toHaveLength(1);
  await waitFor(async () =>
    (await server.deliveries(quick.id)).every(({ status }) => status === "delivered"),
  );
  await server.request("DELETE", `/api/v1/webhook_endpoints/${silent.id}`);
  await server.receiver.down();
});

test("a queue that is poked while every slot is taken waits for one", async () => {
  await using narrow = await closing(openDeliveringServer({ env: { FISCAL_WEBHOOKS__CONCURRENCY: "1" } }));
  narrow.receiver.answer = () => "silence";
  await narrow.endpoint();
  await narrow.createEvent();
  await narrow.createEvent();
  narrow.queue.poke();
  await narrow.receiver.received(1);
  narrow.queue.poke();
  await new Promise((turn) => setTimeout(turn, 20));
  expect(narrow.receiver.requests).toHaveLength(1);
  narrow.receiver.answer = () => 200;
  const answered = narrow.receiver.received(2);
  await narrow.receiver.down();
  await narrow.receiver.up();
  await answered;
});

async function waitFor(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((turn) => setTimeout(turn, 5));
}
