/** Puts the fake of the licensed provider into each situation of the conformance suite. */
import {
  nobodyListens,
  type Scene,
  type SceneClock,
  type Scenes,
} from "../../../src/providers/adapter-test/describe.ts";
import { type FakeProviderA, type Fault, startFakeProviderA } from "../fake-provider-a.ts";

const TENANT = {
  apiKey: "key-of-the-shop",
  email: "shop@example.gr",
  userId: "user-4711",
  vat: "123456783",
};

export const PROVIDER_A_CREDENTIALS = { api_key: TENANT.apiKey, provider_user_id: TENANT.userId };

const REFUSAL = { code: "204", message: "counterpart is missing" };

async function open(clock: SceneClock, prepare: (fake: FakeProviderA) => void): Promise<Scene> {
  const fake = await startFakeProviderA({ tenants: [TENANT], nowMs: () => clock.nowMs() });
  prepare(fake);
  return {
    url: fake.url,
    registrations: () => fake.ledger.filter(({ state }) => state !== "refused").length,
    requests: () => fake.requests.length,
    close: () => fake.close(),
  };
}

const meeting = (fault: Fault) => (clock: SceneClock) => open(clock, (fake) => fake.next(fault));

export function providerAScenes(): Scenes {
  return {
    issues: (clock) => open(clock, () => {}),
    accepts: (clock) => open(clock, (fake) => fake.always({ kind: "pending", shape: "short", askings: 1 })),
    rejects: async (clock) => ({
      ...(await meeting({ kind: "authority_refuses", errors: [REFUSAL] })(clock)),
      refusal: REFUSAL,
    }),
    refusesCredentials: (clock) =>
      open(clock, (fake) => {
        fake.tenant().isAdmitted = false;
      }),
    unreachable: () => nobodyListens("/api/v1"),
    slow: meeting({ kind: "hold", done: true }),
    cutsBefore: meeting({ kind: "cut", done: false }),
    cutsAfter: meeting({ kind: "cut", done: true }),
    garbled: meeting({ kind: "garbled", done: true }),
    fails: meeting({ kind: "error", done: true }),
  };
}
