import { expect, test } from "vitest";
import type { RequestRow } from "../../storage/logs/logs.ts";
import { recordRequest } from "../../src/logs/record-request.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { openExchanges } from "../../src/logs/log-bodies.ts";
import { buildIssueBody } from "../helpers/appliance.ts";
import { openServer } from "../helpers/http.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";

const server = forEachTest(openServer);

interface Kept {
  request: { url: string; headers: Record<string, string>; body: unknown };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

/** The rows, oldest first, each with its stored bodies. */
async function readLog({ appliance } = server): Promise<(RequestRow & { kept: Kept })[]> {
  // Log entries are stored a moment later.
  await appliance.store.flush();
  const { cipher, read } = appliance.store;
  const rows = await read.query((db) =>
    db
      .selectFrom("requests")
      .innerJoin("bodies", "bodies.id", "body_id")
      .selectAll("requests")
      .select("sealed")
      .orderBy("requests.id"),
  );
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    kept: openExchanges(cipher, { id: row.body_id!, sealed })[row.id] as Kept,
  }));
}

test("requests that are logged together share one row of bodies, in limited portions", async () => {
  const { appliance, merchant } = server;
  const entry = {
    mode: "test",
    source: "api",
    method: "GET",
    path: "/",
    operationId: "getMerchant",
    status: 200,
    durationMs: 1,
    idempotencyKey: null,
    merchantId: merchant,
    documentId: null,
    createdMs: appliance.clock.nowMs(),
    url: "/",
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    isJson: true,
  } as const;
  for (let index = 0; index < 100; index += 1)
    recordRequest(appliance, { ...entry, requestId: `r${index}`, responseBody: JSON.stringify({ index }) });
  const rows = await readLog();
  expect(rows.map(({ kept }) => kept.response.body)).toEqual(rows.map((_, index) => ({ index })));
  expect(new Set(rows.map(({ body_id: id }) => id))).toEqual(new Set([rows[0]!.id, rows[64]!.id]));
});

test("bodies that version 0.2.0 logged show their difference from the document", async () => {
  const { appliance } = server;
  const sent = buildIssueBody(server.merchant);
  await server.post("/api/v1/documents", sent);
  const [{ kept, ...row }] = (await readLog()) as [RequestRow & { kept: Kept }];
  const { document: _document, ...around } = sent as Record<string, unknown>;
  // Where the stored document differs from the one sent.
  const standIn = { around, difference: [[["supplier", "branch"]], [["lines", 0, "quantity"], "2.50"]] };
  const old = { request: { ...kept.request, body: null }, response: { ...kept.response, body: null } };
  await appliance.store.write(async (trx) => {
    const id = trx.newId("rql");
    const sealed = trx.cipher.seal(placeIn("bodies", id), JSON.stringify({ ...old, standIn }));
    await trx.insertRows({
      requests: [{ ...row, id, body_id: null }],
      bodies: [{ id, sealed, created_at: trx.now }],
    });
  });
  const [{ id }] = await server.read("/api/v1/requests?operation_id=issueDocument");
  const { request, response } = await server.read(`/api/v1/requests/${id}`);
  expect(request).toMatchObject({ method: "POST", body: standIn });
  expect(response).toMatchObject({ status: 201, body: null });
});

test("a request is found in the log as soon as it is answered", async () => {
  const requestId = (await server.get(`/api/v1/merchants/${server.merchant}`)).headers.get("x-request-id")!;
  const { body } = await server.get(`/api/v1/requests?request_id=${requestId}`);
  expect(body.data).toMatchObject([{ request_id: requestId, operation_id: "getMerchant" }]);
  const [{ id }] = body.data;
  expect((await server.read(`/api/v1/requests/${id}`)).id).toBe(id);
});

test("a row names the merchant of the path, and of a document that is refused", async () => {
  const { merchant } = server;
  await server.get(`/api/v1/merchants/${merchant}/connections`);
  await server.post("/api/v1/documents", { merchant, document: {} });
  await server.post(`/api/v1/merchants/${merchant}/connections`, { provider: "nobody" });
  await server.post("/api/v1/documents", { merchant: "mer_somebody", document: {} });
  const rows = (await readLog()).map((row) => [row.status, row.merchant_id]);
  expect(rows).toEqual([
    [200, merchant],
    [400, merchant],
    [400, merchant],
    [400, null],
  ]);
});

test("rejected requests with a valid key are logged, and those without a key are not", async () => {
  const env = { FISCAL_RATE_LIMIT__REQUESTS: "4", FISCAL_SERVER__MAX_BODY_BYTES: "4096" };
  await using limited = await closing(openServer({ env }));
  const keyed = { "idempotency-key": "k" };
  await limited.get("/api/v1/nothing");
  await limited.request("POST", "/api/v1/documents", { raw: "{", headers: keyed });
  await limited.request("POST", "/api/v1/documents", { raw: "x".repeat(5000), headers: keyed });
  const text = { ...keyed, "content-type": "text/plain" };
  await limited.request("POST", "/api/v1/documents", { raw: "x", headers: text });
  await limited.get("/api/v1/merchants");
  await limited.get("/api/v1/merchants", { key: null });
  await limited.get("/api/v1/merchants", { key: "fiscal_test_nonsense" });
  const rows = await readLog(limited);
  expect(rows.map(({ path, operation_id, status }) => [path, operation_id, status])).toEqual([
    ["/api/v1/nothing", null, 404],
    ["/api/v1/documents", "issueDocument", 400],
    ["/api/v1/documents", "issueDocument", 413],
    ["/api/v1/documents", "issueDocument", 415],
    ["/api/v1/merchants", "listMerchants", 429],
  ]);
  // Broken JSON is kept as text; an oversized body was never read.
  expect(rows.map(({ kept }) => kept.request.body)).toEqual([null, "{", null, null, null]);
  expect(rows[1]?.kept.response.body).toMatchObject({ code: "validation_failed" });
});

test.each([
  ["without a message for the caller", new Error("disk on fire")],
  ["that says what it is", new AppError("internal_error", sameInBoth("disk on fire"))],
])("an internal error %s is logged with its cause under the id of its request", async (_name, error) => {
  Object.defineProperty(server.appliance.store, "read", {
    get() {
      throw error;
    },
  });
  const { status, headers } = await server.get("/api/v1/events");
  expect(status).toBe(500);
  const logged = server.logged.filter((line) => line.includes("disk on fire"));
  expect(logged).toEqual([expect.stringContaining(headers.get("x-request-id")!)]);
});

test("a long body leaves no part of an API key that begins before it is truncated", async () => {
  const key = "fiscal_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEF";
  const kept = async (raw: string) => {
    await server.request("POST", "/api/v1/documents", { raw, headers: { "idempotency-key": "k" } });
    await server.appliance.store.flush();
    const { body } = await server.get("/api/v1/requests?limit=1");
    const { text } = await server.get(`/api/v1/requests/${body.data[0]!.id}`);
    return text;
  };
  // The key begins 30 characters before the end of what is stored, so without its end it would not be recognised.
  for (const rest of [0, 100, 100_000]) {
    const text = await kept(`"${"x".repeat(65_536 - 31)}${key}${"y".repeat(rest)}"`);
    expect(text).toContain("[truncated, ");
    expect(text).not.toContain("fiscal_live_");
  }
});

test("a request without an operation has none, and its path keeps only words that our paths have", async () => {
  await server.get("/api/v1/tax_ids/EL094012834");
  // Log entries are stored with the next write, so after this they are present.
  await server.appliance.store.flush();
  const [{ id }] = await server.read("/api/v1/requests?limit=1&status=404");
  const request = await server.read(`/api/v1/requests/${id}`);
  expect([request.operation_id, request.path]).toEqual([null, "/api/v1/tax_ids/*"]);
  expect(request.request.path).toBe("/api/v1/tax_ids/EL094012834");
});

test("an API key in a path is removed from the log", async () => {
  await server.get(`/api/v1/nothing/${server.testKey}`);
  await server.appliance.store.flush();
  const [{ id }] = await server.read("/api/v1/requests?limit=1&status=404");
  const { body, text } = await server.get(`/api/v1/requests/${id}`);
  expect(body.data.request.path).toBe("/api/v1/nothing/[redacted]");
  expect(text).not.toContain(server.testKey);
});

test("a body with deep nesting behind brackets in a string is refused, and logged as text", async () => {
  const levels = 20_000;
  const raw = `{"a":"${"]".repeat(levels)}","b":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const headers = { "idempotency-key": "deep-body" };
  expect((await server.request("POST", "/api/v1/merchants", { raw, headers })).status).toBe(400);
  const [{ id }] = await server.read("/api/v1/requests?limit=1&status=400");
  expect((await server.read(`/api/v1/requests/${id}`)).request.body).toBe(raw);
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
