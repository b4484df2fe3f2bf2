// docs/contract.md#document-status
// docs/contract.md#connection-status
// docs/contract.md#timeline
// docs/contract.md#limits: Timeline
import { beforeAll, describe, expect, test } from "vitest";
import { DOCUMENTS, EVENTS, type Json, REFUSED, useServer } from "../helpers/bench.ts";
import { expectError } from "../../helpers/http.ts";

const server = useServer();
beforeAll(() => server.connect());

const show = (id: string) => server.read(`${DOCUMENTS}/${id}`);
const latestEvent = async (id: string) => (await server.read(`${EVENTS}?document=${id}`))[0];

/** The event of a move out of `pending`: caused by no request, with the previous status. */
async function expectMoved(id: string, type: string, stage: string): Promise<void> {
  const event = await latestEvent(id);
  expect([event.type, event.request]).toEqual([type, null]);
  expect(event.data.previous_attributes).toMatchObject({ status: "pending", stage });
  expect(event.data.object).toEqual(await show(id));
}

const MARK = expect.stringMatching(/^40000\d{10}$/);
const UID = expect.stringMatching(/^[0-9A-F]{40}$/);

describe("Document status", () => {
  test("none: an accepted document is pending, queued and classified, with an event", async () => {
    const headers = { "idempotency-key": "accepted-1", "x-request-id": "accepted-1" };
    const { status, body } = await server.issue({}, { headers });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: "pending",
      stage: "queued",
      classification: { source: "default" },
    });
    const event = await latestEvent(body.data.id);
    expect([event.type, event.request]).toEqual([
      "document.created",
      { id: "client:accepted-1", idempotency_key: "accepted-1" },
    ]);
    const before = (await server.read(EVENTS))[0].id;
    const refused = await server.issue({ colour: "red" });
    // Invalid requests create nothing.
    expect([refused.status, (await server.read(EVENTS))[0].id]).toEqual([400, before]);
    await server.settle();
  });

  test.each<[move: string, metadata: Record<string, string>, event: string, from: string, shown: object]>([
    [
      "pending: a MARK is assigned: issued",
      { play: "accepted", later: "issued" },
      "document.issued",
      "awaiting_mark",
      { status: "issued", error: null, mark: MARK, uid: UID, qr_url: expect.stringMatching(/^https:/) },
    ],
    [
      "pending: the provider or the authority refuses: rejected",
      { play: "accepted", later: "rejected" },
      "document.rejected",
      "awaiting_mark",
      { status: "rejected", mark: null, error: { code: "provider_rejected", retryable: false } },
    ],
    [
      "pending: the document cannot be delivered: failed",
      { play: "away" },
      "document.failed",
      "submitting",
      {
        status: "failed",
        mark: null,
        error: { code: "provider_unavailable", retryable: true, provider_code: null, provider_message: null },
      },
    ],
  ])("%s", async (_move, metadata, event, from, shown) => {
    const document = await server.finished(metadata);
    expect(document).toMatchObject({ stage: null, ...shown });
    await expectMoved(document.id, event, from);
  });

  test("a send with an unknown outcome is looked up at the provider, and not repeated", async () => {
    const lost = await server.finished({ play: "lost", later: "issued" });
    expect([lost.status, lost.stage]).toEqual(["pending", "reconciling"]);
    server.advance(10_000);
    await server.settle();
    expect(await show(lost.id)).toMatchObject({ status: "issued", stage: null });
    await expectMoved(lost.id, "document.issued", "reconciling");
    const calls = await server.read(`/api/v1/provider_calls?document=${lost.id}`);
    expect(calls.filter(({ operation }: Json) => operation === "issue")).toHaveLength(1);
  });

  test("failed: a retry makes it pending and queued again, with an event that names the request", async () => {
    const { id, number } = await server.finished({ play: "away" });
    const headers = { "x-request-id": "retried-1", "idempotency-key": "retried-1" };
    const { status, body } = await server.post(`${DOCUMENTS}/${id}/retry`, undefined, { headers });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, status: "pending", stage: "queued", error: null, number });
    const event = await latestEvent(id);
    expect([event.type, event.request.id]).toEqual(["document.retried", "client:retried-1"]);
    expect(event.data.previous_attributes).toMatchObject({
      status: "failed",
      stage: null,
      error: { code: "provider_unavailable" },
    });
    server.advance(1000);
    await server.settle();
    const failed = await show(id);
    expect(failed.status).toBe("failed");
    const caused = (await server.read(`${EVENTS}?document=${id}`)).reverse();
    expect(caused.map((one: Json) => one.type)).toEqual([
      "document.created",
      "document.failed",
      "document.retried",
      "document.failed",
    ]);
    expect(failed.timeline).toEqual(
      caused.map(({ id: of, type, created }: Json) => ({ id: of, type, created })),
    );
    expect([failed.created, failed.updated]).toEqual([caused[0].created, caused[3].created]);
    expect((await server.read(`${EVENTS}/${caused[0].id}`)).data.object.id).toBe(id);
  });

  test.each([
    ["issued", {}],
    ["rejected", { play: "rejected" }],
  ])("a document that is %s cannot be retried", async (status, metadata) => {
    const document = await server.finished(metadata);
    const { body } = await server.post(`${DOCUMENTS}/${document.id}/retry`, undefined);
    expect([body.code, body.retryable]).toEqual(["invalid_state", false]);
    server.advance(3_600_000);
    await server.settle();
    expect(await show(document.id)).toEqual({ ...document, status });
  });

  test("the timeline has at most 100 events, the first and the latest ones", async () => {
    const { id } = await server.finished({ sandbox: "unavailable" }, { provider: "sandbox" });
    const timeline = async () => (await server.read(`${DOCUMENTS}/${id}`)).timeline as Json[];
    const again = async () => {
      await server.post(`${DOCUMENTS}/${id}/retry`, undefined);
      await server.settle();
    };
    for (let round = 0; round < 49; round += 1) await again();
    const whole = await timeline();
    expect(whole).toHaveLength(100);
    await again();
    const after = await timeline();
    expect(after).toHaveLength(100);
    expect([after[0], after.slice(1, 98)]).toEqual([whole[0], whole.slice(3)]);
    expect(after.slice(-2).map(({ type }) => type)).toEqual(["document.retried", "document.failed"]);
    const [event] = await server.read(`${EVENTS}?document=${id}`);
    expect(event.data.object.timeline).toEqual(after);
  });
});

const act = (id: string, action: string) => server.post(`/api/v1/connections/${id}/${action}`, undefined);

/** The types of the events about a merchant's connections, oldest first. */
async function told(merchant: string): Promise<string[]> {
  const events = await server.read(`${EVENTS}?merchant=${merchant}&limit=100`);
  const types = events.map(({ type }: Json) => type).reverse();
  return types.filter((type: string) => type.startsWith("connection."));
}

async function issueFor(merchant: string): Promise<string> {
  const { body } = await server.issue({ merchant });
  return body.data.provider;
}

describe("Connection status", () => {
  test("active: the provider accepted the credentials, and documents use it", async () => {
    const merchant = await server.addMerchant();
    expect(await issueFor(merchant)).toBe("sandbox");
    const { id, status } = await server.connect(merchant);
    expect(status).toBe("active");
    expect(await told(merchant)).toEqual(["connection.created", "connection.verified"]);
    expect(await issueFor(merchant)).toBe("registry_direct");
    expect((await act(id, "verify")).body.data.status).toBe("active");
    expect((await told(merchant)).at(-1)).toBe("connection.verified");
  });

  test("invalid: the provider refused the credentials, and no document uses it", async () => {
    const merchant = await server.addMerchant();
    const { id, status } = await server.connect(merchant, {}, REFUSED);
    expect(status).toBe("invalid");
    expect(await told(merchant)).toEqual(["connection.created", "connection.invalid"]);
    expect(await issueFor(merchant)).toBe("sandbox");
    const { body } = await server.issue({ merchant, provider: "registry_direct" });
    expect(body.code).toBe("connection_unavailable");
    expect((await act(id, "verify")).body.data.status).toBe("invalid");
  });

  test("an active one becomes invalid when a send is refused for its credentials, and documents wait for it", async () => {
    const merchant = await server.addMerchant();
    const { id } = await server.connect(merchant);
    const { body } = await server.issue({ merchant, metadata: { play: "refused" } });
    await server.settle();
    const connection = await server.read(`/api/v1/connections/${id}`);
    expect([connection.status, connection.last_error.code]).toEqual([
      "invalid",
      "provider_credentials_invalid",
    ]);
    expect((await told(merchant)).at(-1)).toBe("connection.invalid");
    expect(await server.read(`${DOCUMENTS}/${body.data.id}`)).toMatchObject({
      status: "pending",
      stage: "queued",
    });
  });

  test("disconnected: no longer used, permanently", async () => {
    const merchant = await server.addMerchant();
    const { id } = await server.connect(merchant);
    const { status, body } = await act(id, "disconnect");
    expect([status, body.data.status]).toEqual([200, "disconnected"]);
    expect((await act(id, "disconnect")).body).toEqual(body);
    const events = ["connection.created", "connection.verified", "connection.disconnected"];
    expect(await told(merchant)).toEqual(events);
    expect(await issueFor(merchant)).toBe("sandbox");
    expectError(await act(id, "verify"), 409, "invalid_state");
    expect((await server.read(`/api/v1/connections/${id}`)).status).toBe("disconnected");
    expect((await server.connect(merchant)).id).not.toBe(id);
  });
});
