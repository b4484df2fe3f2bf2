/** The effect of a proxy's headers on responses: links, and permitted origins. */
import { describe, expect, test } from "vitest";
import { openServingPlace, type Running } from "../helpers/serving.ts";
import { forEachTest } from "../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

const FORWARDED = { "x-forwarded-proto": "https", "x-forwarded-host": "shop.example.com" };
const trusting = { FISCAL_SERVER__TRUSTED_PROXIES: "127.0.0.1" };

/** The link of a new connect session. */
async function linkOf({ url, bench }: Running): Promise<string> {
  const answer = await fetch(`${url}/api/v1/merchants/${await bench.makeMerchant()}/connect_sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await bench.makeKey("test")}`,
      ...FORWARDED,
    },
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { data: { url: string } }).data.url;
}

/** The status of a call to `/mcp` from a page of the shop. */
async function mcpStatus({ url, bench }: Running): Promise<number> {
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await bench.makeKey("test")}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      origin: "https://shop.example.com",
      ...FORWARDED,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  await answer.text();
  return answer.status;
}

describe("forwarded protocol and host", () => {
  test("determine links and allowed origins if the proxy is trusted", async () => {
    const running = await place.start(trusting);
    expect(await linkOf(running)).toMatch(/^https:\/\/shop\.example\.com\/connect\//);
    expect(await mcpStatus(running)).toBe(200);
  });

  test("are ignored if the proxy is not trusted", async () => {
    const running = await place.start();
    expect(await linkOf(running)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/connect\//);
    expect(await mcpStatus(running)).toBe(403);
  });

  test("are ignored if server.public_url is set", async () => {
    const running = await place.start({ ...trusting, FISCAL_SERVER__PUBLIC_URL: "https://own.example.com" });
    expect(await linkOf(running)).toMatch(/^https:\/\/own\.example\.com\/connect\//);
    expect(await mcpStatus(running)).toBe(403);
  });
});
