import { describe, expect, test } from "vitest";
import { openDeliveringServer } from "../helpers/delivering.ts";
import { forEachTest } from "../helpers/set-up.ts";
import { expectError } from "../helpers/http.ts";

const PATH = "/api/v1/webhook_endpoints";
const URL_OF_SHOP = "https://shop.example/webhooks";
const HOOK = { url: URL_OF_SHOP, enabled_events: ["*"] };

const server = forEachTest(openDeliveringServer);

describe("createWebhookEndpoint", () => {
  test("returns the endpoint with its secret, only this once", async () => {
    const { status, body } = await server.post(PATH, { ...HOOK, description: "Web shop" });
    expect(status).toBe(201);
    const { secret, ...endpoint } = body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({
      object: "webhook_endpoint",
      url: URL_OF_SHOP,
      enabled_events: ["*"],
      description: "Web shop",
      mode: "test",
      status: "enabled",
      disabled_reason: null,
    });
    expect(await server.read(`${PATH}/${endpoint.id}`)).toEqual(endpoint);
    expect(await server.read(PATH)).toEqual([endpoint]);
  });

  test.each([
    [{ enabled_events: ["*"] }, "url: is required"],
    [{ url: URL_OF_SHOP }, "enabled_events: is required"],
    [{ ...HOOK, url: "https://shop.example/\nhooks" }, "url: must be an http or https address"],
    [{ ...HOOK, url: "ftp://shop.example/" }, "url: must be an http or https address"],
    [{ ...HOOK, url: "https://user:password@shop.example/" }, "url: must be an http or https address"],
    [{ ...HOOK, url: `https://shop.example/${"x".repeat(2048)}` }, "url: must have 1 to 2048 characters"],
    [{ ...HOOK, enabled_events: [] }, "enabled_events: must have at least 1 item"],
    [{ ...HOOK, enabled_events: ["*", "document.issued"] }, "enabled_events: must have * alone"],
    [{ ...HOOK, enabled_events: ["document.issued", "document.issued"] }, "enabled_events: must not name"],
    [{ ...HOOK, description: "" }, "description: must have 1 to 500 characters"],
    [{ ...HOOK, status: "disabled" }, "status: is not a known field"],
    [{ ...HOOK, url: "https://10.0.0.1/" }, 'allow_networks = ["10.0.0.1/32"]'],
    [{ ...HOOK, url: "http://0xa9fea9fe/" }, "169.254.169.254 is not a public address"],
  ])("%j is rejected: %s", async (body, says) => {
    const refused = await server.post(PATH, body);
    expectError(refused, 400, "validation_failed", says);
    expect(refused.body.message).not.toContain("password@");
  });

  test("a live endpoint must use https and a public address; a test endpoint may use http and this machine", async () => {
    const sent = { key: server.liveKey };
    const plain = await server.post(PATH, { ...HOOK, url: "http://shop.example/" }, sent);
    expect(plain.body.message).toBe("url: must be https for a live endpoint");
    const here = await server.post(PATH, { ...HOOK, url: "http://127.0.0.1:1/" }, sent);
    expect(here.body.message).toMatch(
      /must be https.*; url: cannot be delivered to: 127\.0\.0\.1 is not a public/,
    );
    for (const url of ["http://127.0.0.1:1/", "http://[::1]:1/", "http://shop.example/"])
      expect((await server.post(PATH, { ...HOOK, url })).status).toBe(201);
    expect((await server.post(PATH, HOOK, sent)).body.data.mode).toBe("live");
  });

  test("allows at most a hundred", async () => {
    for (let count = 0; count < 100; count += 1) expect((await server.post(PATH, HOOK)).status).toBe(201);
    expectError(await server.post(PATH, HOOK), 409, "invalid_state");
    expect((await server.post(PATH, HOOK, { key: server.liveKey })).status).toBe(201);
    const [{ id }] = await server.read(PATH);
    await server.request("DELETE", `${PATH}/${id}`);
    expect((await server.post(PATH, HOOK)).status).toBe(201);
  });
});

describe("an endpoint", () => {
  test("is changed under the same rules as at creation", async () => {
    const { id } = await server.endpoint();
    const patch = async (body: object) => server.request("PATCH", `${PATH}/${id}`, { body });
    expect((await patch({ url: "http://10.0.0.1/" })).body.message).toContain("allow_networks");
    expect((await patch({ mode: "live" })).status).toBe(400);
  });

  test("can be rotated and replayed without a body", async () => {
    const { id, secret } = await server.endpoint();
    const rotated = await server.request("POST", `${PATH}/${id}/rotate_secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body.data.secret).not.toBe(secret);
    expect((await server.request("POST", `${PATH}/${id}/replay`)).body.data.queued).toBe(0);
    for (const seconds of [-1, 604_801, 1.5, "60"])
      expect((await server.post(`${PATH}/${id}/rotate_secret`, { overlap_seconds: seconds })).status).toBe(
        400,
      );
  });

  test("that is disabled holds new and open deliveries; enabled again it gets only new events", async () => {
    const { id } = await server.endpoint();
    const first = await server.createEvent();
    await server.request("PATCH", `${PATH}/${id}`, { body: { status: "disabled" } });
    const second = await server.createEvent();
    const held = await server.deliveries(id);
    expect(held.map(({ status, next_attempt_at: at }) => [status, at])).toEqual([
      ["held", null],
      ["held", null],
    ]);
    await server.request("PATCH", `${PATH}/${id}`, { body: { status: "enabled" } });
    const third = await server.createEvent();
    await server.deliver();
    const got = () => server.receiver.requests.map(({ event }) => event.data.object.id);
    expect(got()).toEqual([third]);
    await server.post(`${PATH}/${id}/replay`, { created: { gte: "2020-01-01T00:00:00Z" } });
    await server.deliver();
    expect(got().sort()).toEqual([first, second, third].sort());
  });
});

test("replayWebhookEvents sends held and failed deliveries of a period, and named events whatever their state", async () => {
  const { id } = await server.endpoint({ enabled_events: ["merchant.created"] });
  const path = `${PATH}/${id}/replay`;
  await server.createEvent();
  await server.deliver();
  server.advance(60_000);
  await server.request("PATCH", `${PATH}/${id}`, { body: { status: "disabled" } });
  await server.createEvent();
  const [late, early] = await server.deliveries(id);
  await server.request("PATCH", `${PATH}/${id}`, { body: { status: "enabled" } });
  const replay = async (body: object) => (await server.post(path, body)).body.data?.queued;
  expect(await replay({ created: { lte: early!.created } })).toBe(0);
  expect(await replay({ events: [early!.event] })).toBe(1);
  expect(await replay({ events: [early!.event] })).toBe(0);
  expect(await replay({ created: { gte: late!.created, lte: late!.created } })).toBe(1);
  await server.deliver();
  const got = server.receiver.requests.map(({ event }) => event.id);
  expect(got.sort()).toEqual([early!.event, early!.event, late!.event].sort());
  // Delivered attempts stay on record unchanged.
  expect((await server.deliveries(id)).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
});

test("replayWebhookEvents sends an event older than the endpoint if it is named, and rejects ids that are not events of the mode", async () => {
  await server.createEvent();
  const [event] = await server.read("/api/v1/events?limit=1");
  const { id } = await server.endpoint();
  const path = `${PATH}/${id}/replay`;
  expect((await server.post(path, { events: [event.id] })).body.data.queued).toBe(1);
  const refused = await server.post(path, { events: [event.id, "evt_0000000000000000000000"] });
  expect(refused.body.message).toBe("events[1]: is not an event of this mode");
  await server.deliver();
  expect(server.receiver.requests.map(({ event: got }) => got.id)).toEqual([event.id]);
});

test("resendEvent posts the same event with the same id again, as a separate delivery", async () => {
  const { id } = await server.endpoint();
  const other = await server.endpoint({ enabled_events: ["document.issued"] });
  await server.createEvent();
  await server.deliver();
  const [first] = server.receiver.requests;
  const resent = await server.request("POST", `/api/v1/events/${first!.event.id}/resend`);
  expect(resent.body.data).toEqual(first!.event);
  await server.deliver();
  expect(server.receiver.requests[1]?.body).toEqual(first!.body);
  expect(await server.deliveries(id)).toHaveLength(2);
  expect(await server.deliveries(other.id)).toEqual([]);
});

test("resendEvent uses a named endpoint even if it is not subscribed to the type, but not a disabled one", async () => {
  await server.createEvent();
  const [event] = await server.read("/api/v1/events?limit=1");
  const other = await server.endpoint({ enabled_events: ["document.issued"] });
  const path = `/api/v1/events/${event.id}/resend`;
  await server.post(path, { webhook_endpoint: other.id });
  expect(await server.deliveries(other.id)).toMatchObject([{ event: event.id, status: "pending" }]);
  await server.request("PATCH", `${PATH}/${other.id}`, { body: { status: "disabled" } });
  expectError(await server.post(path, { webhook_endpoint: other.id }), 409, "invalid_state");
  expect((await server.post(path, { webhook_endpoint: "we_0000000000000000000000" })).status).toBe(404);
  expect((await server.post(path, { webhook_endpoint: "we_1" })).status).toBe(400);
  expect((await server.post(path, {}, { key: server.liveKey })).status).toBe(404);
});

test("a replay sends failed and held events of a document in their order", async () => {
  const { id } = await server.endpoint({ enabled_events: ["document.created", "document.issued"] });
  const path = `${PATH}/${id}`;
  await server.issue();
  await server.appliance.store.write(async (trx) => {
    await trx.query((db) => db.updateTable("deliveries").set({ status: "failed", due_at: null }));
  });
  await server.request("PATCH", path, { body: { status: "disabled" } });
  await server.settle();
  await server.request("PATCH", path, { body: { status: "enabled" } });
  expect((await server.deliveries(id)).map(({ status }) => status)).toEqual(["held", "failed"]);
  expect((await server.post(`${path}/replay`, {})).body.data.queued).toBe(2);
  await server.deliver();
  expect(server.receiver.requests.map(({ event }) => event.type)).toEqual([
    "document.created",
    "document.issued",
  ]);
});

test("an event resent while it awaits its next attempt is sent once", async () => {
  server.receiver.answer = () => 500;
  const { id } = await server.endpoint();
  await server.createEvent();
  await server.deliver();
  const [waiting] = await server.deliveries(id);
  await server.post(`/api/v1/events/${waiting!.event}/resend`, {});
  await server.deliver();
  expect(server.receiver.requests).toHaveLength(2);
  await server.request("PATCH", `${PATH}/${id}`, { body: { status: "disabled" } });
  await server.request("PATCH", `${PATH}/${id}`, { body: { status: "enabled" } });
  expect((await server.post(`${PATH}/${id}/replay`, {})).body.data.queued).toBe(1);
});

test("deletes deliveries after their retention period, and a deleted endpoint with its last delivery", async () => {
  const { deleteExpiredData } = await import("../../src/upkeep/retention/retention.ts");
  const { id } = await server.endpoint();
  await server.createEvent();
  await server.deliver();
  server.advance(91 * 86_400_000);
  await server.createEvent();
  await server.deliver();
  expect((await deleteExpiredData(server.appliance)).deliveries).toBe(1);
  expect(await server.deliveries(id)).toHaveLength(1);
  await server.request("DELETE", `${PATH}/${id}`);
  expect((await deleteExpiredData(server.appliance)).deliveries).toBe(1);
  const rows = await server.appliance.store.read.query((db) =>
    db.selectFrom("webhook_endpoints").select("id"),
  );
  expect(rows).toEqual([]);
});
