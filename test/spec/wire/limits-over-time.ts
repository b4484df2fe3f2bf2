// docs/contract.md#limits
import { describe, expect, test } from "vitest";
import { deleteExpiredData } from "../../../src/upkeep/retention/retention.ts";
import { CALLS, DOCUMENTS, EVENTS, INSTANT, type Json, REQUESTS, useServer } from "../helpers/bench.ts";
import { REFUSAL } from "../helpers/played-provider.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const server = useServer({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" } });

describe("Limits on stored data", () => {
  test("Timeline: at most 100 events per document, the first and the latest ones", async () => {
    const { id } = await server().finished({ sandbox: "unavailable" });
    const timeline = async () => (await server().read(`${DOCUMENTS}/${id}`)).timeline as Json[];
    const again = async () => {
      await server().post(`${DOCUMENTS}/${id}/retry`, undefined);
      await server().settle();
    };
    for (let round = 0; round < 49; round += 1) await again();
    const whole = await timeline();
    expect(whole).toHaveLength(100);
    await again();
    const after = await timeline();
    expect(after).toHaveLength(100);
    expect([after[0], after.slice(1, 98)]).toEqual([whole[0], whole.slice(3)]);
    expect(after.slice(-2).map(({ type }) => type)).toEqual(["document.retried", "document.failed"]);
    const [event] = await server().read(`${EVENTS}?document=${id}`);
    expect(event.data.object.timeline).toEqual(after);
  });
});

describe("Limits on credentials and bodies", () => {
  test("Disconnected connection: credentials deleted 30 days later, and not before", async () => {
    const merchant = await server().addMerchant();
    const { id } = await server().connect(merchant);
    const body = { play: "lost", later: "away" };
    const document = await server().finished(body, { merchant, provider: "registry_direct" });
    await server().post(`/api/v1/connections/${id}/disconnect`, undefined);
    /** The result of querying the provider about the document now. */
    const asked = async () => {
      await server().settle();
      const [call] = await server().read(`${CALLS}?document=${document.id}`);
      return [call.outcome, call.error.code];
    };
    server().advance(30 * DAY_MS - HOUR_MS);
    await deleteExpiredData(server().appliance);
    expect(await asked()).toEqual(["unknown", "provider_unavailable"]);
    server().advance(2 * HOUR_MS);
    await deleteExpiredData(server().appliance);
    expect(await asked()).toEqual(["rejected", "provider_credentials_invalid"]);
  });

  test("Retention of logged bodies: 30 days for requests, 90 for provider calls and their messages", async () => {
    const merchant = await server().addMerchant();
    await server().connect(merchant);
    const { id } = await server().finished({ play: "rejected" }, { merchant });
    const [call] = await server().read(`${CALLS}?document=${id}`);
    const [request] = await server().readLog(`document=${id}&operation_id=issueDocument`);
    const after = async (days: number) => {
      server().advance(days * DAY_MS);
      await deleteExpiredData(server().appliance);
      return {
        request: await server().read(`${REQUESTS}/${request.id}`),
        call: await server().read(`${CALLS}/${call.id}`),
        error: (await server().read(`${DOCUMENTS}/${id}`)).error,
      };
    };
    const before = await after(29);
    expect([before.request.bodies_purged_at, before.request.request.method]).toEqual([null, "POST"]);
    const month = await after(2);
    expect([month.request.request, month.request.response]).toEqual([null, null]);
    expect(month.request.bodies_purged_at).toMatch(INSTANT);
    expect([month.call.bodies_purged_at, month.call.request.method]).toEqual([null, "POST"]);
    expect(month.error.provider_message).toBe(REFUSAL.message);
    const quarter = await after(60);
    expect([quarter.call.request, quarter.call.response]).toEqual([null, null]);
    expect(quarter.call.bodies_purged_at).toMatch(INSTANT);
    expect(quarter.call.error.provider_message).toBeNull();
    expect(quarter.error).toMatchObject({
      code: "provider_rejected",
      provider_code: REFUSAL.code,
      provider_message: null,
    });
  });
});
