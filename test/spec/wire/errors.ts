// docs/contract.md#error-codes
import { describe, expect, test } from "vitest";
import {
  CONNECT,
  DOCUMENTS,
  MERCHANTS,
  noId,
  openSpecServer,
  type Json,
  useServer,
} from "../helpers/bench.ts";
import { ask, ENDPOINTS } from "../helpers/endpoints.ts";
import type { Reply } from "../../helpers/http.ts";
import { closing } from "../../helpers/set-up.ts";

const SMALL = 4096;
let description: Json;
const server = useServer({ env: { FISCAL_SERVER__MAX_BODY_BYTES: String(SMALL) } }, async (opened) => {
  description = (await opened.get("/api/v1/openapi.json")).body;
});
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

/** The response of a server whose reads fail. */
async function broken(): Promise<Reply> {
  const own = await openSpecServer();
  const { store } = own.appliance;
  const { read } = store;
  const failing = {
    configurable: true,
    get() {
      throw new Error("disk on fire at /secret/path");
    },
  };
  try {
    Object.defineProperty(store, "read", failing);
    return await own.get(DOCUMENTS);
  } finally {
    Object.defineProperty(store, "read", { value: read });
    await own.close();
  }
}

async function inProgress(): Promise<Reply> {
  const path = `${MERCHANTS}/${await server().addMerchant()}/connections`;
  const { reached, release } = server().hold();
  const first = server().post(path, CONNECT, keyed("held"));
  await reached;
  const second = await server().post(path, CONNECT, keyed("held"));
  release();
  await first;
  return second;
}

async function limited(): Promise<Reply> {
  const own = await openSpecServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "1" } });
  try {
    await own.get(MERCHANTS);
    return await own.get(MERCHANTS);
  } finally {
    await own.close();
  }
}

/** The code, its HTTP status, whether it is retryable, and a request that causes it. */
const CODES: [string, number, boolean, () => Promise<Reply>][] = [
  ["validation_failed", 400, false, () => server().issue({ colour: "red" })],
  ["unauthorized", 401, false, () => server().get(MERCHANTS, { key: null })],
  ["not_found", 404, false, () => server().get(`${DOCUMENTS}/${noId("doc")}`)],
  [
    "idempotency_conflict",
    409,
    false,
    async () => {
      await server().issue({}, keyed("conflict"));
      return server().issue({ external_reference: "other" }, keyed("conflict"));
    },
  ],
  ["idempotency_in_progress", 409, true, inProgress],
  ["already_exists", 409, false, () => server().post(MERCHANTS, { external_id: "SHOP", name: "x" })],
  [
    "payload_too_large",
    413,
    false,
    () => server().post(DOCUMENTS, undefined, { raw: `"${"x".repeat(SMALL)}"` }),
  ],
  [
    "unsupported_media_type",
    415,
    false,
    () =>
      server().post(DOCUMENTS, undefined, {
        raw: "a=b",
        headers: { "idempotency-key": "media", "content-type": "text/plain" },
      }),
  ],
  ["not_supported", 422, false, () => server().issue({ provider: "sandbox" }, { key: server().liveKey })],
  ["connection_unavailable", 422, false, () => server().issue({}, { key: server().liveKey })],
  ["rate_limited", 429, true, limited],
  ["internal_error", 500, false, broken],
  [
    "service_unavailable",
    503,
    true,
    () =>
      server().post(`${MERCHANTS}/${server().merchant}/connections`, {
        ...CONNECT,
        credentials: { user_id: "away", subscription_key: "k" },
      }),
  ],
];

describe("Errors", () => {
  test.each(CODES)("%s: HTTP %i, retryable %s", async (code, status, retryable, cause) => {
    const reply = await cause();
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({
      code,
      message: expect.stringMatching(/\S/),
      provider_code: null,
      provider_message: null,
      retryable,
    });
    expect(reply.text).not.toContain("disk on fire");
    const waits = reply.headers.get("retry-after");
    if (status === 429 || code === "idempotency_in_progress") expect(Number(waits)).toBeGreaterThanOrEqual(1);
    else expect(waits).toBeNull();
  });

  test("invalid_state and regime_mismatch are also responses", async () => {
    const { id } = (await server().issue({ provider: "sandbox" })).body.data;
    const retried = await server().post(`${DOCUMENTS}/${id}/retry`, undefined);
    expect([retried.status, retried.body.code, retried.body.retryable]).toEqual([
      409,
      "invalid_state",
      false,
    ]);
    await using own = await closing(
      openSpecServer({ env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__REGIME: "refuse" } }),
    );
    await own.connect();
    const { status, body } = await own.issue();
    expect([status, body.code, body.retryable]).toEqual([422, "regime_mismatch", false]);
  });
});

describe("Errors of every endpoint", () => {
  test.each(ENDPOINTS)("$heading lists 401, 429, 500 and its other errors", (endpoint) => {
    const described = description.paths[endpoint.template][endpoint.method.toLowerCase()].responses as Json;
    const takesBody = endpoint.body === undefined ? [] : ["413", "415"];
    const takesId = endpoint.template.includes("{id}") ? ["404"] : [];
    for (const status of ["401", "429", "500", ...takesBody, ...takesId])
      expect(Object.keys(described), status).toContain(status);
  });

  test.each(ENDPOINTS.filter(({ body }) => body !== undefined))(
    "$heading rejects other content types with 415, oversized bodies with 413, and invalid JSON with 400",
    async (endpoint) => {
      const headers = { "idempotency-key": "bodies" };
      const sent = async (raw: string, type = "application/json") => {
        const reply = await ask(server(), endpoint, {
          body: undefined,
          raw,
          headers: { ...headers, "content-type": type },
        });
        return `${reply.status} ${reply.body.code}`;
      };
      expect(await sent("{}", "text/plain")).toBe("415 unsupported_media_type");
      expect(await sent("{}", "application/x-www-form-urlencoded")).toBe("415 unsupported_media_type");
      expect(await sent(JSON.stringify({ a: "x".repeat(SMALL) }))).toBe("413 payload_too_large");
      for (const raw of ["{", "", '{"a":1,"a":2}', "[]", "null"])
        expect(await sent(raw)).toBe("400 validation_failed");
    },
  );
});
