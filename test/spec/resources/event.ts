// docs/contract.md#events
// docs/contract.md#limits: Event type filter
import { describe, expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import {
  DOCUMENTS,
  EVENTS,
  expectProblem,
  idForm,
  type Json,
  MERCHANTS,
  noId,
  useServer,
} from "../helpers/bench.ts";

const CALLER = { "idempotency-key": "order-7", "x-request-id": "my-request-1" };
const server = useServer();
const samples = forAllTests(async () => {
  const only = async (query: string, sent = {}): Promise<Json> =>
    (await server.read(`${EVENTS}?${query}`, sent))[0];
  // The sandbox accepts it at once and withholds its MARK for ten seconds.
  const slow = { provider: "sandbox", metadata: { sandbox: "pending" } };
  const { id } = (await server.issue(slow, { headers: CALLER })).body.data;
  await server.settle();
  server.advance(20_000);
  await server.settle();
  await server.connect(server.merchant, { headers: CALLER });
  const body = { external_id: "live-one", name: "Live" };
  await server.post(MERCHANTS, body, { key: server.liveKey, headers: CALLER });
  return {
    created: await only(`document=${id}&type=document.created`),
    issued: await only(`document=${id}&type=document.issued`),
    live: await only("type=merchant.created", { key: server.liveKey }),
    merchant: await only("type=merchant.created"),
    connection: await only("type=connection.created"),
    verified: await only("type=connection.verified"),
  };
});

describe("Event", () => {
  // Each has exactly these fields.
  test("every field of a creation", () => {
    const { created, connection, verified, live } = samples;
    expect(created).toEqual({
      id: expect.stringMatching(idForm("evt")),
      object: "event",
      type: "document.created",
      created: created.data.object.created,
      api_version: "0.1.0",
      livemode: false,
      data: { object: expect.objectContaining({ object: "document", status: "pending", stage: "queued" }) },
      request: { id: "client:my-request-1", idempotency_key: "order-7" },
    });
    expect(new Set(Object.values(samples).map(({ id }) => id)).size).toBe(6);
    for (const event of Object.values(samples))
      expect(Object.keys(event).sort()).toEqual(Object.keys(created).sort());
    expect(live).toMatchObject({ type: "merchant.created", livemode: true, request: created.request });
    for (const { request, data } of [connection, verified]) {
      expect(request).toEqual(created.request);
      expect(data).toEqual({ object: expect.objectContaining({ object: "connection" }) });
    }
    expect(Object.keys(live.data)).toEqual(["object"]);
  });

  test("a change has what the changed fields were before, and no request when the service made it", () => {
    const { created, issued } = samples;
    expect(Date.parse(issued.created) - Date.parse(created.created)).toBeGreaterThanOrEqual(20_000);
    expect(issued).toMatchObject({ type: "document.issued", request: null });
    expect(issued.data).toEqual({
      object: expect.objectContaining({ status: "issued", stage: null }),
      previous_attributes: {
        status: "pending",
        stage: "awaiting_mark",
        mark: null,
        uid: null,
        qr_url: null,
        timeline: created.data.object.timeline,
        updated: expect.stringMatching(/^2026-11-21T09:00:00/),
      },
    });
  });

  test("a call without a key has null in its place", async () => {
    await server.request("POST", `${MERCHANTS}/${server.merchant}/archive`);
    const [event] = await server.read(`${EVENTS}?type=merchant.updated`);
    expect(event.request).toEqual({ id: expect.stringMatching(/^req_/), idempotency_key: null });
    expect(event.data.previous_attributes).toEqual({ archived: false });
    await server.request("POST", `${MERCHANTS}/${server.merchant}/unarchive`);
  });

  test("the snapshot does not change when the document does", async () => {
    const { id } = samples.created.data.object;
    expect((await server.read(`${DOCUMENTS}/${id}`)).status).toBe("issued");
    expect(await server.read(`${EVENTS}/${samples.created.id}`)).toEqual(samples.created);
    expect(samples.issued.data.object).toEqual(await server.read(`${DOCUMENTS}/${id}`));
  });
});

const types = (events: Json[]) => events.map(({ type }) => type);

describe("GET /api/v1/events", () => {
  test("type: 1 to 20 event types, repeated", async () => {
    expect(types(await server.read(`${EVENTS}?type=document.issued`))).toEqual(["document.issued"]);
    const two = await server.read(`${EVENTS}?type=document.created&type=connection.created`);
    expect(types(two)).toEqual(["connection.created", "document.created"]);
    const many = (count: number) => Array.from({ length: count }, () => "type=document.created").join("&");
    expect(types(await server.read(`${EVENTS}?${many(20)}`))).toEqual(["document.created"]);
    expectProblem(await server.get(`${EVENTS}?${many(21)}`), "type");
    for (const wrong of ["document", "document.exploded", ""])
      expectProblem(await server.get(`${EVENTS}?type=${wrong}`), "type[0]");
    expectProblem(await server.get(`${EVENTS}?type=document.created,document.issued`), "type[0]");
  });

  test("merchant: the events about it, its documents and its connections", async () => {
    const own = types(await server.read(`${EVENTS}?merchant=${server.merchant}&limit=100`));
    const documents = ["document.issued", "document.created"];
    expect(own.slice(-5)).toEqual([
      "connection.verified",
      "connection.created",
      ...documents,
      "merchant.created",
    ]);
    const other = await server.addMerchant();
    expect(types(await server.read(`${EVENTS}?merchant=${other}`))).toEqual(["merchant.created"]);
    expect(await server.read(`${EVENTS}?merchant=${noId("mer")}`)).toEqual([]);
    expectProblem(await server.get(`${EVENTS}?merchant=x`), "merchant");
  });
});
