// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { DOCUMENTS, EVENTS, type Json, MERCHANTS, noId, useServer } from "../helpers/bench.ts";

let document: Json;
let other: string;
let connection: Json;
const server = useServer({}, async (opened) => {
  document = await opened.finished({}, { provider: "sandbox" });
  opened.advance(3_600_000);
  other = await opened.addMerchant();
  connection = await opened.connect(other);
  const body = { external_id: "live-only", name: "Live" };
  await opened.post(MERCHANTS, body, { key: opened.liveKey });
});

const types = (events: Json[]) => events.map(({ type }) => type);

async function expectRefused(query: string, path: string): Promise<void> {
  const { status, body } = await server().get(`${EVENTS}?${query}`);
  expect([status, body.code]).toEqual([400, "validation_failed"]);
  expect(body.message.startsWith(`${path}: `), body.message).toBe(true);
}

describe("GET /api/v1/events", () => {
  test("200 with the events of the key's mode, newest first", async () => {
    expect(types(await server().read(EVENTS))).toEqual([
      "connection.verified",
      "connection.created",
      "merchant.created",
      "document.issued",
      "document.created",
      "merchant.created",
    ]);
    const live = await server().read(EVENTS, { key: server().liveKey });
    expect(live.map(({ type, livemode }: Json) => [type, livemode])).toEqual([["merchant.created", true]]);
  });

  test("type: 1 to 20 event types, repeated", async () => {
    expect(types(await server().read(`${EVENTS}?type=document.issued`))).toEqual(["document.issued"]);
    const two = await server().read(`${EVENTS}?type=document.created&type=connection.created`);
    expect(types(two)).toEqual(["connection.created", "document.created"]);
    const many = (count: number) => Array.from({ length: count }, () => "type=document.created").join("&");
    expect(types(await server().read(`${EVENTS}?${many(20)}`))).toEqual(["document.created"]);
    await expectRefused(many(21), "type");
    for (const wrong of ["document", "document.exploded", ""])
      await expectRefused(`type=${wrong}`, "type[0]");
    await expectRefused("type=document.created,document.issued", "type[0]");
  });

  test("document: the events about it", async () => {
    const about = await server().read(`${EVENTS}?document=${document.id}`);
    expect(types(about)).toEqual(["document.issued", "document.created"]);
    expect(await server().read(`${EVENTS}?document=${noId("doc")}`)).toEqual([]);
    for (const wrong of ["x", noId("mer")]) await expectRefused(`document=${wrong}`, "document");
  });

  test("merchant: the events about it, its documents and its connections", async () => {
    const { merchant } = server();
    expect(types(await server().read(`${EVENTS}?merchant=${merchant}`))).toEqual([
      "document.issued",
      "document.created",
      "merchant.created",
    ]);
    const about = await server().read(`${EVENTS}?merchant=${other}`);
    expect(types(about)).toEqual(["connection.verified", "connection.created", "merchant.created"]);
    expect(about[0].data.object).toEqual(connection);
    expect(await server().read(`${EVENTS}?merchant=${noId("mer")}`)).toEqual([]);
    await expectRefused("merchant=x", "merchant");
  });

  test("a consumer that was away can page back to the last event that it handled", async () => {
    const all = await server().read(EVENTS);
    const handled = all[3].id;
    const { body } = await server().get(`${EVENTS}?limit=2&ending_before=${handled}`);
    expect([body.data, body.has_more]).toEqual([all.slice(1, 3), true]);
    const rest = await server().get(`${EVENTS}?limit=2&ending_before=${all[1].id}`);
    expect([rest.body.data, rest.body.has_more]).toEqual([all.slice(0, 1), false]);
  });
});

describe("GET /api/v1/events/{id}", () => {
  test("200 with the snapshot taken at the time, as in the list", async () => {
    for (const event of await server().read(EVENTS)) {
      expect(await server().read(`${EVENTS}/${event.id}`)).toEqual(event);
    }
    const [, created] = await server().read(`${EVENTS}?document=${document.id}`);
    expect([created.data.object.status, document.status]).toEqual(["pending", "issued"]);
    expect((await server().read(`${DOCUMENTS}/${document.id}`)).status).toBe("issued");
  });
});
