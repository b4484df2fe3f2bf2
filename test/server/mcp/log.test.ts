import { expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { CONNECT, CREDENTIALS } from "../../helpers/connecting.ts";
import { call, dataOf, openMcpServer } from "../../helpers/mcp.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const server = forEachTest(openMcpServer);

interface Row {
  id: string;
  request_id: string;
  operation_id: string | null;
  [field: string]: unknown;
}

/** Through the API, newest first; that request is logged too, with the source `api`. */
async function rowsOf(query: string): Promise<Row[]> {
  await server.appliance.store.flush();
  return await server.read(`/api/v1/requests?limit=100&${query}`);
}

async function detailOf(row: Row | undefined): Promise<Record<string, unknown>> {
  return await server.read(`/api/v1/requests/${row?.id}`);
}

test("a tool call is two rows under one id: the call, and its API request", async () => {
  const client = await server.connect();
  const result = await call(client, "issue_document", buildIssueBody(server.merchant));
  const { id } = dataOf(result);
  const requestId = String(result["_meta"]?.["request_id"]);
  const [outer, inner, ...others] = await rowsOf(`request_id=${requestId}`);
  expect(others).toEqual([]);
  const both = { request_id: requestId, source: "mcp", livemode: false, operation_id: "issueDocument" };
  const about = { document: id, merchant: server.merchant, idempotency_key: expect.stringMatching(/^mcp-/) };
  expect(outer).toMatchObject({ ...both, ...about, method: "POST", path: "/mcp", status: 200 });
  expect(inner).toMatchObject({ ...both, ...about, method: "POST", path: "/api/v1/documents", status: 201 });
  expect(await rowsOf("operation_id=issueDocument")).toHaveLength(2);
  // The event that it caused belongs to the API request.
  const { body } = await server.get(`/api/v1/events?document=${id}`);
  expect(body.data[0].request.id).toBe(requestId);
});

test("arguments and result are stored once, with the API request", async () => {
  const client = await server.connect();
  const { _meta: meta } = await call(client, "list_merchants", { external_id: "shop", limit: 3 });
  const [outer, inner] = await rowsOf(`request_id=${String(meta?.["request_id"])}`);
  expect(await detailOf(inner)).toMatchObject({
    request: {
      method: "GET",
      path: "/api/v1/merchants?external_id=shop&limit=3",
      body: null,
    },
    response: { status: 200, body: { object: "list" } },
  });
  const kept = await detailOf(outer);
  expect(kept).toMatchObject({
    request: {
      path: "/mcp?tools=all",
      headers: { authorization: "[redacted]" },
      body: { tool: "list_merchants" },
    },
    response: { status: 200, body: null },
  });
  expect(JSON.stringify(kept)).not.toContain("shop");
});

test("an API error is 200 for the protocol, and its own status for the API", async () => {
  const client = await server.connect();
  const { _meta: meta } = await call(client, "get_document", { id: "doc_0000000000000000000000" });
  const rows = await rowsOf(`request_id=${String(meta?.["request_id"])}`);
  expect(rows.map(({ path, status }) => [path, status])).toEqual([
    ["/mcp", 200],
    ["/api/v1/documents/{id}", 404],
  ]);
});

test("a call that causes no API request is one row", async () => {
  const client = await server.connect({ search: "?read_only=true" });
  for (const given of [{}, { id: server.merchant }]) {
    const { _meta: meta } = await call(
      client,
      given.id === undefined ? "get_merchant" : "archive_merchant",
      given,
    );
    const rows = await rowsOf(`request_id=${String(meta?.["request_id"])}`);
    expect(rows.map(({ path }) => path)).toEqual(["/mcp"]);
  }
});

test("a tool without an API request is one row, with its arguments but not what it found", async () => {
  const client = await server.connect();
  const priced = { quantity: "2", unit_price: 4321, vat_category: "standard" };
  const lines = [{ ...priced, description: "Confidential" }];
  const results = [
    await call(client, "compute_totals", { lines }),
    await call(client, "compute_totals", { lines, password: "hush" }),
  ];
  const logged = [];
  for (const { _meta: meta } of results) {
    const rows = await rowsOf(`request_id=${String(meta?.["request_id"])}`);
    expect(rows).toMatchObject([{ operation_id: "computeTotals", path: "/mcp", source: "mcp", status: 200 }]);
    logged.push(await detailOf(rows[0]));
  }
  expect(logged).toMatchObject([
    {
      request: { body: { tool: "compute_totals", arguments: { lines: [priced] } } },
      response: { body: null },
    },
    {
      request: { body: { tool: "compute_totals" } },
      response: { body: { code: "validation_failed" } },
    },
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/hush|Confidential|10717/);
});

test("messages that call no tool are logged without an operation and without bodies", async () => {
  const client = await server.connect();
  await client.listTools();
  const [list, initialized, initialize] = (await rowsOf("")).filter(({ source }) => source === "mcp");
  expect(
    [list, initialized, initialize].map((row) => [row?.operation_id, row?.["path"], row?.["status"]]),
  ).toEqual([
    [null, "/mcp", 200],
    [null, "/mcp", 202],
    [null, "/mcp", 200],
  ]);
  for (const row of [list, initialize])
    expect(await detailOf(row)).toMatchObject({ request: { body: null }, response: { body: null } });
});

test("requests without a valid key are not logged, and broken JSON is not stored", async () => {
  await server.postMcp({ jsonrpc: "2.0", id: 1, method: "ping" }, { authorization: "Bearer nonsense" });
  await server.postMcp('{"params": {"arguments": {"subscription_key": "hush-hush-hush"', {});
  const rows = (await rowsOf("")).filter(({ source }) => source === "mcp");
  expect(rows.map(({ status }) => status)).toEqual([400]);
  expect(await detailOf(rows[0])).toMatchObject({ request: { body: null } });
});

function callMessage(name: string, args: unknown) {
  return { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args } };
}

test("credentials appear in no row, even if the call failed", async () => {
  const client = await server.connect();
  await call(client, "create_connection", { id: server.merchant, ...CONNECT });
  await call(client, "create_connection", { id: 5, ...CONNECT });
  await call(client, "create_connection", {
    id: "mer_x",
    ...CONNECT,
    subscription_key: CREDENTIALS.subscription_key,
  });
  await expect(call(client, "connect_everything", { ...CONNECT })).rejects.toThrow(/No tool/);
  const stray = callMessage("create_connection", CONNECT);
  const wrong = [
    [stray],
    { ...stray, method: "tools/cal" },
    { ...stray, id: undefined },
    { ...stray, method: CREDENTIALS.user_id },
    { ...stray, params: { ...stray.params, name: `${CREDENTIALS.user_id} ` } },
    { ...stray, params: CREDENTIALS.subscription_key, extra: CREDENTIALS.user_id },
  ];
  for (const message of wrong) await server.postMcp(message);
  const rows = (await rowsOf("")).filter(({ source }) => source === "mcp");
  expect(rows.length).toBeGreaterThanOrEqual(6 + wrong.length);
  for (const row of rows) {
    const text = JSON.stringify(await detailOf(row));
    expect(text).not.toContainAll(...Object.values(CREDENTIALS), server.testKey);
  }
});
