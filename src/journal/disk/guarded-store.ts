/** The store as the product sees it: where the disk lets it down, that is an error which says so, and that it may be tried again. */
import type { Store } from "../../../storage/open.ts";
import type { Space } from "./space-level.ts";

/** `store`, whose writes throw `service_unavailable` where the database cannot be written for now. */
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
    defer: (unit) => guarded(() => store.defer(unit)),
    probe: () => guarded(() => store.probe()),
  };
}
