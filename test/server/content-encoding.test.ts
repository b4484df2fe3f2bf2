/** Compressed bodies get 415, in the API, over MCP and in forms (docs/contract.md#wire-format). */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { openServer } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openServer);

async function send(path: string, encoding: string, type = "application/json"): Promise<Response> {
  const headers = {
    authorization: `Bearer ${server.testKey}`,
    "content-type": type,
    "content-encoding": encoding,
    "idempotency-key": "compressed",
    accept: "application/json, text/event-stream",
  };
  const body = encoding === "gzip" ? gzipSync("{}") : "{}";
  return createApp(server.appliance).app.request(path, { method: "POST", headers, body });
}

test.each(["gzip", "br", "deflate", "gzip, identity", "unknown"])("the API refuses %s", async (encoding) => {
  const answer = await send("/api/v1/merchants", encoding);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    415,
    "unsupported_media_type",
  ]);
});

test("the API accepts identity, which changes nothing", async () => {
  expect((await send("/api/v1/merchants", "identity")).status).toBe(400);
});

test("an optional body may not be compressed either", async () => {
  const answer = await send(`/api/v1/merchants/${server.merchant}/connect_sessions`, "gzip");
  expect(answer.status).toBe(415);
});

test.each([
  ["/mcp", "application/json"],
  ["/connect/abc", "application/x-www-form-urlencoded"],
])("%s refuses gzip", async (path, type) => {
  expect((await send(path, "gzip", type)).status).toBe(415);
});
