// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { CALLS, DOCUMENTS, type Json, noId, REQUESTS, useServer } from "../helpers/bench.ts";

/** Two documents, one an hour after the other. */
let first: Json;
let second: Json;

const server = useServer({}, async (opened) => {
  first = await opened.finished({}, { provider: "sandbox" });
  await opened.get(`${DOCUMENTS}/${first.id}`);
  await opened.flush();
  opened.advance(3_600_000);
  second = await opened.finished({}, { provider: "sandbox" });
  await opened.get(`${DOCUMENTS}/${noId("doc")}`, { headers: { "x-request-id": "not-there" } });
  await opened.get("/api/v1/merchants", { key: opened.liveKey });
  await opened.flush();
});

async function expectRefused(list: string, query: string, path = query.split("=")[0]!): Promise<void> {
  const { status, body } = await server().get(`${list}?${query}`);
  expect([status, body.code]).toEqual([400, "validation_failed"]);
  expect(body.message.startsWith(`${path}: `), body.message).toBe(true);
}

describe("GET /api/v1/provider_calls", () => {
  test("200 with the calls of the key's mode, newest first", async () => {
    const all = await server().read(`${CALLS}?limit=100`);
    expect(all.map(({ document }: Json) => document)).toEqual([second.id, second.id, first.id, first.id]);
    expect(all.map(({ operation }: Json) => operation)).toEqual(["status", "issue", "status", "issue"]);
    expect(await server().read(CALLS, { key: server().liveKey })).toEqual([]);
  });

  test("created: by when the call started, however long it took", async () => {
    const merchant = await server().addMerchant();
    await server().connect(merchant);
    const { reached, release } = server().hold();
    const { id } = (await server().issue({ merchant })).body.data;
    const sent = server().settle();
    await reached;
    server().advance(30_000);
    release();
    await sent;
    const [call] = await server().read(`${CALLS}?document=${id}`);
    const found = await server().read(
      `${CALLS}?created[gte]=${call.started_at}&created[lte]=${call.started_at}`,
    );
    expect(found).toContainEqual(call);
  });
});

describe("GET /api/v1/provider_calls/{id}", () => {
  test("200 with the call and its bodies, consistent with the list", async () => {
    const [listed] = await server().read(`${CALLS}?document=${first.id}`);
    const one = await server().read(`${CALLS}/${listed.id}`);
    expect(one).toMatchObject(listed);
    expect([one.request.method, one.response.status]).toEqual(["GET", 200]);
  });
});

describe("GET /api/v1/requests", () => {
  test("200 with the requests of the key's mode, newest first", async () => {
    const all = await server().readLog("limit=100");
    const operations = all.map((request: Json) => [request.operation_id, request.status]);
    expect(operations.slice(-6)).toEqual([
      ["getDocument", 404],
      ["getDocument", 200],
      ["issueDocument", 201],
      ["getDocument", 200],
      ["getDocument", 200],
      ["issueDocument", 201],
    ]);
    const live = await server().readLog("limit=100", { key: server().liveKey });
    expect(live.map((request: Json) => request.operation_id)).toContain("listMerchants");
    expect(live.every(({ livemode }: Json) => livemode)).toBe(true);
  });

  test("document: only requests whose response names it", async () => {
    const found = await server().readLog(`document=${first.id}`);
    expect(found.map((request: Json) => request.operation_id)).toEqual([
      "getDocument",
      "getDocument",
      "issueDocument",
    ]);
    expect(await server().readLog(`document=${noId("doc")}`)).toEqual([]);
    await expectRefused(REQUESTS, "document=x");
  });

  test("request_id: of any form that an x-request-id may have", async () => {
    expect(await server().readLog("request_id=client:not-there")).toHaveLength(1);
    for (const none of [
      "req_00000000-0000-4000-8000-000000000000",
      `client:${"x".repeat(8)}`,
      `client:${"x".repeat(128)}`,
      "fra1::abcdef",
      `${"p".repeat(16)}::${"x".repeat(110)}`,
    ])
      expect(await server().readLog(`request_id=${none}`)).toEqual([]);
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
      await expectRefused(REQUESTS, `request_id=${wrong}`);
  });
});

describe("GET /api/v1/requests/{id}", () => {
  test("200 with the request and its bodies, consistent with the list", async () => {
    const [listed] = await server().readLog("request_id=client:not-there");
    const one = await server().read(`${REQUESTS}/${listed.id}`);
    expect(one).toMatchObject(listed);
    expect(one.request).toMatchObject({ method: "GET", path: `${DOCUMENTS}/${noId("doc")}`, body: null });
    expect(one.response).toMatchObject({ status: 404, body: { code: "not_found" } });
  });
});
