// docs/contract.md#limits
import { describe, expect, test } from "vitest";
import { deleteExpiredData } from "../../../src/upkeep/retention/retention.ts";
import { startFakeVies } from "../../helpers/fake-vies.ts";
import {
  CALLS,
  DOCUMENTS,
  EVENTS,
  INSTANT,
  type Json,
  MERCHANTS,
  openSpecServer,
  REQUESTS,
  useServer,
} from "../helpers/bench.ts";
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

  test("provider_raw: 4096 bytes of JSON, then replaced by a marker", async () => {
    await server().connect();
    const rawOf = async (bytes: number) =>
      (await server().finished({ play: "rejected", raw_bytes: String(bytes) })).error.provider_raw;
    expect(Buffer.byteLength(JSON.stringify(await rawOf(4096)))).toBe(4096);
    expect(await rawOf(4097)).toEqual({ truncated: true, bytes: 4097 });
  });

  test("Reuse of a lookup's result: up to one day", async () => {
    const vies = await startFakeVies();
    const own = await openSpecServer({ env: { FISCAL_TAX_IDS__REGISTRY_URL: vies.url } });
    try {
      const look = async () => {
        const path = "/api/v1/tax_ids/lookup?country=GR&code=094012834";
        const { checked_at: checkedAt } = await own.read(path, { key: own.liveKey });
        await own.flush();
        return checkedAt;
      };
      const first = await look();
      own.advance(DAY_MS - 1000);
      expect([await look(), vies.asked.length]).toEqual([first, 1]);
      own.advance(2000);
      expect(Date.parse(await look()) - Date.parse(first)).toBeGreaterThanOrEqual(DAY_MS);
      expect(vies.asked.length).toBe(2);
    } finally {
      await own.close();
      await vies.close();
    }
  });

  test("Connect session: link valid 30 minutes", async () => {
    const path = `${MERCHANTS}/${server().merchant}/connect_sessions`;
    const { id, url, created, expires_at: expiresAt } = (await server().post(path, {})).body.data;
    expect(Date.parse(expiresAt) - Date.parse(created)).toBe(HOUR_MS / 2);
    const visit = async () => (await server().get(new URL(url).pathname, { key: null })).status;
    server().advance(HOUR_MS / 2 - 1000);
    expect(await visit()).toBe(200);
    server().advance(1000);
    expect(await visit()).toBe(410);
    expect((await server().read(`/api/v1/connect_sessions/${id}`)).completed_at).toBeNull();
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
