// docs/contract.md#authentication
// docs/contract.md#versioning
// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../server/app.ts";
import { buildOpenApi } from "../../../server/openapi/build-openapi.ts";
import type { Operation } from "../../../src/operations/operation.ts";
import type { Sent } from "../../helpers/http.ts";
import { EVENTS, type Json, MERCHANTS, noId, useServer } from "../helpers/bench.ts";

const BYTES_MAX = 4096;
const server = useServer({
  env: { FISCAL_RATE_LIMIT__FAILED_AUTH: "0", FISCAL_SERVER__MAX_BODY_BYTES: String(BYTES_MAX) },
});
const description: Json = buildOpenApi(OPERATIONS);

/** Sends the operation's example, with some parts replaced by `sent`. */
function ask({ method, path, example }: Operation, sent: Sent = {}, prefix = "/api/v1") {
  const id = path.startsWith("/merchants/") ? server.merchant : noId("doc");
  const usual = {
    headers: { "idempotency-key": "operation" },
    ...(example === undefined ? {} : { body: example }),
  };
  return server.request(method, prefix + path.replace("{id}", id), { ...usual, ...sent });
}

const rows = OPERATIONS.map((operation) => [operation.id, operation] as const);

describe.each(rows)("%s", (_id, operation) => {
  test("accepts a key as a bearer credential, and nothing without one", async () => {
    for (const authorization of [undefined, "", "Bearer", "Basic dGVzdA==", server.testKey]) {
      const key = { "idempotency-key": "auth" };
      const headers = authorization === undefined ? key : { ...key, authorization };
      const reply = await ask(operation, { key: null, headers });
      expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([401, "unauthorized", false]);
      expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="service"');
    }
    expect((await ask(operation)).status).not.toBe(401);
  });

  test("is not found without its prefix", async () => {
    for (const prefix of ["", "/api", "/api/v2"].filter((text) => text + operation.path !== "/openapi.json"))
      expect((await ask(operation, {}, prefix)).body.code).toBe("not_found");
  });
});

const withBody = rows.filter(([, { body }]) => body !== undefined);
test.each(withBody)(
  "%s rejects other content types, oversized bodies and invalid JSON",
  async (_id, operation) => {
    const sent = async (raw: string, type = "application/json") => {
      const headers = { "idempotency-key": "bodies", "content-type": type };
      const reply = await ask(operation, { body: undefined, raw, headers });
      return `${reply.status} ${reply.body.code}`;
    };
    expect(await sent("{}", "text/plain")).toBe("415 unsupported_media_type");
    expect(await sent("{}", "application/x-www-form-urlencoded")).toBe("415 unsupported_media_type");
    expect(await sent(JSON.stringify({ a: "x".repeat(BYTES_MAX) }))).toBe("413 payload_too_large");
    const empty = operation.isBodyOptional === true ? [] : [""];
    for (const raw of ["{", '{"a":1,"a":2}', "[]", "null", ...empty])
      expect(await sent(raw)).toBe("400 validation_failed");
  },
);

test("the scheme is case-insensitive, the key is not", async () => {
  const key = server.testKey;
  const statusOf = async (authorization: string) =>
    (await server.get(MERCHANTS, { key: null, headers: { authorization } })).status;
  expect([await statusOf(`bearer ${key}`), await statusOf(`BEARER ${key}`)]).toEqual([200, 200]);
  const swapped = key.at(-1) === "0" ? "1" : "0";
  for (const wrong of [key.toUpperCase(), `${key}0`, key.slice(0, -1), `${key.slice(0, -1)}${swapped}`])
    expect(await statusOf(`Bearer ${wrong}`)).toBe(401);
});

test("the service's version is 0.1.0, in its description and every event", async () => {
  expect(description.info.version).toBe("0.1.0");
  await server.finished();
  for (const event of await server.read(EVENTS)) expect(event.api_version).toBe("0.1.0");
});
