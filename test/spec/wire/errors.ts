// docs/contract.md#error-codes
import { expect, test } from "vitest";
import { AWAY, DOCUMENTS, MERCHANTS, noId, openSpecServer, useServer } from "../helpers/bench.ts";
import type { Reply } from "../../helpers/http.ts";
import { closing } from "../../helpers/set-up.ts";

const SMALL = 4096;
const server = useServer({ env: { FISCAL_SERVER__MAX_BODY_BYTES: String(SMALL) } });
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

async function limited(): Promise<Reply> {
  await using own = await closing(openSpecServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "1" } }));
  await own.get(MERCHANTS);
  return await own.get(MERCHANTS);
}

async function refusedRegime(): Promise<Reply> {
  const env = { FISCAL_PROVIDERS__REGISTRY_DIRECT__REGIME: "refuse" };
  await using own = await closing(openSpecServer({ env }));
  await own.connect();
  return await own.issue();
}

/** Of a document that waits. */
const queued = async () => `${DOCUMENTS}/${(await server.issue({ provider: "sandbox" })).body.data.id}`;

/** The code, its HTTP status, whether it is retryable, and a request that causes it. */
const CODES: [string, number, boolean, () => Promise<Reply>][] = [
  ["validation_failed", 400, false, () => server.issue({ colour: "red" })],
  ["unauthorized", 401, false, () => server.get(MERCHANTS, { key: null })],
  ["not_found", 404, false, () => server.get(`${DOCUMENTS}/${noId("doc")}`)],
  [
    "idempotency_conflict",
    409,
    false,
    async () => {
      await server.issue({}, keyed("conflict"));
      return server.issue({ external_reference: "other" }, keyed("conflict"));
    },
  ],
  ["already_exists", 409, false, () => server.post(MERCHANTS, { external_id: "SHOP", name: "x" })],
  ["invalid_state", 409, false, async () => server.post(`${await queued()}/retry`, undefined)],
  ["pdf_not_ready", 409, true, async () => server.get(`${await queued()}/pdf`)],
  [
    "payload_too_large",
    413,
    false,
    () => server.post(DOCUMENTS, undefined, { raw: `"${"x".repeat(SMALL)}"` }),
  ],
  [
    "unsupported_media_type",
    415,
    false,
    () =>
      server.post(DOCUMENTS, undefined, {
        raw: "a=b",
        headers: { "idempotency-key": "media", "content-type": "text/plain" },
      }),
  ],
  ["not_supported", 422, false, () => server.issue({ provider: "sandbox" }, { key: server.liveKey })],
  ["connection_unavailable", 422, false, () => server.issue({}, { key: server.liveKey })],
  ["regime_mismatch", 422, false, refusedRegime],
  ["rate_limited", 429, true, limited],
  ["internal_error", 500, false, broken],
  ["service_unavailable", 503, true, () => server.post(`${MERCHANTS}/${server.merchant}/connections`, AWAY)],
];

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
  if (status === 429) expect(Number(waits)).toBeGreaterThanOrEqual(1);
  else expect(waits).toBeNull();
});
