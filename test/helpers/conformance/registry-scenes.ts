/** Puts the fake tax authority into each situation of the conformance suite. */
import {
  nobodyListens,
  type Scene,
  type SceneClock,
  type Scenes,
} from "../../../src/providers/adapter-test/describe.ts";
import type { Fault } from "../fake-registry/faults.ts";
import type { Trouble } from "../gateway-troubles.ts";
import { type FakeRegistry, startFakeRegistry } from "../fake-registry/server.ts";

export const REGISTRY_CREDENTIALS = { user_id: "user-of-the-shop", subscription_key: "key-of-the-shop" };

const ACCOUNT = { userId: "user-of-the-shop", key: "key-of-the-shop", vat: "123456783" };
const REFUSAL = { code: "203", message: "Το σύνολο δεν συμφωνεί" };

/** The tax number of the suite's documents. */
const SERIES = "TIM";

async function open(clock: SceneClock, prepare: (registry: FakeRegistry) => void): Promise<Scene> {
  const registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], nowMs: () => clock.nowMs() });
  prepare(registry);
  return {
    url: registry.url,
    registrations: () => registry.ledger.length,
    requests: () => registry.requests.length,
    close: () => registry.close(),
  };
}

const meeting = (fault: Fault | Trouble) => (clock: SceneClock) =>
  open(clock, (registry) => registry.next("SendInvoices", fault));

export function registryScenes(): Scenes {
  return {
    issues: (clock) => open(clock, () => {}),
    accepts: { cannotHappen: "the authority gives the MARK with its answer" },
    rejects: async (clock) => ({
      ...(await open(clock, (registry) => registry.refuse(SERIES, REFUSAL.code, REFUSAL.message))),
      refusal: REFUSAL,
    }),
    refusesCredentials: (clock) =>
      open(clock, (registry) => {
        registry.accounts.length = 0;
      }),
    unreachable: () => nobodyListens(),
    slow: meeting({ kind: "hold" }),
    cutsBefore: meeting("cut before filing"),
    cutsAfter: meeting("cut after filing"),
    garbled: meeting("garbled after filing"),
    fails: meeting("500 after filing"),
  };
}
