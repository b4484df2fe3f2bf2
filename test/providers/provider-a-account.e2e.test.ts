/** The account at the licensed provider: connecting, its token, credentials that are withdrawn. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listConnections, verifyConnection } from "../../src/connections/connections.ts";
import { listEvents } from "../../src/journal/list-events.ts";
import {
  API_KEY,
  CAUSE,
  EMAIL,
  openProviderABench,
  type ProviderABench,
  USER_ID,
} from "../helpers/provider-a-bench.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let bench: ProviderABench;
beforeEach(async () => {
  bench = await openProviderABench();
});
afterEach(() => bench.close());

describe("connecting", () => {
  test.each([
    ["the email", { api_key: API_KEY, email: EMAIL }],
    ["the user id", { api_key: API_KEY, provider_user_id: USER_ID }],
  ])("with %s is verified by a login and the account", async (_name, credentials) => {
    const now = bench.appliance.clock.now();
    expect(await bench.connect(credentials)).toMatchObject({
      provider: "provider_a",
      status: "active",
      verified_at: now,
      last_error: null,
    });
    expect(bench.asked()).toEqual(["POST /login", "GET /tenant_details"]);
  });

  test.each([200, 401, 422])(
    "with a wrong key is invalid, whether the refusal comes as HTTP %i",
    async (status) => {
      bench.fake.habits.loginRefusalStatus = status;
      expect(await bench.connect({ api_key: "sk_wrong_key", email: EMAIL })).toMatchObject({
        status: "invalid",
        verified_at: null,
        last_error: {
          code: "provider_credentials_invalid",
          provider_message: "Not valid user",
          retryable: false,
        },
      });
      expect(bench.asked()).toEqual(["POST /login"]);
    },
  );

  test.each(["POST /login", "GET /tenant_details"])(
    "without a clear answer of %s stores nothing, and can be tried again",
    async (on) => {
      for (const fault of [
        { kind: "cut", done: true },
        { kind: "error", done: false },
        { kind: "html", done: false },
      ] as const) {
        bench.fake.next({ ...fault, on });
        await expect(bench.connect()).rejects.toMatchObject({ code: "service_unavailable", retryable: true });
      }
      expect((await listConnections(bench.appliance, "test", bench.merchant, { limit: 10 })).data).toEqual(
        [],
      );
      expect(await bench.connect()).toMatchObject({ status: "active" });
    },
  );

  test("to an account without a plan is accepted: the credentials are right", async () => {
    bench.fake.tenant().hasPlan = false;
    expect(await bench.connect()).toMatchObject({ status: "active" });
  });
});

describe("the token", () => {
  test("serves every document of the account for a day, and is renewed before it ends", async () => {
    const { fake, advance, connect } = bench;
    await connect();
    for (let count = 0; count < 3; count += 1) await bench.issue("11.1");
    advance(DAY_MS - 2 * 3_600_000);
    await bench.issue("11.1", { issue_date: "2026-11-22" });
    expect(fake.count("POST /login")).toBe(1);
    advance(3_600_000 + 60_000);
    await bench.issue("11.1", { issue_date: "2026-11-22" });
    expect(fake.count("POST /login")).toBe(2);
    expect(fake.tokens()).toHaveLength(2);
    expect(fake.ledger).toHaveLength(5);
  });

  test("that ends on the way is replaced once, and the document sent once more: it had not been taken", async () => {
    const { fake, connect, get } = bench;
    await connect();
    await bench.issue("11.1");
    fake.expireTokens();
    const start = fake.requests.length;
    expect(await get(await bench.issue("11.1"))).toMatchObject({ status: "issued", number: 2 });
    expect(bench.asked(start)).toEqual(["POST /invoices", "POST /login", "POST /invoices"]);
  });

  test("is asked for once by documents that come together", async () => {
    const { fake, connect, accept, settle } = bench;
    await connect();
    fake.expireTokens();
    await Promise.all(Array.from({ length: 8 }, () => accept("11.1")));
    await settle();
    expect(fake.ledger).toHaveLength(8);
    expect(fake.count("POST /login")).toBe(2);
  });

  test("is asked for in a call of its own, of purpose auth, without bodies and without a verdict", async () => {
    const { connect, calls, fake, advance } = bench;
    await connect();
    advance(DAY_MS);
    const id = await bench.issue("11.1", { issue_date: "2026-11-22" });
    const logins = (await calls()).filter(({ purpose }) => purpose === "auth");
    expect(logins).toHaveLength(2);
    const common = {
      purpose: "auth",
      outcome: "ok",
      http_status: 200,
      settled_at: null,
      body_id: null,
      error_json: null,
      open: 0,
    };
    expect(logins).toMatchObject([
      { ...common, operation: "verify", document_id: null, url: `${fake.url}/login` },
      { ...common, operation: "issue", document_id: id, url: `${fake.url}/login` },
    ]);
    for (const { connection_id: connection } of logins) expect(connection).toMatch(/^con_/);
  });
});

describe("credentials that are withdrawn", () => {
  test("park the documents; nothing is asked until they are verified, then all are issued", async () => {
    const { appliance, fake, connect, accept, settle, get, advance } = bench;
    const { id: connection } = await connect();
    fake.tenant().isAdmitted = false;
    fake.expireTokens();
    const ids = [await accept("11.1"), await accept("11.1"), await accept("2.1")];
    await settle();
    const start = fake.requests.length;
    advance(3_600_000);
    await settle();
    expect(bench.asked(start)).toEqual([]);
    for (const id of ids)
      expect(await get(id)).toMatchObject({ status: "pending", stage: "queued", error: null });
    const { data: invalid } = await listEvents(appliance, "test", {
      limit: 10,
      type: ["connection.invalid"],
    });
    expect(invalid).toMatchObject([
      {
        data: {
          object: { id: connection, status: "invalid", last_error: { code: "provider_credentials_invalid" } },
        },
      },
    ]);
    expect(await verifyConnection(appliance, connection, CAUSE)).toMatchObject({ status: "invalid" });
    fake.tenant().isAdmitted = true;
    expect(await verifyConnection(appliance, connection, CAUSE)).toMatchObject({
      status: "active",
      last_error: null,
    });
    await settle();
    for (const id of ids) expect(await get(id)).toMatchObject({ status: "issued" });
    expect(fake.ledger).toHaveLength(3);
  });

  test("while a lost answer is looked for leave it looked for, and it is found afterwards", async () => {
    const { appliance, fake, connect, accept, settle, get, advance, workOff } = bench;
    const { id: connection } = await connect();
    fake.next({ kind: "cut", done: true });
    const id = await accept("11.1");
    await settle();
    fake.tenant().isAdmitted = false;
    fake.expireTokens();
    advance(2300);
    await settle();
    expect(await get(id)).toMatchObject({ stage: "reconciling" });
    fake.tenant().isAdmitted = true;
    await verifyConnection(appliance, connection, CAUSE);
    expect(await workOff([id])).toMatchObject([{ status: "issued", mark: fake.ledger[0]!.mark }]);
    expect(fake.count("POST /invoices")).toBe(1);
  });

  test("are found out by verifying, though a token would still do", async () => {
    const { appliance, fake, connect } = bench;
    const { id } = await connect();
    fake.tenant().isAdmitted = false;
    expect(await verifyConnection(appliance, id, CAUSE)).toMatchObject({
      status: "invalid",
      last_error: { provider_message: "Not valid user" },
    });
  });
});
