// docs/contract.md#statuses-by-operation
// docs/contract.md#limits: Event type filter
import { describe, expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { EVENTS, expectProblem, type Json, MERCHANTS, noId, useServer } from "../helpers/bench.ts";

const server = useServer();
const connection: Json = forAllTests(async () => {
  await server.finished({}, { provider: "sandbox" });
  server.advance(3_600_000);
  const connected = await server.connect(await server.addMerchant());
  const body = { external_id: "live-only", name: "Live" };
  await server.post(MERCHANTS, body, { key: server.liveKey });
  return connected;
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
    const { merchant } = server;
    expect(types(await server.read(`${EVENTS}?merchant=${merchant}`))).toEqual([
      "document.issued",
      "document.created",
      "merchant.created",
    ]);
    const about = await server.read(`${EVENTS}?merchant=${connection.merchant}`);
    expect(types(about)).toEqual(["connection.verified", "connection.created", "merchant.created"]);
    expect(about[0].data.object).toEqual({ ...connection });
    expect(await server.read(`${EVENTS}?merchant=${noId("mer")}`)).toEqual([]);
    expectProblem(await server.get(`${EVENTS}?merchant=x`), "merchant");
  });
});
