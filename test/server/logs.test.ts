import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { openServer, type Server } from "../helpers/http.ts";

let server: Server;
beforeEach(async () => {
  server = await openServer();
});
afterEach(() => server.close());

/** The newest logged request, in full. */
async function lastRequest(query = "") {
  // Log entries are stored with the next write, so after this they are present.
  await server.appliance.store.flush();
  const { body } = await server.get(`/api/v1/requests?limit=1${query}`);
  return (await server.get(`/api/v1/requests/${body.data[0].id}`)).body.data;
}

describe("a request that issued a document", () => {
  test("shows both bodies as sent, although neither is stored twice", async () => {
    const sent = buildIssueBody(server.merchant, { external_reference: " order 1 " });
    const document = sent["document"] as { customer: { tax_id: { code: string } } };
    document.customer.tax_id.code = "094 012.834";
    const answer = await server.post("/api/v1/documents?", sent, {
      headers: { "idempotency-key": "k1", "x-request-id": "order-0001", "user-agent": "shop/1" },
    });
    await server.settle();
    const request = await lastRequest("&operation_id=issueDocument");
    expect(request).toMatchObject({
      object: "api_request",
      request_id: "client:order-0001",
      livemode: false,
      source: "api",
      method: "POST",
      path: "/api/v1/documents",
      operation_id: "issueDocument",
      status: 201,
      idempotency_key: "k1",
      merchant: server.merchant,
      document: answer.body.data.id,
      bodies_purged_at: null,
      bodies_unreadable: false,
    });
    expect(request.request).toMatchObject({
      method: "POST",
      headers: { authorization: "[redacted]", "user-agent": "shop/1" },
    });
    expect(request.request.body).toEqual(sent);
    expect(request.response).toMatchObject({ status: 201, headers: { "x-request-id": "client:order-0001" } });
    expect(request.response.body).toEqual(answer.body);
  });
});

describe("other requests", () => {
  test("keep a body that is not JSON as text, and the path with its query", async () => {
    await server.post("/api/v1/merchants?x=1", undefined, { raw: '{"external_id": ' });
    const request = await lastRequest("&status=400");
    expect(request.request).toMatchObject({ path: "/api/v1/merchants?x=1", body: '{"external_id": ' });
    expect(request.response.body.code).toBe("validation_failed");
  });

  test("without an operation have none, and their path keeps only words that our paths have", async () => {
    await server.get("/api/v1/tax_ids/EL094012834");
    const request = await lastRequest("&status=404");
    expect([request.operation_id, request.path]).toEqual([null, "/api/v1/tax_ids/*"]);
    expect(request.request.path).toBe("/api/v1/tax_ids/EL094012834");
  });
});

test("one of our secrets is never accepted as request id or idempotency key", async () => {
  const headers = { "x-request-id": server.testKey };
  const { headers: answered } = await server.get("/api/v1/documents", { headers });
  expect(answered.get("x-request-id")).toMatch(/^req_/);
  const refused = await server.post(
    "/api/v1/merchants",
    { external_id: "a", name: "a" },
    {
      headers: { "idempotency-key": server.testKey },
    },
  );
  expect(refused.status).toBe(400);
});

test("generated ids are UUIDs in chronological order", async () => {
  const ids: string[] = [];
  for (let times = 0; times < 20; times += 1) {
    ids.push((await server.get("/api/v1/merchants")).headers.get("x-request-id")!);
  }
  for (const id of ids) {
    expect(id).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  const times = ids.map((id) => id.slice(4, 17));
  expect(times).toEqual(times.toSorted());
  expect(new Set(ids).size).toBe(20);
});
