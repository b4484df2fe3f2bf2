// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { AWAY, BY_EMAIL, CONNECT, expectProblem, MERCHANTS, useServer } from "../helpers/bench.ts";

const server = useServer();
const pathOf = (merchant: string) => `${MERCHANTS}/${merchant}/connections`;

const connect = (body: unknown) => server.post(pathOf(server.merchant), body);

const BY_USER = { provider: "provider_a", credentials: { api_key: "k", provider_user_id: "user-1" } };
/** The connection with some credentials changed, or left out if they are undefined. */
const withCredentials = (connection: { credentials: object }, credentials: object) => ({
  ...connection,
  credentials: JSON.parse(JSON.stringify({ ...connection.credentials, ...credentials })),
});

const email = (length: number) => `${"e".repeat(length - 12)}@example.com`;
const texts = (length: number): unknown[] => ["k", "k".repeat(length)];
const noTexts = (length: number): unknown[] => ["", "k".repeat(length + 1), 7, null];

/** A rule of a credential, a connection that has it, values that it may have, and others that it may not. */
const CREDENTIALS: [
  rule: string,
  connection: typeof CONNECT | typeof BY_USER | typeof BY_EMAIL,
  taken: unknown[],
  refused: unknown[],
][] = [
  ["user_id: 100 characters, required", CONNECT, texts(100), [...noTexts(100), undefined]],
  ["subscription_key: 200 characters, required", CONNECT, texts(200), [...noTexts(200), undefined]],
  [
    "api_key: 200 characters without white space around them, required",
    BY_USER,
    texts(200),
    [...noTexts(200), " k", "k ", "k\n", "\tk", undefined],
  ],
  ["provider_user_id: 100 characters", BY_USER, texts(100), noTexts(100)],
  [
    "email: an address of 254 characters",
    BY_EMAIL,
    [email(254)],
    ["", "shop", "shop@", "@example.com", "a b@example.com", email(255)],
  ],
];

describe("POST /api/v1/merchants/{id}/connections", () => {
  test.each(CREDENTIALS)("%s", async (rule, connection, taken, refused) => {
    const [name = ""] = rule.split(":");
    for (const value of taken) {
      const { status, body } = await server.post(
        pathOf(await server.addMerchant()),
        withCredentials(connection, { [name]: value }),
      );
      expect([status, body.message]).toEqual([201, undefined]);
      expect(body.data).toMatchObject({ provider: connection.provider, status: "active" });
    }
    for (const value of refused)
      expectProblem(await connect(withCredentials(connection, { [name]: value })), `credentials.${name}`);
  });

  test.each<[what: string, body: unknown, path: string]>([
    ["without a provider", { ...CONNECT, provider: undefined }, "provider"],
    ["to a provider that is not one", { ...CONNECT, provider: "provider_f" }, "provider"],
    ["to the sandbox", { ...CONNECT, provider: "sandbox" }, "provider"],
    ["to a provider without an adapter", { provider: "provider_b", credentials: { token: "t" } }, "provider"],
    ["without credentials", { ...CONNECT, credentials: undefined }, "credentials"],
    ["with credentials that are a text", { ...CONNECT, credentials: "key" }, "credentials"],
    [
      "with both of email and provider_user_id",
      withCredentials(BY_EMAIL, BY_USER.credentials),
      "credentials",
    ],
    ["with neither of them", { ...BY_EMAIL, credentials: { api_key: "k" } }, "credentials"],
    // An unknown key may be a misplaced credential, so it is not repeated.
    ["with an unknown credential", withCredentials(CONNECT, { api_key: "k" }), "credentials.(key)"],
    ["with an unknown field", { ...CONNECT, mode: "live" }, "(key)"],
  ])("a connection %s is rejected", async (_what, body, path) => {
    expectProblem(await connect(body), path);
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
    const { status, body } = await server.post(pathOf(merchant), AWAY, sent);
    expect([status, body.code, body.retryable]).toEqual([503, "service_unavailable", true]);
    expect(await server.read(pathOf(merchant))).toEqual([]);
    const again = await server.post(pathOf(merchant), CONNECT, sent);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });
});

test("GET /api/v1/merchants/{id}/connections: 200 with the merchant's connections in the key's mode, newest first, including disconnected ones", async () => {
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
