/** Requests by clients who must get nothing: strangers, pages of other sites, holders of a key of the other mode. */
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS, createApp } from "../../server/app.ts";
import { buildIssueBody } from "../helpers/appliance.ts";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openConnectingServer);

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const { app } = createApp(server.appliance);
  return Promise.resolve(app.request(path, init));
}

const NAMES = "..%2f..%2fpackage.json ..%5c..%5cpackage.json %2e%2e%2fapp.js %00 __proto__ index.html";
const folders = ["/assets/", "/docs/assets/", "/console/assets/"];
test.each(folders.flatMap((folder) => NAMES.split(" ").map((name) => folder + name)))(
  "%s is none, because files are served by their exact name only",
  async (path) => {
    const answer = await ask(path);
    // The console redirects visitors who are not signed in to its sign-in page, unless the path is misspelled.
    expect([answer.status, answer.headers.get("location")]).toEqual(
      /^\/console.*\/(?:%00|__proto__|index\.html)$/.test(path) ? [303, "/console/sign-in"] : [404, null],
    );
    expect(await answer.text()).not.toContain("better-sqlite3");
  },
);

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

/** docs/contract.md#modes. The merchant itself is visible in both. */
describe("a test key", () => {
  /** A resource of live mode, by the first part of its path. */
  const live = new Map<string, string>();
  const BODIES: Readonly<Record<string, object>> = {
    updateWebhookEndpoint: { description: "taken over" },
    replayWebhookEvents: { created: { gte: "2026-01-01T00:00:00.000Z" } },
  };

  beforeAll(async () => {
    const key = { key: server.liveKey };
    const make = async (path: string, body: unknown) => {
      const reply = await server.post(`/api/v1/${path}`, body, key);
      live.set(path.split("/").at(-1)!, reply.body.data.id);
      return reply;
    };
    await make("webhook_endpoints", { url: "https://example.com/live", enabled_events: ["*"] });
    const session = await make(`merchants/${server.merchant}/connect_sessions`, {});
    await make(`merchants/${server.merchant}/connections`, CONNECT);
    await make("documents", buildIssueBody(server.merchant));
    for (const list of ["events", "provider_calls"])
      live.set(list, (await server.read(`/api/v1/${list}`, key))[0].id);
    const logged = `/api/v1/requests?request_id=${session.headers.get("x-request-id")}`;
    live.set("requests", (await server.read(logged, key))[0].id);
  });

  const operations = OPERATIONS.filter(({ path }) => path.includes("{id}"));

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "finds nothing of live mode, nor an unknown id, with %s",
    async (id, { method, path, example }) => {
      const resource = path.split("/")[1]!;
      const body = BODIES[id] ?? example ?? {};
      const sent =
        method === "GET" || method === "DELETE" ? {} : { body, headers: { "idempotency-key": id } };
      const theirs = live.get(resource);
      expect(theirs === undefined).toBe(resource === "merchants");
      const prefix = theirs?.split("_")[0] ?? "mer";
      for (const wrong of [
        ...(theirs === undefined ? [] : [theirs]),
        `${prefix}_${"0".repeat(22)}`,
        "nonsense",
      ]) {
        const reply = await server.request(method, `/api/v1${path.replace("{id}", wrong)}`, sent);
        expect([wrong, reply.status, reply.body.code]).toEqual([wrong, 404, "not_found"]);
      }
      if (theirs !== undefined && method === "GET")
        expect(
          (await server.get(`/api/v1${path.replace("{id}", theirs)}`, { key: server.liveKey })).status,
        ).not.toBe(404);
    },
  );

  test("sees nothing of live mode in lists, and cannot use live ids as cursors", async () => {
    for (const resource of ["documents", "webhook_endpoints", "events", "provider_calls", "requests"]) {
      expect((await server.get(`/api/v1/${resource}?limit=100`)).text).not.toContain(live.get(resource)!);
    }
    for (const resource of ["webhook_endpoints", "events"]) {
      expect((await server.get(`/api/v1/${resource}?starting_after=${live.get(resource)}`)).status).toBe(400);
    }
  });

  test("sends no event of its own to a live endpoint", async () => {
    const [event] = await server.read("/api/v1/events");
    const body = { webhook_endpoint: live.get("webhook_endpoints") };
    expect((await server.post(`/api/v1/events/${event.id}/resend`, body)).status).toBe(404);
  });
});
