import { expect, test } from "vitest";
import { openServer } from "../helpers/http.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openServer);

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
