import { afterEach, beforeEach, describe, expect, test } from "vitest";
import Database from "better-sqlite3";
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
  await server.appliance.store.write(async () => undefined);
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

  test("truncates bodies over 64 KB, with a note of the full size", async () => {
    const sent = buildIssueBody(server.merchant, { metadata: { note: "α".repeat(400) } });
    const raw = `${JSON.stringify(sent).slice(0, -1)}${" ".repeat(70_000)}}`;
    await server.post("/api/v1/documents", undefined, { raw });
    const request = await lastRequest("&operation_id=issueDocument");
    expect(request.request.body).toMatch(/… \[truncated, \d+ bytes\]$/);
    expect(request.request.body).toContain(`[truncated, ${Buffer.byteLength(raw)} bytes]`);
    expect(Buffer.byteLength(request.request.body)).toBeLessThan(65_600);
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

  test("without a valid key are not logged", async () => {
    await server.get("/api/v1/documents", { key: null });
    await server.appliance.store.write(async () => undefined);
    expect((await server.get("/api/v1/requests")).body.data).toEqual([]);
  });
});

describe("lists", () => {
  test("filter requests by each parameter, in the key's mode only", async () => {
    const { body } = await server.post("/api/v1/documents", buildIssueBody(server.merchant), {
      headers: { "x-request-id": "the-request" },
    });
    await server.get(`/api/v1/documents/${body.data.id}`);
    await server.get("/api/v1/documents/doc_0000000000000000000000");
    await server.appliance.store.write(async () => undefined);
    const found = async (query: string, key = server.testKey) =>
      (await server.get(`/api/v1/requests?${query}`, { key })).body.data.map(
        ({ operation_id, status }: { operation_id: string; status: number }) => `${operation_id} ${status}`,
      );
    expect(await found(`document=${body.data.id}`)).toEqual(["getDocument 200", "issueDocument 201"]);
    expect(await found("status=404")).toEqual(["getDocument 404"]);
    expect(await found("operation_id=getDocument&status=200")).toEqual(["getDocument 200"]);
    expect(await found("operation_id=noSuchThing")).toEqual([]);
    expect(await found("request_id=client:the-request")).toEqual(["issueDocument 201"]);
    expect(await found("created[lte]=2026-11-21T08:59:59.999Z")).toEqual([]);
    expect(await found("document=doc_0000000000000000000000")).toEqual([]);
    expect(await found("status=201", server.liveKey)).toEqual([]);
    for (const bad of ["status=99", "status=600", "operation_id=1x", "request_id=x", "document=doc_1"]) {
      expect((await server.get(`/api/v1/requests?${bad}`)).status, bad).toBe(400);
    }
  });

  test("of provider calls show origin and path, and filter by document", async () => {
    const { body } = await server.post("/api/v1/documents", buildIssueBody(server.merchant));
    await server.post("/api/v1/documents", buildIssueBody(server.merchant));
    await server.settle();
    const { body: calls } = await server.get(`/api/v1/provider_calls?document=${body.data.id}`);
    expect(calls.data.map(({ operation }: { operation: string }) => operation)).toEqual(["status", "issue"]);
    for (const call of calls.data) {
      expect(call).toMatchObject({
        provider: "sandbox",
        purpose: "operation",
        outcome: "ok",
        http_status: 200,
        error: null,
        merchant: server.merchant,
        document: body.data.id,
        connection: null,
      });
      const { body: detail } = await server.get(`/api/v1/provider_calls/${call.id}`);
      expect(detail.data).toMatchObject({ bodies_withheld: false, bodies_unreadable: false });
      expect(typeof detail.data.request.body).toBe("object");
      expect((await server.get(`/api/v1/provider_calls/${call.id}`, { key: server.liveKey })).status).toBe(
        404,
      );
    }
  });
});

test("show bodies that the key cannot open as unreadable, and keep the rest of the row", async () => {
  await server.post("/api/v1/documents", buildIssueBody(server.merchant));
  await server.settle();
  await server.appliance.store.write(async () => undefined);
  const database = new Database(server.appliance.config.storage.database);
  database.prepare("update bodies set sealed = zeroblob(length(sealed))").run();
  database.close();
  const { body: calls } = await server.get("/api/v1/provider_calls?limit=1");
  const call = (await server.get(`/api/v1/provider_calls/${calls.data[0].id}`)).body.data;
  expect(call).toMatchObject({
    request: null,
    response: null,
    bodies_unreadable: true,
    bodies_withheld: false,
  });
  const request = await lastRequest("&operation_id=issueDocument");
  expect(request).toMatchObject({ request: null, response: null, bodies_unreadable: true, status: 201 });
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
