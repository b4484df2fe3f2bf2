// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { changed, type Keys, problemPaths } from "../helpers/canonical.ts";
import { CONNECT, type Json, MERCHANTS, useServer } from "../helpers/bench.ts";

const server = useServer();
const pathOf = (merchant: string) => `${MERCHANTS}/${merchant}/connections`;

const BY_EMAIL = {
  provider: "provider_a",
  credentials: { api_key: "key-of-the-shop", email: "shop@example.com" },
};
const BY_USER = {
  provider: "provider_a",
  credentials: { api_key: "key-of-the-shop", provider_user_id: "user-1" },
};

async function expectTaken(body: unknown): Promise<Json> {
  const { status, body: answer } = await server.post(pathOf(await server.addMerchant()), body);
  expect([status, answer.message]).toEqual([201, undefined]);
  return answer.data;
}

async function expectRefused(body: unknown, path: string): Promise<void> {
  const { status, body: answer } = await server.post(pathOf(server.merchant), body);
  expect([status, answer.code]).toEqual([400, "validation_failed"]);
  expect(problemPaths(answer.message)).toContain(path);
}

/** A credential of 1 to `length` characters: the limit is accepted, one more and an empty text are not. */
async function expectLength(body: unknown, name: string, length: number): Promise<void> {
  const keys: Keys = ["credentials", name];
  for (const text of ["k", "k".repeat(length)]) await expectTaken(changed(body, keys, text));
  for (const text of ["", "k".repeat(length + 1), 7, null])
    await expectRefused(changed(body, keys, text), `credentials.${name}`);
}

describe("POST /api/v1/merchants/{id}/connections", () => {
  test("registry_direct: user_id of 100 characters and subscription_key of 200, both required", async () => {
    expect(await expectTaken(CONNECT)).toMatchObject({ provider: "registry_direct", status: "active" });
    await expectLength(CONNECT, "user_id", 100);
    await expectLength(CONNECT, "subscription_key", 200);
    for (const name of ["user_id", "subscription_key"])
      await expectRefused(changed(CONNECT, ["credentials", name], undefined), `credentials.${name}`);
    // An unknown key may be a misplaced credential, so it is not repeated.
    await expectRefused(changed(CONNECT, ["credentials", "api_key"], "k"), "credentials.(key)");
  });

  test("provider_a: api_key of 200 characters, without white space around it", async () => {
    expect(await expectTaken(BY_EMAIL)).toMatchObject({ provider: "provider_a", status: "active" });
    await expectLength(BY_USER, "api_key", 200);
    for (const key of [" k", "k ", "k\n", "\tk", undefined])
      await expectRefused(changed(BY_USER, ["credentials", "api_key"], key), "credentials.api_key");
  });

  test("provider_a: exactly one of email and provider_user_id", async () => {
    await expectTaken(BY_USER);
    await expectRefused(
      { ...BY_EMAIL, credentials: { ...BY_EMAIL.credentials, ...BY_USER.credentials } },
      "credentials",
    );
    await expectRefused({ ...BY_EMAIL, credentials: { api_key: "k" } }, "credentials");
    await expectLength(BY_USER, "provider_user_id", 100);
    const email = (length: number) => `${"e".repeat(length - 12)}@example.com`;
    await expectTaken(changed(BY_EMAIL, ["credentials", "email"], email(254)));
    for (const wrong of ["", "shop", "shop@", "@example.com", "a b@example.com", email(255)])
      await expectRefused(changed(BY_EMAIL, ["credentials", "email"], wrong), "credentials.email");
  });

  test("provider and credentials are required, and nothing else is accepted", async () => {
    for (const [key, value] of [
      ["provider", undefined],
      ["provider", "provider_f"],
      ["provider", "sandbox"],
      ["credentials", undefined],
      ["credentials", "key"],
    ] as const)
      await expectRefused(changed(CONNECT, [key], value), key);
    await expectRefused({ ...CONNECT, mode: "live" }, "(key)");
  });

  test("a provider without an adapter is rejected, and named, also for a connect session", async () => {
    await expectRefused({ provider: "provider_b", credentials: { token: "t" } }, "provider");
    const path = `${MERCHANTS}/${server.merchant}/connect_sessions`;
    const { status, body } = await server.post(path, { provider: "provider_b" });
    expect([status, body.code, problemPaths(body.message)]).toEqual([400, "validation_failed", ["provider"]]);
  });

  test("a second connection to the same provider in the mode: 409 already_exists", async () => {
    const merchant = await server.addMerchant();
    await server.connect(merchant);
    const { status, body } = await server.post(pathOf(merchant), CONNECT);
    expect([status, body.code, body.retryable]).toEqual([409, "already_exists", false]);
    await server.connect(merchant, { key: server.liveKey });
    await server.connect(merchant, {}, BY_EMAIL);
  });

  test("no response from the provider: 503 service_unavailable, nothing stored, and the key free", async () => {
    const merchant = await server.addMerchant();
    const sent = { headers: { "idempotency-key": "connect-3" } };
    const away = changed(CONNECT, ["credentials", "user_id"], "away");
    const { status, body } = await server.post(pathOf(merchant), away, sent);
    expect([status, body.code, body.retryable]).toEqual([503, "service_unavailable", true]);
    expect(await server.read(pathOf(merchant))).toEqual([]);
    const again = await server.post(pathOf(merchant), CONNECT, sent);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });
});

describe("GET /api/v1/merchants/{id}/connections", () => {
  test("200 with the merchant's connections in the key's mode, newest first, including disconnected ones", async () => {
    const merchant = await server.addMerchant();
    expect(await server.read(pathOf(merchant))).toEqual([]);
    const first = await server.connect(merchant);
    const second = await server.connect(merchant, {}, BY_USER);
    const live = await server.connect(merchant, { key: server.liveKey });
    const { body } = await server.post(`/api/v1/connections/${first.id}/disconnect`, undefined);
    expect(await server.read(pathOf(merchant))).toEqual([second, body.data]);
    expect(await server.read(pathOf(merchant), { key: server.liveKey })).toEqual([live]);
    expect(await server.read(pathOf(await server.addMerchant()))).toEqual([]);
  });
});
