// docs/contract.md#request-log
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import {
  DOCUMENTS,
  expectProblem,
  idForm,
  type Json,
  MERCHANTS,
  noId,
  REQUESTS,
  useServer,
} from "../helpers/bench.ts";

const CALLER = { "x-request-id": "order-4711", "idempotency-key": "order-key-1" };
const server = useServer();
const samples = forAllTests(async () => {
  const issuedBody = (await server.issue({ provider: "sandbox" }, { headers: CALLER })).body;
  const { id } = issuedBody.data;
  await server.get(`${DOCUMENTS}/${id}?`);
  await server.issue({ colour: "red" }, { headers: { "x-request-id": "refused-1" } });
  await server.get("/api/v1/nothing", { headers: { "x-request-id": "nothing-1" } });
  await server.get(`${MERCHANTS}?limit=3`, { key: server.liveKey });
  const only = async (query: string, sent = {}): Promise<Json> => {
    const found = await server.readLog(query, sent);
    expect(found, query).toHaveLength(1);
    return found[0];
  };
  return {
    issuedBody,
    document: id,
    issued: await only("request_id=client:order-4711"),
    read: await only(`document=${id}&operation_id=getDocument`),
    refused: await only("request_id=client:refused-1"),
    nothing: await only("request_id=client:nothing-1"),
    live: await only("operation_id=listMerchants", { key: server.liveKey }),
  };
});

describe("GET /api/v1/requests", () => {
  test("document: only requests whose response names it", async () => {
    const found = await server.readLog(`document=${samples.document}`);
    expect(found.map((request: Json) => request.operation_id)).toEqual(["getDocument", "issueDocument"]);
    expect(await server.readLog(`document=${noId("doc")}`)).toEqual([]);
    expectProblem(await server.get(`${REQUESTS}?document=x`), "document");
  });

  test("request_id: of any form that an x-request-id may have", async () => {
    expect(await server.readLog("request_id=client:nothing-1")).toHaveLength(1);
    for (const none of [
      "req_00000000-0000-4000-8000-000000000000",
      `client:${"x".repeat(8)}`,
      `client:${"x".repeat(128)}`,
      "fra1::abcdef",
      `${"p".repeat(16)}::${"x".repeat(110)}`,
    ])
      expect(await server.readLog(`request_id=${none}`)).toEqual([]);
    for (const wrong of [
      "",
      "not-there",
      "req_1",
      "req_00000000-0000-4000-8000-00000000000G",
      `client:${"x".repeat(7)}`,
      `client:${"x".repeat(129)}`,
      "::abcdef",
      "fra1::abcde",
      `${"p".repeat(17)}::abcdef`,
      `fra1::${"x".repeat(111)}`,
    ])
      expectProblem(await server.get(`${REQUESTS}?request_id=${wrong}`), "request_id");
  });
});

const detail = (request: Json) => server.read(`${REQUESTS}/${request.id}`);

describe("Logged API request (log item)", () => {
  // Each has exactly these fields.
  test("every field of a creation", () => {
    const { issued, document } = samples;
    const { merchant } = server;
    expect(issued).toEqual({
      id: expect.stringMatching(idForm("rql")),
      object: "api_request",
      request_id: "client:order-4711",
      livemode: false,
      source: "api",
      method: "POST",
      path: DOCUMENTS,
      operation_id: "issueDocument",
      status: 201,
      duration_ms: expect.any(Number),
      idempotency_key: "order-key-1",
      merchant,
      document,
      created: "2026-11-21T09:00:00.000Z",
    });
    expect(Number.isSafeInteger(issued.duration_ms)).toBe(true);
  });

  test("the fields of the others", () => {
    const { issued, read, refused, nothing, live, document } = samples;
    expect(Object.keys(nothing)).toEqual(Object.keys(issued));
    const path = `${DOCUMENTS}/{id}`;
    expect(read).toMatchObject({ method: "GET", path, operation_id: "getDocument", status: 200 });
    expect(read).toMatchObject({ idempotency_key: null, merchant: server.merchant, document });
    expect(read.request_id).toMatch(/^req_[0-9a-f-]{36}$/);
    expect(refused).toMatchObject({ status: 400, document: null });
    expect(nothing).toMatchObject({ source: "api", operation_id: null, status: 404, merchant: null });
    expect(live.livemode).toBe(true);
  });

  test("repeated requests are logged too, under separate ids", async () => {
    const headers = { "idempotency-key": "order-key-1", "x-request-id": "order-4711" };
    await server.issue({ provider: "sandbox" }, { headers });
    const both = await server.readLog("request_id=client:order-4711");
    expect(both.map(({ status, document }: Json) => [status, document])).toEqual([
      [201, samples.document],
      [201, samples.document],
    ]);
    expect(both[0].id).not.toBe(both[1].id);
  });
});

describe("Single retrieval", () => {
  test("adds request and response as sent, without credentials", async () => {
    const request = await detail(samples.issued);
    expect(Object.keys(request).slice(Object.keys(samples.issued).length)).toEqual([
      "request",
      "response",
      "bodies_purged_at",
      "bodies_unreadable",
    ]);
    expect(Object.keys(request.request)).toEqual(["method", "path", "headers", "body"]);
    expect(request.request).toMatchObject({ method: "POST", path: DOCUMENTS });
    expect(request.request.headers).toMatchObject({
      authorization: "[redacted]",
      "content-type": "application/json",
      "x-request-id": "order-4711",
    });
    expect(request.request.body).toEqual(buildIssueBody(server.merchant, { provider: "sandbox" }));
    expect(Object.keys(request.response)).toEqual(["status", "headers", "body"]);
    expect([request.response.status, request.response.body]).toEqual([201, samples.issuedBody]);
    expect(request.response.headers["x-request-id"]).toBe("client:order-4711");
    expect([request.bodies_purged_at, request.bodies_unreadable]).toEqual([null, false]);
  });

  test("path includes the query, and errors have their body", async () => {
    const live = await server.read(`${REQUESTS}/${samples.live.id}`, { key: server.liveKey });
    expect([live.request.path, live.request.body]).toEqual([`${MERCHANTS}?limit=3`, null]);
    const { response } = await detail(samples.refused);
    expect(response.body).toMatchObject({ code: "validation_failed" });
  });

  test("a side whose headers are too large is an object with only the key omitted", async () => {
    const headers = { "x-request-id": "long-headers", "user-agent": "n".repeat(70_000) };
    await server.get(MERCHANTS, { headers });
    const [request] = await server.readLog("request_id=client:long-headers");
    expect(Object.keys((await detail(request)).request)).toEqual(["omitted"]);
  });
});
