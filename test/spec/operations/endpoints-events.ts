// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { EVENTS, type Json, MERCHANTS, noId, useServer } from "../helpers/bench.ts";

let other: string;
let connection: Json;
const server = useServer({}, async (opened) => {
  await opened.finished({}, { provider: "sandbox" });
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
});
