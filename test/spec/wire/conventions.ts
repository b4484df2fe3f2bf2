// docs/contract.md#wire-format
import { describe, expect, test } from "vitest";
import { AWAY, DOCUMENTS, MERCHANTS, noId, useServer } from "../helpers/bench.ts";

const LIMIT_HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"] as const;
const env = { FISCAL_RATE_LIMIT__REQUESTS: "500", FISCAL_SERVER__MAX_BODY_BYTES: "4096" };
const server = useServer({ env });
const keyed = { "idempotency-key": "conventions" };

describe("Wire conventions", () => {
  test("Response headers on every response: x-request-id regardless of the status", async () => {
    const sent = { key: null };
    const replies = await Promise.all([
      server.get(MERCHANTS),
      server.get(MERCHANTS, sent),
      server.get("/api/v1/nothing"),
      server.get("/elsewhere", sent),
      server.get("/healthz", sent),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 401, 404, 404, 200]);
    const ids = replies.map(({ headers }) => headers.get("x-request-id"));
    for (const id of ids)
      expect(id).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("Response headers on 200, 201, 400, 404, 409, 413, 415, 422, 429, 503 as listed per endpoint: the limit and what remains of it", async () => {
    const replies = [
      await server.get(MERCHANTS),
      await server.issue({}, { headers: keyed }),
      await server.get(`${MERCHANTS}?limit=0`),
      await server.get(`${MERCHANTS}/${noId("mer")}`),
      await server.issue({ external_reference: "other" }, { headers: keyed }),
      await server.request("POST", DOCUMENTS, { raw: "x".repeat(5000), headers: keyed }),
      await server.request("POST", DOCUMENTS, {
        raw: "x",
        headers: { ...keyed, "content-type": "text/plain" },
      }),
      await server.issue({ provider: "provider_e" }),
      await server.post(`${MERCHANTS}/${server.merchant}/connections`, AWAY),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 400, 404, 409, 413, 415, 422, 503]);
    let last = Number.POSITIVE_INFINITY;
    for (const { headers } of replies) {
      const [limit, remaining, reset] = LIMIT_HEADERS.map((name) => headers.get(name));
      expect([limit, reset]).toEqual(["500", "10"]);
      expect(Number(remaining)).toBe(Number.isFinite(last) ? last - 1 : Number(remaining));
      last = Number(remaining);
    }
    const unauthorized = await server.get(MERCHANTS, { key: null });
    expect(LIMIT_HEADERS.map((name) => unauthorized.headers.get(name))).toEqual([null, null, null]);
  });
});
