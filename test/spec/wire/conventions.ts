// docs/contract.md#wire-format
import { describe, expect, test } from "vitest";
import { CONNECT, DOCUMENTS, MERCHANTS, noId, useServer } from "../helpers/bench.ts";

const LIMIT_HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"] as const;
const env = { FISCAL_RATE_LIMIT__REQUESTS: "500", FISCAL_SERVER__MAX_BODY_BYTES: "4096" };
const BY_EMAIL = { provider: "provider_a", credentials: { api_key: "k", email: "shop@example.com" } };
const server = useServer({ env }, async (opened) => {
  await opened.addMerchant();
  await opened.finished();
  await opened.finished();
  for (const connection of [CONNECT, BY_EMAIL]) {
    const { id } = await opened.connect(opened.merchant, {}, connection);
    await opened.post(`/api/v1/connections/${id}/disconnect`, undefined);
  }
});
const keyed = { "idempotency-key": "conventions" };

describe("Wire conventions", () => {
  test("Response headers on every response: x-request-id regardless of the status", async () => {
    const sent = { key: null };
    const replies = await Promise.all([
      server().get(MERCHANTS),
      server().get(MERCHANTS, sent),
      server().get("/api/v1/nothing"),
      server().get("/elsewhere", sent),
      server().get("/healthz", sent),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 404, 404, 200]);
    const ids = replies.map(({ headers }) => headers.get("x-request-id"));
    for (const id of ids)
      expect(id).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("Response headers on 200, 201, 400, 404, 409, 413, 415, 422, 429, 503 as listed per endpoint: the limit and what remains of it", async () => {
    const { merchant } = server();
    const away = { provider: "registry_direct", credentials: { user_id: "away", subscription_key: "k" } };
    const replies = [
      await server().get(MERCHANTS),
      await server().issue({}, { headers: keyed }),
      await server().get(`${MERCHANTS}?limit=0`),
      await server().get(`${MERCHANTS}/${noId("mer")}`),
      await server().issue({ external_reference: "other" }, { headers: keyed }),
      await server().request("POST", DOCUMENTS, { raw: "x".repeat(5000), headers: keyed }),
      await server().request("POST", DOCUMENTS, {
        raw: "x",
        headers: { ...keyed, "content-type": "text/plain" },
      }),
      await server().issue({ provider: "provider_e" }),
      await server().post(`${MERCHANTS}/${merchant}/connections`, away),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 400, 404, 409, 413, 415, 422, 503]);
    let last = Number.POSITIVE_INFINITY;
    for (const { headers } of replies) {
      const [limit, remaining, reset] = LIMIT_HEADERS.map((name) => headers.get(name));
      expect([limit, reset]).toEqual(["500", "10"]);
      expect(Number(remaining)).toBe(Number.isFinite(last) ? last - 1 : Number(remaining));
      last = Number(remaining);
    }
    const unauthorized = await server().get(MERCHANTS, { key: null });
    expect(LIMIT_HEADERS.map((name) => unauthorized.headers.get(name))).toEqual([null, null, null]);
  });
});
