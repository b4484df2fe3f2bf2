// docs/contract.md#idempotency-records
// docs/contract.md#error-codes: idempotency_in_progress
// docs/contract.md#limits: Idempotency-Key
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../server/app.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { CONNECT, DOCUMENTS, MERCHANTS, noId, REFUSED, useServer } from "../helpers/bench.ts";

const server = useServer();

interface Creation {
  path: string;
  body: object;
  /** Another request under the same key. */
  other: object;
}

const CREATIONS: [operation: string, () => Creation][] = [
  [
    "POST /documents",
    () => {
      const body = buildIssueBody(server.merchant, { provider: "sandbox" });
      return { path: DOCUMENTS, body, other: { ...body, external_reference: "x" } };
    },
  ],
  [
    "POST /merchants",
    () => {
      const body = { external_id: "once", name: "Once" };
      return { path: MERCHANTS, body, other: { ...body, external_id: "twice" } };
    },
  ],
  [
    "POST /merchants/{id}/connections",
    () => ({ path: `${MERCHANTS}/${server.merchant}/connections`, body: CONNECT, other: REFUSED }),
  ],
  [
    "POST /webhook_endpoints",
    () => {
      const body = { url: "https://shop.example/webhooks", enabled_events: ["*"] };
      return { path: "/api/v1/webhook_endpoints", body, other: { ...body, description: "x" } };
    },
  ],
];

const count = async (list: string) => (await server.read(`${list}?limit=100`)).length;

describe.each(CREATIONS)("Idempotency of %s", (name, build) => {
  const creation = forAllTests(build);
  const key = `key of ${name}`.replaceAll(/[^a-z]/g, "-");
  const create = (headers: Record<string, string>, body: unknown = creation.body, mode = server.testKey) =>
    server.request("POST", creation.path, { body, headers, key: mode });

  test.each([
    ["empty", { "idempotency-key": "" }],
    ["256 characters long", { "idempotency-key": "k".repeat(256) }],
    ["with a space", { "idempotency-key": "a b" }],
    ["with a character outside ASCII", { "idempotency-key": "kl\u00e9" }],
  ])("a key that is %s is rejected", async (_what, headers) => {
    const before = await count(creation.path);
    const { status, body } = await create(headers);
    expect([status, body.code, body.message]).toEqual([
      400,
      "validation_failed",
      expect.stringMatching(/^Idempotency-Key: /),
    ]);
    expect(await count(creation.path)).toBe(before);
  });

  test("1. Same key and same body: the first result with 201 and idempotent-replayed", async () => {
    const headers = { "idempotency-key": key };
    const before = await count(creation.path);
    const first = await create(headers);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    await server.settle();
    // White space and the order of keys make no difference.
    const raw = JSON.stringify(Object.fromEntries(Object.entries(creation.body).reverse()), null, 2);
    for (const sent of [{ body: creation.body }, { raw }]) {
      const again = await server.request("POST", creation.path, { ...sent, headers });
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
      expect(again.text).toBe(first.text);
    }
    expect(await count(creation.path)).toBe(before + 1);
  });

  test("2. Same key with a different request: 409 idempotency_conflict", async () => {
    const { status, body } = await create({ "idempotency-key": key }, creation.other);
    expect([status, body.code, body.retryable]).toEqual([409, "idempotency_conflict", false]);
  });

  test.each([
    ["with a field missing", {}],
    ["that is no object", [1]],
    ["with an unknown field", { colour: "red" }],
  ])("2. Same key with an invalid request (%s): 409 idempotency_conflict", async (_what, wrong) => {
    const body =
      Array.isArray(wrong) || Object.keys(wrong).length === 0 ? wrong : { ...creation.body, ...wrong };
    const { status, body: answer } = await create({ "idempotency-key": key }, body);
    expect([status, answer.code]).toEqual([409, "idempotency_conflict"]);
    expect((await create({ "idempotency-key": `${key}-free` }, body)).status).toBe(400);
  });

  test("what is no JSON, too large or of another type has no fingerprint, so its key is not looked up", async () => {
    const sent = (raw: string, type = "application/json") =>
      server.request("POST", creation.path, {
        raw,
        headers: { "idempotency-key": key, "content-type": type },
      });
    const answers = [await sent("{"), await sent(" ".repeat(4_194_305)), await sent("{}", "text/plain")];
    expect(answers.map(({ status }) => status)).toEqual([400, 413, 415]);
  });

  test("a key belongs to one mode and one operation", async () => {
    const headers = { "idempotency-key": key };
    const live = await create(headers, creation.other, server.liveKey);
    expect(live.body.code).not.toBe("idempotency_conflict");
    expect(live.headers.get("idempotent-replayed")).toBeNull();
  });

  test("keys of 1 and of 255 printable characters are accepted", async () => {
    for (const text of ["!", "~", "k".repeat(255)]) {
      const { body } = await create({ "idempotency-key": text }, { merchant: "none" });
      expect(body.message).not.toMatch(/Idempotency-Key/);
    }
  });
});

const requiring = OPERATIONS.filter(({ idempotency }) => idempotency === "required");
test.each(requiring.map(({ id, ...operation }) => [id, operation] as const))(
  "%s needs a key",
  async (_id, { path, example }) => {
    const address = `/api/v1${path.replace("{id}", noId("doc"))}`;
    const { status, body } = await server.request("POST", address, { body: example });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^Idempotency-Key: /)]);
  },
);

describe("Idempotency of several requests", () => {
  test("3. Same key while the first request is still in progress: 409 idempotency_in_progress, with retry-after", async () => {
    const merchant = await server.addMerchant();
    const path = `${MERCHANTS}/${merchant}/connections`;
    const create = () => server.post(path, CONNECT, { headers: { "idempotency-key": "slow" } });
    const { reached, release } = server.block();
    const first = create();
    await reached;
    const second = await create();
    expect([second.status, second.body.code, second.body.retryable]).toEqual([
      409,
      "idempotency_in_progress",
      true,
    ]);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    release();
    const { status, text } = await first;
    expect(status).toBe(201);
    const third = await create();
    expect([third.text, third.headers.get("idempotent-replayed")]).toEqual([text, "true"]);
  });

  test("a replay returns the first response, even after the merchant was changed", async () => {
    const sent = { headers: { "idempotency-key": "changed" } };
    const create = () => server.post(MERCHANTS, { external_id: "changed", name: "Before" }, sent);
    const first = await create();
    const path = `${MERCHANTS}/${first.body.data.id}`;
    await server.request("PATCH", path, { body: { name: "After" } });
    const again = await create();
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    expect((await server.read(path)).name).toBe("After");
  });

  test("the path is part of the request: one key for two merchants' connections is a conflict", async () => {
    const headers = { "idempotency-key": "two-merchants" };
    const connect = async () =>
      server.post(`${MERCHANTS}/${await server.addMerchant()}/connections`, CONNECT, { headers });
    expect((await connect()).status).toBe(201);
    expect((await connect()).body.code).toBe("idempotency_conflict");
  });

  test("one key creates both a document and a merchant", async () => {
    const headers = { "idempotency-key": "two-operations" };
    expect((await server.issue({}, { headers })).status).toBe(201);
    const merchant = { external_id: "two-operations", name: "Shop" };
    expect((await server.post(MERCHANTS, merchant, { headers })).status).toBe(201);
  });

  test("twenty simultaneous requests create one document", async () => {
    const headers = { "idempotency-key": "at-once" };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => server.issue({ provider: "sandbox" }, { headers })),
    );
    const ids = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
    expect(ids.size).toBe(1);
    for (const { status, body } of replies.filter((reply) => reply.status !== 201))
      expect([status, body.code]).toEqual([409, "idempotency_in_progress"]);
  });

  test("4. a rejected request leaves its key free", async () => {
    const headers = { "idempotency-key": "free-again" };
    expect((await server.issue({ provider: "provider_e" }, { headers })).status).toBe(422);
    const { status, headers: told } = await server.issue({ provider: "sandbox" }, { headers });
    expect([status, told.get("idempotent-replayed")]).toEqual([201, null]);
  });
});
