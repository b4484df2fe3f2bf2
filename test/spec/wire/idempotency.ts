// docs/contract.md#idempotency-records
// docs/contract.md#limits: Idempotency-Key
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { CONNECT, DOCUMENTS, MERCHANTS, type SpecServer, useServer } from "../helpers/bench.ts";

const server = useServer();

/** A creating operation: its path, a body, a different body, and the number of its resources. */
interface Creation {
  path(server: SpecServer): string;
  body(server: SpecServer): unknown;
  other(server: SpecServer): unknown;
  list(server: SpecServer): string;
}

const CREATIONS: [string, Creation][] = [
  [
    "POST /documents",
    {
      path: () => DOCUMENTS,
      body: ({ merchant }) => buildIssueBody(merchant, { provider: "sandbox" }),
      other: ({ merchant }) => buildIssueBody(merchant, { provider: "sandbox", external_reference: "x" }),
      list: () => DOCUMENTS,
    },
  ],
  [
    "POST /merchants",
    {
      path: () => MERCHANTS,
      body: () => ({ external_id: "once", name: "Once" }),
      other: () => ({ external_id: "twice", name: "Twice" }),
      list: () => MERCHANTS,
    },
  ],
  [
    "POST /merchants/{id}/connections",
    {
      path: ({ merchant }) => `${MERCHANTS}/${merchant}/connections`,
      body: () => CONNECT,
      other: () => ({ ...CONNECT, credentials: { ...CONNECT.credentials, user_id: "another" } }),
      list: ({ merchant }) => `${MERCHANTS}/${merchant}/connections`,
    },
  ],
];

const count = async (list: string) => (await server.read(`${list}?limit=100`)).length;

describe.each(CREATIONS)("Idempotency of %s", (name, creation) => {
  const key = `key of ${name}`.replaceAll(/[^a-z]/g, "-");
  const create = (headers: Record<string, string>, body = creation.body(server), mode = server.testKey) =>
    server.request("POST", creation.path(server), { body, headers, key: mode });

  test.each([
    ["missing", {}],
    ["empty", { "idempotency-key": "" }],
    ["256 characters long", { "idempotency-key": "k".repeat(256) }],
    ["with a space", { "idempotency-key": "a b" }],
    ["with a character outside ASCII", { "idempotency-key": "kl\u00e9" }],
  ])("a key that is %s is rejected", async (_what, headers) => {
    const before = await count(creation.list(server));
    const { status, body } = await create(headers);
    expect([status, body.code, body.message]).toEqual([
      400,
      "validation_failed",
      expect.stringMatching(/^Idempotency-Key: /),
    ]);
    expect(await count(creation.list(server))).toBe(before);
  });

  test("1. Same key and same body: the first result with 201 and idempotent-replayed", async () => {
    const headers = { "idempotency-key": key };
    const before = await count(creation.list(server));
    const first = await create(headers);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    await server.settle();
    // White space and the order of keys make no difference.
    const raw = JSON.stringify(
      Object.fromEntries(Object.entries(creation.body(server) as object).reverse()),
      null,
      2,
    );
    for (const sent of [{ body: creation.body(server) }, { raw }]) {
      const again = await server.request("POST", creation.path(server), { ...sent, headers });
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
      expect(again.text).toBe(first.text);
    }
    expect(await count(creation.list(server))).toBe(before + 1);
  });

  test("2. Same key with a different request: 409 idempotency_conflict", async () => {
    const { status, body } = await create({ "idempotency-key": key }, creation.other(server));
    expect([status, body.code, body.retryable]).toEqual([409, "idempotency_conflict", false]);
  });

  test.each([
    ["with a field missing", {}],
    ["that is no object", [1]],
    ["with an unknown field", { colour: "red" }],
  ])("2. Same key with an invalid request (%s): 409 idempotency_conflict", async (_what, wrong) => {
    const body =
      Array.isArray(wrong) || Object.keys(wrong).length === 0
        ? wrong
        : { ...(creation.body(server) as object), ...wrong };
    const { status, body: answer } = await create({ "idempotency-key": key }, body);
    expect([status, answer.code]).toEqual([409, "idempotency_conflict"]);
    expect((await create({ "idempotency-key": `${key}-free` }, body)).status).toBe(400);
  });

  test("what is no JSON, too large or of another type has no fingerprint, so its key is not looked up", async () => {
    const sent = (raw: string, type = "application/json") =>
      server.request("POST", creation.path(server), {
        raw,
        headers: { "idempotency-key": key, "content-type": type },
      });
    const answers = [await sent("{"), await sent(" ".repeat(4_194_305)), await sent("{}", "text/plain")];
    expect(answers.map(({ status }) => status)).toEqual([400, 413, 415]);
  });

  test("a key belongs to one mode and one operation", async () => {
    const headers = { "idempotency-key": key };
    const live = await create(headers, creation.other(server), server.liveKey);
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

describe("Idempotency while the first request is in progress", () => {
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
