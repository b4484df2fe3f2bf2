/** Connecting a merchant to provider_a, its token, and revoked credentials. */
import { describe, expect, test } from "vitest";
import { listConnections, verifyConnection } from "../../../src/connections/connections.ts";
import { listEvents } from "../../../src/journal/list-events.ts";
import { CAUSE } from "../../helpers/appliance.ts";
import { API_KEY, EMAIL, openProviderABench, USER_ID } from "../../helpers/provider-a-bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openProviderABench);

describe("connecting", () => {
  test.each([
    ["the email", { api_key: API_KEY, email: EMAIL }],
    ["the user id", { api_key: API_KEY, provider_user_id: USER_ID }],
  ])("with %s is verified by logging in and reading the account", async (_name, credentials) => {
    const now = bench.appliance.clock.now();
    expect(await bench.connect(credentials)).toMatchObject({
      provider: "provider_a",
      status: "active",
      verified_at: now,
      last_error: null,
    });
    expect(bench.asked()).toEqual(["POST /login", "GET /tenant_details"]);
  });

  test.each(["POST /login", "GET /tenant_details"])(
    "stores nothing if %s gets no clear response, and can be repeated",
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
});

describe("revoked credentials", () => {
  test("stop sending until they are verified, then all documents are issued", async () => {
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

  test("leave a document reconciling until they are verified", async () => {
    const { appliance, fake, connect, accept, settle, get, advance, processAll } = bench;
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
    expect(await processAll([id])).toMatchObject([{ status: "issued", mark: fake.ledger[0]!.mark }]);
    expect(fake.count("POST /invoices")).toBe(1);
  });
});
