/** Puts each provider, or the fake of it, into each situation of the conformance suite. */
import {
  nobodyListens,
  type Scene,
  type SceneClock,
  type Scenes,
} from "../../src/providers/adapter-test/describe.ts";
import type { Store } from "../../storage/database/store.ts";
import { type Fault as FaultOfProviderA, startFakeProviderA } from "./fake-provider-a.ts";
import type { Fault as FaultOfRegistry } from "./fake-registry/faults.ts";
import { startFakeRegistry } from "./fake-registry/server.ts";

/** The tax number and series of the suite's documents. */
const [VAT, SERIES] = ["123456783", "TIM"];

export const REGISTRY_CREDENTIALS = { user_id: "user-of-the-shop", subscription_key: "key-of-the-shop" };

interface Fake {
  url: string;
  ledger: readonly unknown[];
  requests: readonly unknown[];
  close(): Promise<void>;
}

/** Starts the fake that `prepare` prepares. */
const opening =
  <F extends Fake>(start: (clock: SceneClock) => Promise<F>) =>
  (prepare: (fake: F) => unknown = () => {}) =>
  async (clock: SceneClock): Promise<Scene> => {
    const fake = await start(clock);
    prepare(fake);
    return {
      url: fake.url,
      registrations: () => fake.ledger.length,
      requests: () => fake.requests.length,
      close: () => fake.close(),
    };
  };

export function registryScenes(): Scenes {
  const refusal = { code: "203", message: "Το σύνολο δεν συμφωνεί" };
  const { user_id: userId, subscription_key: key } = REGISTRY_CREDENTIALS;
  const open = opening((clock) =>
    startFakeRegistry({ accounts: [{ userId, key, vat: VAT }], nowMs: () => clock.nowMs() }),
  );
  const meeting = (fault: FaultOfRegistry) => open((registry) => registry.next("SendInvoices", fault));
  const refusing = open((registry) => registry.refuse(SERIES, refusal.code, refusal.message));
  return {
    issues: open(),
    accepts: { cannotHappen: "the authority gives the MARK with its answer" },
    rejects: async (clock) => ({ ...(await refusing(clock)), refusal }),
    refusesCredentials: open((registry) => void (registry.accounts.length = 0)),
    unreachable: () => nobodyListens(),
    slow: meeting("hangs after filing"),
    cutsBefore: meeting("cut before filing"),
    cutsAfter: meeting("cut after filing"),
    garbled: meeting("garbled after filing"),
    fails: meeting("500 after filing"),
  };
}

export const PROVIDER_A_CREDENTIALS = { api_key: "key-of-the-shop", provider_user_id: "user-4711" };

export function providerAScenes(): Scenes {
  const refusal = { code: "204", message: "counterpart is missing" };
  const { api_key: apiKey, provider_user_id: userId } = PROVIDER_A_CREDENTIALS;
  const tenant = { apiKey, userId, email: "shop@example.gr", vat: VAT };
  const open = opening((clock) => startFakeProviderA({ tenants: [tenant], nowMs: () => clock.nowMs() }));
  const meeting = (fault: FaultOfProviderA) => open((fake) => fake.next(fault));
  const refusing = meeting({ kind: "authority_refuses", errors: [refusal] });
  return {
    issues: open(),
    accepts: open((fake) => fake.always({ kind: "pending", shape: "short", askings: 1 })),
    rejects: async (clock) => ({ ...(await refusing(clock)), refusal }),
    refusesCredentials: open((fake) => void (fake.tenant().isAdmitted = false)),
    unreachable: () => nobodyListens("/api/v1"),
    slow: meeting({ kind: "hold", done: true }),
    cutsBefore: meeting({ kind: "cut", done: false }),
    cutsAfter: meeting({ kind: "cut", done: true }),
    garbled: meeting({ kind: "garbled", done: true }),
    fails: meeting({ kind: "error", done: true }),
  };
}

/** The sandbox simulates the situations itself, as documents request them. */
export function sandboxScenes(store: () => Store): Scenes {
  const refusal = {
    code: "203",
    message: "The total gross value is not the sum of net value, VAT and other taxes",
  };
  const count = async () =>
    (await store().read.query((db) => db.selectFrom("sandbox_filings").select("id"))).length;
  const play = (scene: string) => async (_clock: SceneClock) => {
    const before = await count();
    return {
      url: "http://sandbox.example",
      registrations: async () => (await count()) - before,
      requests: () => 0,
      adapt: (document) => ({ ...document, metadata: { sandbox: scene } }),
      close: async () => {},
    } satisfies Scene;
  };
  const inProcess = { cannotHappen: "the sandbox is in the process: there is no connection" };
  return {
    issues: { cannotHappen: "the sandbox gives its MARK at the first asking" },
    accepts: play("issued"),
    rejects: async (clock) => ({ ...(await play("rejected")(clock)), refusal }),
    refusesCredentials: { cannotHappen: "the sandbox has no credentials" },
    cutsAfter: play("timeout"),
    unreachable: inProcess,
    slow: inProcess,
    cutsBefore: inProcess,
    garbled: inProcess,
    fails: inProcess,
  };
}
