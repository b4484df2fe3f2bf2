import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { findConsoleSession, signInWithKey } from "../../src/console/sign-in.ts";
import { createKey, listKeys, revokeKey } from "../../src/keys/api-keys.ts";
import { expireKeyRow } from "../../storage/access/keys-and-sessions.ts";
import { openBench } from "../helpers/appliance.ts";
import { openServer, type Reply } from "../helpers/http.ts";
import { closing, forAllTests, forEachTest } from "../helpers/set-up.ts";

const open = (env = {}) => closing(openServer({ env }));

const DOCUMENTS = "/api/v1/documents";

test("the order of checks is key, limit, path, Idempotency-Key, content type, size, JSON, shape, database", async () => {
  await using server = await open({
    FISCAL_RATE_LIMIT__REQUESTS: "7",
    FISCAL_SERVER__MAX_BODY_BYTES: "2048",
  });
  const wrong = { raw: "x".repeat(3000), headers: { "content-type": "text/plain" } };
  const code = async (method: string, path: string, sent: object) =>
    (await server.request(method, path, sent)).body.code;
  expect(await code("POST", "/api/v1/nothing", { ...wrong, key: null })).toBe("unauthorized");
  expect(await code("POST", "/api/v1/nothing", wrong)).toBe("not_found");
  expect(await code("DELETE", DOCUMENTS, wrong)).toBe("not_found");
  expect(await code("POST", DOCUMENTS, wrong)).toBe("validation_failed");
  const keyed = { "idempotency-key": "k" };
  expect(await code("POST", DOCUMENTS, { raw: wrong.raw, headers: { ...wrong.headers, ...keyed } })).toBe(
    "unsupported_media_type",
  );
  expect(await code("POST", DOCUMENTS, { raw: wrong.raw, headers: keyed })).toBe("payload_too_large");
  expect((await server.request("POST", DOCUMENTS, { raw: "{", headers: keyed })).body.message).toMatch(
    /not valid JSON/,
  );
  const { body } = await server.request("POST", DOCUMENTS, { body: {}, headers: keyed });
  expect(body.message).toMatch(/merchant: is required/);
  expect(await code("POST", "/api/v1/nothing", wrong)).toBe("rate_limited");
  expect(await code("POST", "/api/v1/nothing", { ...wrong, key: "fiscal_test_wrong" })).toBe("unauthorized");
});

describe("keys", () => {
  test("a revoked key and an expired one are 401, a lower-case scheme is accepted", async () => {
    await using server = await open();
    const short = { mode: "test", name: "short", expiresInDays: 1 } as const;
    const { id, secret } = await createKey(server.appliance, short);
    const get = (headers: Record<string, string>) => server.get("/api/v1/merchants", { key: null, headers });
    expect((await get({ authorization: `bearer ${secret}` })).status).toBe(200);
    server.advance(86_400_000);
    expect((await get({ authorization: `Bearer ${secret}` })).status).toBe(401);
    const other = await createKey(server.appliance, { mode: "test", name: "other" });
    await revokeKey(server.appliance, other.id);
    expect((await get({ authorization: `Bearer ${other.secret}` })).status).toBe(401);
    await server.appliance.store.flush();
    const known = (await listKeys(server.appliance)).find((key) => key.id === id);
    expect(known?.last_used_at).not.toBeNull();
  });

  test.each(["never", "", "2999-13-01T00:00:00.000Z", "Infinity"])(
    "a key whose expiry is unreadable (%j) has expired, and so has its session",
    async (expiry) => {
      await using server = await open();
      const session = await signInWithKey(server.appliance, server.testKey);
      const keys = await listKeys(server.appliance);
      await server.appliance.store.write(async (trx) => {
        for (const { id } of keys) await expireKeyRow(trx, { id, expires_at: expiry });
      });
      expect((await server.get("/api/v1/merchants")).status).toBe(401);
      expect(await findConsoleSession(server.appliance, session!)).toBe("over");
    },
  );

  test("a key that another process revokes is rejected from the next request on", async () => {
    await using server = await open();
    expect((await server.get("/api/v1/merchants")).status).toBe(200);
    const folder = server.appliance.config.dataDir.replace(/\/data$/, "");
    const other = await openBench({ folder });
    await revokeKey(other.appliance, "test key");
    await other.close();
    expect((await server.get("/api/v1/merchants")).status).toBe(401);
  });

  test("too many invalid keys of an address are 429, but a valid one is never rejected", async () => {
    await using server = await open({ FISCAL_RATE_LIMIT__FAILED_AUTH: "3" });
    const replies: Reply[] = [];
    // Those without a key are not counted.
    for (let count = 0; count < 5; count += 1)
      expect((await server.get("/api/v1/merchants", { key: null })).status).toBe(401);
    for (let count = 0; count < 5; count += 1)
      replies.push(await server.get("/api/v1/merchants", { key: "fiscal_test_nonsense" }));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    const { headers } = replies[4]!;
    const told = ["ratelimit-limit", "ratelimit-remaining", "retry-after"].map((name) => headers.get(name));
    expect(told).toEqual(["3", "0", "60"]);
    expect((await server.get("/api/v1/merchants", { key: null })).status).toBe(401);
    server.advance(60_000);
    expect((await server.get("/api/v1/merchants", { key: "fiscal_test_nonsense" })).status).toBe(401);
    expect((await server.get("/api/v1/merchants")).status).toBe(200);
  });
});

describe("bodies", () => {
  const server = forAllTests(openServer);
  const keyed = { "idempotency-key": "k" };
  test("bytes that are no UTF-8 are 400", async () => {
    const raw = Uint8Array.of(0x22, 0xff, 0x22);
    const { status, body } = await server.request("POST", DOCUMENTS, { raw, headers: keyed });
    expect([status, body.code]).toEqual([400, "validation_failed"]);
    expect(body.message).toContain("not valid UTF-8");
  });

  test.each([
    ["application/json", 201],
    ["application/json; charset=utf-8", 201],
    ["Application/JSON;charset=UTF-8", 201],
    ['application/json; profile="v0"; charset="UTF-8"', 201],
    ["application/json; charset=iso-8859-7", 415],
    ["application/json; charset=utf-8; charset=utf-16", 415],
    ["application/jsonp", 415],
    ["", 415],
    ["text/json", 415],
    ["application/x-www-form-urlencoded", 415],
  ])("content type %s is %i", async (type, expected) => {
    const headers = { ...keyed, "content-type": type, "content-encoding": "identity" };
    expect((await server.issue({}, { headers })).status).toBe(expected);
  });

  const compressed = { "content-encoding": "gzip" };
  test.each([
    ["/api/v1/merchants", { "content-encoding": "br" }],
    ["/api/v1/merchants", { "content-encoding": "gzip, identity" }],
    ["/api/v1/merchants", { "content-encoding": "unknown" }],
    ["/api/v1/merchants", compressed],
    ["/api/v1/merchants/{id}/connect_sessions", compressed],
    ["/mcp", { ...compressed, accept: "application/json, text/event-stream" }],
    ["/connect/abc", { ...compressed, "content-type": "application/x-www-form-urlencoded" }],
  ])("a compressed body for %s is 415: %j", async (path, own) => {
    const sent = { raw: gzipSync("{}"), headers: { ...keyed, ...own } };
    const { status, body } = await server.request("POST", path.replace("{id}", server.merchant), sent);
    expect([status, body?.code ?? "unsupported_media_type"]).toEqual([415, "unsupported_media_type"]);
  });

  test("an operation without a body ignores one", async () => {
    const { status } = await server.request("POST", `/api/v1/merchants/${server.merchant}/archive`, {
      raw: "{{{",
    });
    expect(status).toBe(200);
  });
});

describe("queries", () => {
  const server = forAllTests(openServer);
  test.each([
    ["limit=1&limit=2", "limit: is given more than once"],
    ["colour=red", "colour: is not a parameter of this operation"],
    ["constructor=1", "constructor: is not a parameter of this operation"],
    ["__proto__=1", "__proto__: is not a parameter of this operation"],
    ["9a9=4%204", "(parameter): is not a parameter of this operation"],
    ["starting_after=doc_0000000000000000000000", "starting_after: must be an id of this list (evt_"],
    ["starting_after=evt_0000000000000000000000", "starting_after: is not an id of this list"],
  ])("%s is 400", async (query, message) => {
    const { status, body } = await server.get(`/api/v1/events?${query}`);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });
});

describe("/readyz", () => {
  const bench = forEachTest(openBench);

  async function ask({ app } = createApp(bench.appliance)) {
    const response = await app.request("/readyz");
    return { status: response.status, text: await response.text() };
  }

  test("lists every check when all pass", async () => {
    const { status, text } = await ask();
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      status: "ready",
      checks: {
        database: true,
        migrated: true,
        master_key: true,
        active: true,
        space: true,
        accepting: true,
      },
      reasons: [],
    });
  });

  test("says why it is not ready and what to do, without paths or the system's messages", async () => {
    bench.appliance.store.probe = () => Promise.reject(new Error("disk I/O error at /srv/data/fiscal.db"));
    const { status, text } = await ask();
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      status: "not ready",
      checks: { database: false, master_key: true },
      reasons: [
        { check: "database", message: "The database is not writable", next_step: expect.any(String) },
      ],
    });
    expect(text).not.toContain("/srv");
    expect(bench.logged.join("\n")).toContain("disk I/O error");
  });

  test("reports that the server is stopping", async () => {
    const app = createApp(bench.appliance);
    app.closeConnections();
    const { status, text } = await ask(app);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: "stopping", reasons: [{ check: "accepting" }] });
  });
});

test("outside the API health, readiness and the description need no key", async () => {
  await using server = await open();
  expect((await server.get("/healthz", { key: null })).body).toEqual({ status: "ok" });
  expect((await server.get("/readyz", { key: null })).body).toMatchObject({
    status: "ready",
    checks: { database: true },
  });
  const unkeyed = await server.get("/openapi.json", { key: null });
  const keyed = await server.get("/api/v1/openapi.json");
  expect(unkeyed.text).toBe(keyed.text);
  expect((await server.get("/api/v1/openapi.json", { key: null })).status).toBe(401);
  expect((await server.get("/elsewhere", { key: null })).body.code).toBe("not_found");
});

test("no API key is in the database or the log", async () => {
  await using server = await open();
  await server.issued();
  await server.appliance.store.flush();
  const { database } = server.appliance.config.storage;
  const texts = [database, `${database}-wal`].map((file) => readFileSync(file, "latin1"));
  for (const text of [...texts, ...server.logged]) expect(text).not.toContain(server.testKey.slice(12, 30));
});
