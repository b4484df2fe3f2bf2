import { describe, expect, test } from "vitest";
import { findForeignOrigin } from "../../../server/mcp/http.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { bodyOf, call, dataOf, openMcpServer } from "../../helpers/mcp.ts";
import { closing, forEachTest } from "../../helpers/set-up.ts";

const server = forEachTest(openMcpServer);
const open = (env: Record<string, string>) => closing(openMcpServer({ env }));

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

function callMessage(name: string, args: Record<string, unknown> = {}) {
  return { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args } };
}

describe.each(["initialize", "discover"] as const)("a session that begins with %s", (handshake) => {
  test("describes itself and how to work with it", async () => {
    const client = await server.connect({ handshake });
    expect(client.getServerVersion()).toMatchObject({ name: "fiscal", version: "0.1.0" });
    expect(client.getInstructions()).toMatch(/cents[^]*idempotency_key/);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("issue_document");
    await expect(call(client, "delete_everything")).rejects.toMatchObject({ code: -32_602 });
  });

  test("has the mode of its key", async () => {
    const testing = await server.connect({ handshake });
    const live = await server.connect({ handshake, key: server.liveKey });
    const issued = dataOf(await call(testing, "issue_document", buildIssueBody(server.merchant)));
    expect(issued).toMatchObject({ mode: "test", status: "pending" });
    expect(dataOf(await call(testing, "get_document", { id: issued.id })).id).toBe(issued.id);
    expect(await call(live, "get_document", { id: issued.id })).toMatchObject({
      isError: true,
      structuredContent: { code: "not_found" },
    });
    expect((await call(live, "list_documents")).structuredContent).toMatchObject({ data: [] });
  });
});

describe("a creation", () => {
  async function countDocuments(): Promise<number> {
    return (await server.read("/api/v1/documents?limit=100")).length;
  }

  test("repeated with the same arguments happens once, and the second response says so", async () => {
    const client = await server.connect();
    const first = await call(client, "issue_document", buildIssueBody(server.merchant));
    await server.settle();
    const { merchant, document } = buildIssueBody(server.merchant);
    const again = await call(client, "issue_document", { document, merchant });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(again["_meta"]).toMatchObject({ idempotent_replayed: true });
    expect(again.content[1]).toMatchObject({ text: expect.stringContaining("different idempotency_key") });
    expect(first.content).toHaveLength(1);
    expect(await countDocuments()).toBe(1);
  });

  test("reformatted, or with a used reference, creates no second one", async () => {
    const client = await server.connect();
    const body = buildIssueBody(server.merchant, { external_reference: "order-1" });
    const plain = buildIssueBody(server.merchant);
    const spaced = structuredClone(plain) as { document: { supplier: { tax_id: { code: string } } } };
    spaced.document.supplier.tax_id.code = "123 456 783";
    await call(client, "issue_document", body);
    await call(client, "issue_document", plain);
    for (const again of [
      { ...plain, metadata: {} },
      { ...spaced },
      { ...body, metadata: { note: "other" } },
    ]) {
      const refused = await call(client, "issue_document", again);
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { code: "idempotency_conflict" },
      });
    }
    expect(await countDocuments()).toBe(2);
  });

  test("of a connection has nothing of its credentials in its key", async () => {
    const client = await server.connect();
    const credentials = { user_id: "u", subscription_key: "guessable" };
    const of = { id: server.merchant, provider: "registry_direct", credentials };
    await call(client, "create_connection", of);
    // Log entries are stored with the next write.
    await server.appliance.store.flush();
    const { data } = (await server.get("/api/v1/requests?operation_id=createConnection")).body;
    const keys = (data as { idempotency_key: string | null }[]).flatMap(
      ({ idempotency_key: key }) => key ?? [],
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^mcp-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test("shares its key with HTTP: either way it happens once", async () => {
    const client = await server.connect();
    const body = buildIssueBody(server.merchant);
    const headers = { "idempotency-key": "order-4711" };
    const posted = await server.post("/api/v1/documents", body, { headers });
    const called = await call(client, "issue_document", { ...body, idempotency_key: "order-4711" });
    expect(dataOf(called)).toEqual(posted.body.data);
  });

  test("without an idempotency key in the API happens each time", async () => {
    const client = await server.connect();
    const make = async () => dataOf(await call(client, "create_connect_session", { id: server.merchant })).id;
    expect(await make()).not.toBe(await make());
  });
});

test.each([
  ["get_document", { id: "doc_0000000000000000000000" }, "not_found", /no such document/],
  ["create_merchant", { external_id: "SHOP", name: "b" }, "already_exists", /./],
  ["lookup_tax_id", { country: "GR", code: "876543210" }, "service_unavailable", /./],
  ["get_merchant", { id: "../../x/\ud800" }, "not_found", /./],
])("%s of %j is an error with its code: %s", async (name, given, code, message) => {
  const client = await server.connect();
  await client.listTools();
  const result = await call(client, name, given);
  expect(result.isError).toBe(true);
  expect(bodyOf(result)).toMatchObject({
    code,
    message: expect.stringMatching(message),
    retryable: code === "service_unavailable",
  });
  expect(result["_meta"]).toMatchObject({ request_id: expect.stringMatching(/^req_/) });
});

test("an internal error of a tool reveals no details", async () => {
  const client = await server.connect();
  server.appliance.taxIds.lookup = () => Promise.reject(new Error("disk on fire at /secret/path"));
  const result = await call(client, "lookup_tax_id", { country: "GR", code: "123456783" });
  expect(result.structuredContent).toMatchObject({ code: "internal_error" });
  expect(JSON.stringify(result)).not.toContain("fire");
  expect(server.logged.filter((line) => line.includes("disk on fire"))).toHaveLength(1);
});

test("a read-only session offers tools that change nothing and rejects the rest", async () => {
  const client = await server.connect({ search: "?read_only=true&tools=all" });
  const { tools } = await client.listTools();
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["preview_document", "list_events"]));
  expect(client.getInstructions()).toContain("read-only");
  dataOf(await call(client, "preview_document", buildIssueBody("")["document"] as Record<string, unknown>));
  const refused = await call(client, "issue_document", buildIssueBody(server.merchant));
  expect(bodyOf(refused)).toMatchObject({
    code: "not_supported",
    message: expect.stringContaining("read_only"),
  });
  expect(refused.isError).toBe(true);
  expect(await server.read("/api/v1/documents")).toEqual([]);
});

test.each([
  "?read_only=yes",
  "?readonly=true",
  "?read_only=true&read_only=false",
  "?tools=",
  "?toolset=logs",
])("%s is rejected, not ignored", async (search) => {
  const answer = await fetch(`${server.url}/mcp${search}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.testKey}`, "content-type": "application/json" },
    body: JSON.stringify(PING),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "validation_failed" });
});

describe("before the protocol, checks", () => {
  test.each<[what: string, message: unknown, headers: Record<string, string>, status: number, code?: string]>(
    [
      ["no key", PING, { authorization: "" }, 401, "unauthorized"],
      ["a wrong key", PING, { authorization: "Bearer fiscal_test_x" }, 401, "unauthorized"],
      ["another content type", PING, { "content-type": "text/plain" }, 415, "unsupported_media_type"],
      ["broken JSON", "{", {}, 400, "validation_failed"],
      ["a key twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', {}, 400, "validation_failed"],
      ["a page from elsewhere", PING, { origin: "https://evil.example" }, 403],
      ["a page of this machine", PING, { origin: "http://localhost:6274" }, 200],
      ["several messages at once", [PING, { ...PING, id: 2 }], {}, 400],
      ["what is no message", { hello: "world" }, {}, 400],
      [
        "a notification, which has no answer",
        { jsonrpc: "2.0", method: "notifications/initialized" },
        {},
        202,
      ],
    ],
  )("%s", async (_what, message, headers, status, code) => {
    const answer = await server.postMcp(message, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Bearer realm="service"' : null);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    const text = await answer.text();
    expect(text).not.toContain("evil");
    if (status === 202) expect(text).toBe("");
    else if (code !== undefined) expect(JSON.parse(text)).toMatchObject({ code });
    else if (status === 400)
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
  });

  test("the rate limit of the key, once for a tool call", async () => {
    await using limited = await open({ FISCAL_RATE_LIMIT__REQUESTS: "2" });
    const first = await limited.postMcp(callMessage("list_documents"));
    expect([first.status, first.headers.get("ratelimit-remaining")]).toEqual([200, "1"]);
    await limited.postMcp(PING);
    const refused = await limited.postMcp(PING);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ code: "rate_limited", retryable: true });
  });

  test("the body's size", async () => {
    await using small = await open({ FISCAL_SERVER__MAX_BODY_BYTES: "1024" });
    const answer = await small.postMcp(callMessage("create_merchant", { name: "x".repeat(2000) }));
    expect([answer.status, (await answer.json()) as unknown]).toMatchObject([
      413,
      { code: "payload_too_large" },
    ]);
  });

  test.each(["GET", "DELETE", "PUT", "OPTIONS"])(
    "%s is rejected, because there are no sessions",
    async (method) => {
      const authorization = `Bearer ${server.testKey}`;
      const answer = await fetch(`${server.url}/mcp`, { method, headers: { authorization } });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    },
  );

  test("accepts the server's public address as origin", async () => {
    await using published = await open({ FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example" });
    expect((await published.postMcp(PING, { origin: "https://fiscal.example" })).status).toBe(200);
    expect((await published.postMcp(PING, { origin: "http://fiscal.example" })).status).toBe(403);
  });

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "supports revision %s of the protocol",
    async (protocolVersion) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } };
      const answer = await server.postMcp({ jsonrpc: "2.0", id: 1, method: "initialize", params });
      expect(await answer.json()).toMatchObject({ id: 1, result: { protocolVersion } });
    },
  );

  test("refuses subscriptions, which would keep the connection open", async () => {
    const prefix = "io.modelcontextprotocol";
    const version = "2026-07-28";
    const answer = await server.postMcp(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "subscriptions/listen",
        params: {
          notifications: { toolsListChanged: true },
          _meta: { [`${prefix}/protocolVersion`]: version, [`${prefix}/clientCapabilities`]: {} },
        },
      },
      { "mcp-protocol-version": version, "mcp-method": "subscriptions/listen" },
    );
    expect(await answer.json()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining("limit") },
    });
  });
});

const LOOPBACK = "http://127.0.0.1:8787";
const PUBLIC = "https://fiscal.example";
const EVERYWHERE = "http://0.0.0.0:8787";

test.each([
  [{ host: "127.0.0.1:8787" }, LOOPBACK, true],
  [{ host: "localhost:8787" }, LOOPBACK, true],
  [{ host: "[::1]:8787" }, LOOPBACK, true],
  [{ host: "192.168.1.5:8787" }, LOOPBACK, true],
  [{ host: "evil.example:8787" }, LOOPBACK, false],
  [{ host: "evil.example:8787", origin: "http://evil.example:8787" }, LOOPBACK, false],
  [{ host: "localhost.evil.example" }, LOOPBACK, false],
  [{ host: "not a host" }, LOOPBACK, false],
  [{ host: "fiscal.example" }, PUBLIC, true],
  [{ host: "10.0.0.7:8787" }, PUBLIC, true],
  [{ host: "fiscal.lan:8787" }, EVERYWHERE, true],
  [{ host: "fiscal.lan:8787", origin: "http://fiscal.lan:8787" }, EVERYWHERE, false],
  [{ origin: "https://fiscal.example" }, PUBLIC, true],
  [{ origin: "https://fiscal.example:8443" }, PUBLIC, false],
  [{ origin: "null" }, PUBLIC, false],
  [{ origin: "" }, PUBLIC, false],
  [{}, "http://::1:8787", true],
])("%j at %s is accepted: %s", (headers, ownUrl, isLetThrough) => {
  expect(findForeignOrigin(new Headers(headers as Record<string, string>), ownUrl) === undefined).toBe(
    isLetThrough,
  );
});
