// docs/contract.md#limits: Stored webhook response
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { holdRemaining } from "../../src/webhooks/endpoints.ts";
import { openDeliveringServer } from "../helpers/delivering.ts";
import type { ReceiverAnswer } from "../helpers/local-receiver.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEPS_SECONDS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

const server = forEachTest(openDeliveringServer);

async function onlyDelivery(endpointId: string) {
  const [delivery, ...rest] = await server.deliveries(endpointId);
  expect(rest).toEqual([]);
  return delivery!;
}

/** Advances the clock by `totalMs` and makes every attempt that becomes due meanwhile. */
async function advanceDelivering(totalMs: number, endpointId: string): Promise<void> {
  const end = server.appliance.clock.nowMs() + totalMs;
  for (;;) {
    await server.deliver();
    const due = (await server.deliveries(endpointId))
      .map(({ next_attempt_at: at }) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at)))
      .reduce((earliest, at) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
    if (due > end) break;
    server.advance(due - server.appliance.clock.nowMs());
  }
  server.advance(end - server.appliance.clock.nowMs());
}

test("a receiver that always fails gets exactly ten attempts, on the schedule", async () => {
  server.receiver.answer = () => 500;
  const { id } = await server.endpoint();
  await server.createEvent();
  await advanceDelivering(20 * DAY_MS, id);
  expect(server.receiver.requests).toHaveLength(10);
  const delivery = await onlyDelivery(id);
  expect(delivery).toMatchObject({ status: "failed", next_attempt_at: null });
  const instants = delivery.attempts.map(({ at }) => Date.parse(at));
  for (const [index, step] of STEPS_SECONDS.entries()) {
    if (index === 0) continue;
    const waited = instants[index]! - instants[index - 1]!;
    expect(waited).toBeGreaterThanOrEqual(step * 800);
    expect(waited).toBeLessThanOrEqual(step * 1200);
  }
  // Each attempt is signed with its own time.
  const stamps = server.receiver.requests.map(({ headers }) => Number(headers["webhook-timestamp"]));
  expect(stamps).toEqual(instants.map((ms) => Math.floor(ms / 1000)));
});

test("an endpoint that fails for 4.9 days stays enabled; after five it is disabled, waiting deliveries are held, and replay sends each once", async () => {
  let isDown = true;
  server.receiver.answer = () => (isDown ? 503 : 200);
  const { id } = await server.endpoint();
  const first = await server.createEvent();
  await server.deliver();
  const happened = [first];
  // An event every twelve hours, so that there is always a failure.
  for (let half = 0; half < 9; half += 1) {
    await advanceDelivering(DAY_MS / 2, id);
    happened.push(await server.createEvent());
    await server.deliver();
  }
  await advanceDelivering(0.4 * DAY_MS, id);
  happened.push(await server.createEvent());
  await server.deliver();
  const path = `/api/v1/webhook_endpoints/${id}`;
  expect((await server.get(path)).body.data).toMatchObject({ status: "enabled", disabled_reason: null });

  await advanceDelivering(0.1 * DAY_MS, id);
  happened.push(await server.createEvent());
  await server.deliver();
  const { body } = await server.get(path);
  expect(body.data).toMatchObject({ status: "disabled", disabled_reason: "failing" });
  const [disabled] = (await server.get("/api/v1/events?type=webhook_endpoint.disabled")).body.data;
  expect(disabled).toMatchObject({
    data: {
      object: body.data,
      previous_attributes: { status: "enabled", disabled_reason: null },
    },
    request: null,
  });
  happened.push(await server.createEvent());
  await advanceDelivering(10 * DAY_MS, id);
  const statuses = new Set((await server.deliveries(id)).map(({ status }) => status));
  expect(statuses.has("held")).toBe(true);
  for (const status of ["pending", "delivered"] as const) expect(statuses.has(status)).toBe(false);
  const before = server.receiver.requests.length;

  isDown = false;
  const replay = `${path}/replay`;
  expect(await server.post(replay, {})).toMatchObject({ status: 409, body: { code: "invalid_state" } });
  const again = await server.request("PATCH", path, { body: { status: "enabled" } });
  expect(again.body.data).toMatchObject({ status: "enabled", disabled_reason: null });
  await server.deliver();
  expect(server.receiver.requests).toHaveLength(before);
  // Includes the event about its own disabling.
  const queued = happened.length + 1;
  expect((await server.post(replay, {})).body.data).toEqual({ object: "webhook_replay", queued });
  expect((await server.post(replay, {})).body.data).toEqual({ object: "webhook_replay", queued: 0 });
  await server.deliver();
  const sent = server.receiver.requests.slice(before).map(({ event }) => event.data.object.id);
  expect(sent.sort()).toEqual([...happened, id].sort());
  expect((await server.deliveries(id)).every(({ status }) => status === "delivered")).toBe(true);
});

test("a success restarts the period of five days", async () => {
  let isDown = true;
  server.receiver.answer = () => (isDown ? 500 : 200);
  const { id } = await server.endpoint();
  for (let count = 0; count < 12; count += 1) await server.createEvent();
  await advanceDelivering(4.9 * DAY_MS, id);
  isDown = false;
  await server.createEvent();
  await server.deliver();
  isDown = true;
  for (let count = 0; count < 12; count += 1) await server.createEvent();
  await advanceDelivering(4.9 * DAY_MS, id);
  expect((await server.get(`/api/v1/webhook_endpoints/${id}`)).body.data.status).toBe("enabled");
});

test("honours a Retry-After between one and two times the scheduled delay", async () => {
  server.receiver.answer = () => ({ status: 429, headers: { "retry-after": "8" } });
  const { id } = await server.endpoint();
  await server.createEvent();
  await server.deliver();
  const { attempts, next_attempt_at: next } = await onlyDelivery(id);
  expect(Date.parse(next!) - Date.parse(attempts[0]!.at)).toBe(8000);
});

interface Failure {
  why: string;
  /** Where the event is sent; the receiver by default. */
  url?(): string;
  answer?: ReceiverAnswer;
  /** What a server that does not speak proper HTTP sends; it keeps the connection open. */
  raw?: string;
  attempt: object;
}

const seen = (status: number, response: string) => ({ status, error: null, response });
const FAILURES: readonly Failure[] = [
  {
    why: "http: redirects are not followed",
    answer: { status: 302, headers: { location: "/" } },
    attempt: {
      ...failed("http"),
      status: 302,
      error: { class: "http", message: expect.stringContaining("redirects are not followed") },
    },
  },
  {
    why: "none: of a long response 4 KiB are kept, up to a whole character",
    raw: `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${"α".repeat(10_000)}`,
    attempt: seen(200, "α".repeat(2048)),
  },
  {
    why: "none: a 2xx is a success even if its body never ends",
    raw: "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nso far",
    attempt: seen(200, "so far"),
  },
  { why: "dns", url: () => "http://nothing.invalid/", attempt: failed("dns") },
  { why: "connect: nobody listens", url: () => "http://127.0.0.1:1/", attempt: failed("connect") },
  { why: "connect: no status of HTTP", raw: "HTTP/1.1 999 Odd\r\n\r\n", attempt: failed("connect") },
  { why: "connect: cut off before the headers", answer: "cut", attempt: failed("connect") },
  { why: "tls", url: () => server.receiver.url.replace("http:", "https:"), attempt: failed("tls") },
];

/** Texts of network errors may contain anything, so the message is ours. */
function failed(kind: string): object {
  return {
    status: null,
    error: { class: kind, message: expect.not.stringContaining("127.0.0.1") },
    response: null,
  };
}

describe("an attempt records why it failed", () => {
  test.each(FAILURES)("$why", async ({ url, answer, raw, attempt }) => {
    if (answer !== undefined) server.receiver.answer = () => answer;
    const odd = raw === undefined ? undefined : await listen((socket) => void socket.write(raw));
    const target = odd === undefined ? url?.() : `http://127.0.0.1:${odd.port}/`;
    const { id } = await server.endpoint(target === undefined ? {} : { url: target });
    await server.createEvent();
    await server.deliver();
    expect((await onlyDelivery(id)).attempts).toMatchObject([attempt]);
    odd?.close();
  });

  test("blocked: a live endpoint whose host name resolves to this machine, naming the setting that would allow it", async () => {
    const sent = { key: server.liveKey };
    const hook = { url: `https://localhost:${new URL(server.receiver.url).port}/`, enabled_events: ["*"] };
    const { body } = await server.post("/api/v1/webhook_endpoints", hook, sent);
    await server.post("/api/v1/merchants", { external_id: "live", name: "x" }, sent);
    await server.deliver();
    const path = `/api/v1/webhook_endpoints/${body.data.id}/deliveries`;
    const [delivery] = (await server.get(path, sent)).body.data;
    expect(delivery.attempts).toMatchObject([{ status: null, error: { class: "blocked" } }]);
    expect(delivery.attempts[0].error.message).toMatch(
      /not a public address.*allow_networks = \["(127\.0\.0\.1\/32|::1\/128)"\]/,
    );
    expect(server.receiver.requests).toEqual([]);
  });
});

test("timeout: stops waiting for a receiver that does not respond", async () => {
  await using impatient = await closing(
    openDeliveringServer({ env: { FISCAL_WEBHOOKS__TIMEOUT_SECONDS: "1" } }),
  );
  impatient.receiver.answer = () => "silence";
  const { id } = await impatient.endpoint();
  await impatient.createEvent();
  await impatient.deliver();
  const [delivery] = await impatient.deliveries(id);
  expect(delivery?.attempts).toMatchObject([{ status: null, error: { class: "timeout" } }]);
  expect(delivery?.attempts[0]?.duration_ms).toBeGreaterThan(900);
});

test("the first attempt waits for the schedule's first delay", async () => {
  await using patient = await closing(
    openDeliveringServer({ env: { FISCAL_WEBHOOKS__DELAYS_SECONDS: "60,120" } }),
  );
  await patient.endpoint();
  await patient.createEvent();
  await patient.deliver();
  expect(patient.receiver.requests).toHaveLength(0);
  patient.advance(60_000);
  await patient.deliver();
  expect(patient.receiver.requests).toHaveLength(1);
});

test.each([
  ["a server finds them", () => holdRemaining(server.appliance)],
  [
    "the endpoint is enabled again",
    (path: string) => server.request("PATCH", path, { body: { status: "enabled" } }),
  ],
])(
  "deliveries that another process left pending when it disabled their endpoint are held once %s",
  async (_when, act) => {
    const { id } = await server.endpoint();
    await server.createEvent();
    // Another process disabled it, and ended before it held anything.
    await server.appliance.store.write((trx) =>
      trx.query((db) => db.updateTable("webhook_endpoints").set({ status: "disabled" })),
    );
    await act(`/api/v1/webhook_endpoints/${id}`);
    expect(await onlyDelivery(id)).toMatchObject({ status: "held", next_attempt_at: null });
  },
);

test("an endpoint whose secrets cannot be opened is disabled, and a new secret repairs it", async () => {
  const { id } = await server.endpoint();
  for (let count = 0; count < 20; count += 1) await server.createEvent();
  await server.appliance.store.write((trx) =>
    trx.query((db) => db.updateTable("webhook_endpoints").set({ secrets: new Uint8Array(60) })),
  );
  await server.deliver();
  const path = `/api/v1/webhook_endpoints/${id}`;
  expect((await server.get(path)).body.data).toMatchObject({ disabled_reason: "secret_unreadable" });
  expect(new Set((await server.deliveries(id)).map(({ status }) => status))).toEqual(new Set(["held"]));
  await server.post(`${path}/rotate_secret`, {});
  await server.request("PATCH", path, { body: { status: "enabled" } });
  await server.post(`${path}/replay`, {});
  await server.deliver();
  expect(server.receiver.requests.length).toBeGreaterThanOrEqual(20);
});

test("erased data stays erased even if an attempt was in progress", async () => {
  const { eraseTaxId } = await import("../../src/upkeep/retention/erase-tax-number.ts");
  const { buildIssueBody } = await import("../helpers/appliance.ts");
  server.receiver.answer = () => ({ status: 500, headers: {}, body: "of a person" });
  const { id } = await server.endpoint({ enabled_events: ["document.created"] });
  await server.post("/api/v1/documents", buildIssueBody(server.merchant));
  await server.deliver();
  server.advance(10_000);
  server.receiver.answer = () => ({ status: 500, headers: {}, afterMs: 100 });
  server.queue.poke();
  await server.receiver.received(2);
  expect((await eraseTaxId(server.appliance, "094012834", { dryRun: false })).deliveries).toBe(1);
  await server.deliver();
  expect((await onlyDelivery(id)).attempts.map(({ response }) => response)).toEqual([null, null]);
});

/** A server on this machine that does not speak proper HTTP. */
async function listen(answer: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    sockets.push(socket);
    socket.once("data", () => answer(socket)).on("error", () => undefined);
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", () => done()));
  const { port } = listener.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  };
  return { port, close };
}
