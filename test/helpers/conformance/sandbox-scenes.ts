/** The sandbox simulates the situations itself, as documents request them. */
import type { Scene, SceneClock, Scenes } from "../../../src/providers/adapter-test/describe.ts";
import type { Store } from "../../../storage/database/store.ts";

export function sandboxScenes(store: () => Store): Scenes {
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
    rejects: async (clock) => ({
      ...(await play("rejected")(clock)),
      refusal: {
        code: "203",
        message: "The total gross value is not the sum of net value, VAT and other taxes",
      },
    }),
    refusesCredentials: { cannotHappen: "the sandbox has no credentials" },
    cutsAfter: play("timeout"),
    unreachable: inProcess,
    slow: inProcess,
    cutsBefore: inProcess,
    garbled: inProcess,
    fails: inProcess,
  };
}
