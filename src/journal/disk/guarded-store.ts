/** Wraps the store so that a failing disk or database becomes a retryable `service_unavailable`. */
import type { Store } from "../../../storage/database/store.ts";
import type { Space } from "./space-level.ts";

/** Returns `store` with writes that throw `service_unavailable` while the database cannot be written. */
export function guardStore(store: Store, space: Space): Store {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      space.requirePlace();
      const value = await work();
      space.wrote();
      return value;
    } catch (error) {
      throw space.explain(error) ?? error;
    }
  }
  return {
    ...store,
    write: (unit) => guarded(() => store.write(unit)),
    add: (kind, item) => guarded(() => store.add(kind, item)),
    defer: (kind, item) => guarded(() => store.defer(kind, item)),
    probe: () => guarded(() => store.probe()),
  };
}
