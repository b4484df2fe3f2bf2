/** Calls outside the queue whose process died (docs/contract.md#leases). */
import { expect, test } from "vitest";
import { createConnection } from "../../src/connections/connections.ts";
import { getProviderCall, listProviderCalls } from "../../src/logs/list-calls.ts";
import { CAUSE, openBench } from "../helpers/appliance.ts";
import { createScriptedProvider } from "../helpers/scripted-provider.ts";

const MINUTE_MS = 60_000;

test("a verification without an outcome is ended after ten minutes, not before", async () => {
  const field = { name: "key", label: "key", secret: true, required: true, lengthMax: 20 };
  const { adapter } = createScriptedProvider({ credentials: { fields: [field] } });
  const never = { ...adapter, verify: () => new Promise<never>(() => {}) };
  const bench = await openBench({ adapters: [never] });
  try {
    const { appliance } = bench;
    const body = { provider: adapter.provider, credentials: { key: "4711" } };
    void createConnection(appliance, await bench.makeMerchant(), body, CAUSE);
    const calls = async () => (await listProviderCalls(appliance, "test", { limit: 10 })).data;
    await expect.poll(calls).toHaveLength(1);
    const read = async () => getProviderCall(appliance, "test", (await calls())[0]!.id);
    for (const [minutes, duration] of [
      [9, 0],
      [2, 11 * MINUTE_MS],
    ] as const) {
      bench.advance(minutes * MINUTE_MS);
      await appliance.issuing.rescue();
      expect(await read()).toMatchObject({ outcome: "unknown", duration_ms: duration });
    }
    expect((await read()).error).toMatchObject({ code: "internal_error" });
  } finally {
    await bench.close();
  }
});
