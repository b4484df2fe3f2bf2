/** Paths match only as written, so that the path rules of a proxy in front of the server hold. Sent over raw sockets. */
import { beforeAll, describe, expect, test } from "vitest";
import { openServingPlace, plainRequest, statusIn } from "../helpers/serving.ts";
import { forAllTests } from "../helpers/set-up.ts";
import { createApp } from "../../server/app.ts";
import { openServer } from "../helpers/http.ts";

let port: number;
let key: string;
const place = forAllTests(openServingPlace);
beforeAll(async () => {
  const running = await place.start();
  port = running.port;
  key = await running.bench.makeKey("test");
});

async function statusOf(target: string, headers: readonly string[] = []): Promise<number> {
  return statusIn(await place.ask(port, plainRequest(target, ["Host: 127.0.0.1", ...headers])));
}

const withKey = () => [`Authorization: Bearer ${key}`];

const encoded = (path: string) =>
  path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Other spellings of a path. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  "an encoded letter": encoded,
  "a letter encoded twice": (path) => encoded(path).replace("%", "%25"),
  "another host": (path) => `http://elsewhere.example${encoded(path)}`,
  "our host, as a path": (path) => `//127.0.0.1${path}`,
  "two slashes": (path) => `/${path}`,
  "two slashes at the end": (path) => `${path}//`,
  "a dot": (path) => `/.${path}`,
  "a dot at the end": (path) => `${path}/.`,
  "a way back": (path) => `/x/..${path}`,
  "an encoded way back": (path) => `/x/%2e%2e${path}`,
  "a way back with an encoded slash": (path) => `/x/..%2f${path.slice(1)}`,
  "a way back with an encoded backslash": (path) => `/x/..%5c${path.slice(1)}`,
  "a way back with backslashes": (path) => `/x\\..\\${path.slice(1)}`,
  "a backslash": (path) => `/\\${path.slice(1)}`,
  "an encoded slash at the end": (path) => `${path}%2f`,
  "that slash in capitals": (path) => `${path}%2F`,
};
const PATHS =
  "/console /console/sign-in /metrics /mcp /docs /docs/assets/app.js /connect/abc /openapi.json /healthz";

// docs/contract.md#path-matching
describe("a path with", () => {
  test.each(Object.entries(SPELLINGS))("%s is not found", async (_what, spell) => {
    for (const target of [...PATHS.split(" "), "/api/v1/documents"].map(spell)) {
      // What begins like a path of the API needs a key.
      const isOfApi = /^(?:http:\/\/[^/]+)?\/api\/v1\//.test(target);
      expect([target, await statusOf(target)]).toEqual([target, isOfApi ? 401 : 404]);
      expect([target, await statusOf(target, withKey())]).toEqual([target, 404]);
    }
  });

  test("a slash too many at the end is not found, outside the console", async () => {
    for (const path of ["/metrics/", "/mcp/", "/openapi.json/"]) expect(await statusOf(path)).toBe(404);
  });

  test.each([
    "/api/v1/x/../documents",
    "/api/v1//documents",
    "/api/v1/documents/",
    "/api/v1/documents/%2e%2e/merchants",
    "/api/v1\\documents",
    "/api/%76%31/documents",
  ])("%s is not found with a key", async (target) => {
    expect(await statusOf(target)).toBe(target.startsWith("/api/v1") ? 401 : 404);
    expect(await statusOf(target, withKey())).toBe(404);
  });
});

test.each([
  ["/", 200],
  ["/console", 303],
  ["/console/sign-in", 200],
  ["/metrics", 200],
  // Without its viewer.
  ["/docs", 503],
  ["/docs/", 503],
  ["/healthz", 200],
  ["/healthz?a=/../%63onsole", 200],
  ["/openapi.json", 200],
  ["/mcp", 405],
  ["/api/v1/documents?limit=1", 401],
  ["http://127.0.0.1/healthz", 200],
])("%s as written is served with %i", async (target, status) => {
  expect(await statusOf(target)).toBe(status);
});

const server = forAllTests(openServer);

async function open(accept: string, method = "GET"): Promise<Response> {
  return createApp(server.appliance).app.request("/", { method, headers: { accept } });
}

describe("the root path", () => {
  test("sends a browser to the console", async () => {
    const response = await open("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/console"]);
  });

  test.each(["*/*", "application/json"])(
    "tells a program that accepts %s where everything is",
    async (accept) => {
      const response = await open(accept);
      expect(response.status).toBe(200);
      const { name, api_version, api, ...pages } = (await response.json()) as Record<string, string>;
      expect({ name, api_version, api }).toEqual({ name: "fiscal", api_version: "0.1.0", api: "/api/v1" });
      const { app } = createApp(server.appliance);
      for (const path of Object.values(pages)) expect((await app.request(path)).status, path).not.toBe(404);
    },
  );

  test("takes no other method", async () => {
    expect((await open("*/*", "POST")).status).toBe(404);
  });
});
