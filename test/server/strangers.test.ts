/** Requests by clients who must get nothing: strangers, pages of other sites, holders of a key of the other mode. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOperations, createApp } from "../../server/app.ts";
import { openServer, type Server } from "../helpers/http.ts";

let server: Server;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const { app } = createApp(server.appliance);
  return Promise.resolve(app.request(path, init));
}

describe("files are served by their exact name only", () => {
  const names = [
    "..%2f..%2fpackage.json",
    "..%5c..%5cpackage.json",
    "%2e%2e%2fapp.js",
    "%00",
    "__proto__",
    "index.html",
  ];
  const folders = ["/assets/", "/docs/assets/", "/console/assets/"];
  test.each(folders.flatMap((folder) => names.map((name) => folder + name)))("%s is none", async (path) => {
    const answer = await ask(path);
    // The console redirects visitors who are not signed in to its sign-in page, unless the path is misspelled.
    expect([answer.status, answer.headers.get("location")]).toEqual(
      /^\/console.*\/(?:%00|__proto__|index\.html)$/.test(path) ? [303, "/console/sign-in"] : [404, null],
    );
    expect(await answer.text()).not.toContain("better-sqlite3");
  });
});

test("sends no CORS headers", async () => {
  const origin = "https://elsewhere.example";
  for (const path of [
    "/api/v1/merchants",
    "/mcp",
    "/console",
    "/connect/x",
    "/openapi.json",
    "/metrics",
    "/docs",
  ]) {
    for (const method of ["GET", "OPTIONS"]) {
      const headers = {
        origin,
        "access-control-request-method": "GET",
        authorization: `Bearer ${server.testKey}`,
      };
      const answer = await ask(path, { method, headers });
      const allowing = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
      expect(allowing, `${method} ${path}`).toEqual([]);
    }
  }
});

test("links use this server's address, regardless of the Host header", async () => {
  const headers = {
    host: "elsewhere.example",
    "x-forwarded-host": "elsewhere.example",
    forwarded: "host=elsewhere.example",
  };
  const path = `/api/v1/merchants/${server.merchant}/connect_sessions`;
  const { body } = await server.post(path, {}, { headers });
  expect(new URL(body.data.url).origin).toBe(new URL(server.appliance.publicUrl()).origin);
});

describe("a test key", () => {
  /** Resources that belong to a mode and can be created in live mode without a provider. */
  const live = new Map<string, string>();
  /** Tested in documents.test.ts, connections.test.ts and test/spec/resources/provider-call-bodies.ts. */
  const elsewhere = new Set(["documents", "connections", "provider_calls"]);
  /** Visible in both modes (docs/contract.md#modes). */
  const shared = new Set(["merchants"]);

  const BODIES: Readonly<Record<string, object>> = {
    updateWebhookEndpoint: { description: "taken over" },
    replayWebhookEvents: { created: { gte: "2026-01-01T00:00:00.000Z" } },
  };

  beforeAll(async () => {
    const key = { key: server.liveKey };
    const hook = { url: "https://example.com/live", enabled_events: ["*"] };
    live.set("webhook_endpoints", (await server.post("/api/v1/webhook_endpoints", hook, key)).body.data.id);
    const session = await server.post(`/api/v1/merchants/${server.merchant}/connect_sessions`, {}, key);
    live.set("connect_sessions", session.body.data.id);
    await server.request("PATCH", `/api/v1/merchants/${server.merchant}`, { ...key, body: { name: "Live" } });
    live.set("events", (await server.get("/api/v1/events", key)).body.data[0].id);
    live.set("requests", session.headers.get("x-request-id")!);
  });

  const resourceOf = (path: string) => path.split("/")[1]!;
  const operations = allOperations().filter(
    ({ path }) => path.includes("{id}") && !elsewhere.has(resourceOf(path)) && !shared.has(resourceOf(path)),
  );

  test.each(operations.map(({ id }) => id))("finds nothing of live mode with %s", async (id) => {
    const { method, path } = operations.find((operation) => operation.id === id)!;
    const theirs = `/api/v1${path.replace("{id}", live.get(resourceOf(path))!)}`;
    const sent = method === "GET" || method === "DELETE" ? {} : { body: BODIES[id] ?? {} };
    const { status, body } = await server.request(method, theirs, sent);
    expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test("sees nothing of live mode in lists, and cannot use live ids as cursors", async () => {
    for (const resource of ["webhook_endpoints", "events", "requests"]) {
      const { text } = await server.get(`/api/v1/${resource}?limit=100`);
      expect(text).not.toContain(live.get(resource)!);
    }
    for (const resource of ["webhook_endpoints", "events"]) {
      const { status } = await server.get(`/api/v1/${resource}?starting_after=${live.get(resource)}`);
      expect(status).toBe(400);
    }
  });

  test("sends no event of its own to a live endpoint", async () => {
    const [event] = (await server.get("/api/v1/events")).body.data;
    const body = { webhook_endpoint: live.get("webhook_endpoints") };
    expect((await server.post(`/api/v1/events/${event.id}/resend`, body)).status).toBe(404);
  });
});
