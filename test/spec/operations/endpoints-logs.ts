// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { CALLS, DOCUMENTS, expectProblem, type Json, noId, REQUESTS, useServer } from "../helpers/bench.ts";

const server = useServer();
const first: Json = forAllTests(async () => {
  const issued = await server.finished({}, { provider: "sandbox" });
  await server.get(`${DOCUMENTS}/${issued.id}`);
  await server.flush();
  await server.finished({}, { provider: "sandbox" });
  await server.get(`${DOCUMENTS}/${noId("doc")}`, { headers: { "x-request-id": "not-there" } });
  await server.get("/api/v1/merchants", { key: server.liveKey });
  await server.flush();
  return issued;
});

describe("GET /api/v1/provider_calls", () => {
  test("created: by when the call started, however long it took", async () => {
    const merchant = await server.addMerchant();
    await server.connect(merchant);
    const { reached, release } = server.block();
    const { id } = (await server.issue({ merchant })).body.data;
    const sent = server.settle();
    await reached;
    server.advance(30_000);
    release();
    await sent;
    const [call] = await server.read(`${CALLS}?document=${id}`);
    const found = await server.read(
      `${CALLS}?created[gte]=${call.started_at}&created[lte]=${call.started_at}`,
    );
    expect(found).toContainEqual(call);
  });
});

describe("GET /api/v1/requests", () => {
  test("document: only requests whose response names it", async () => {
    const found = await server.readLog(`document=${first.id}`);
    expect(found.map((request: Json) => request.operation_id)).toEqual([
      "getDocument",
      "getDocument",
      "issueDocument",
    ]);
    expect(await server.readLog(`document=${noId("doc")}`)).toEqual([]);
    expectProblem(await server.get(`${REQUESTS}?document=x`), "document");
  });

  test("request_id: of any form that an x-request-id may have", async () => {
    expect(await server.readLog("request_id=client:not-there")).toHaveLength(1);
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
