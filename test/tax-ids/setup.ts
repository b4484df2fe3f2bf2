/** Opens lookups against the fake EU registry, with their own database and clock. */
import type { Store } from "../../storage/database/store.ts";
import { createTaxIds } from "../../src/tax-ids/lookup.ts";
import type { TaxIds } from "../../src/domain/tax-number.ts";
import { openBench } from "../helpers/appliance.ts";
import { startFakeVies } from "../helpers/fake-vies.ts";

export interface LookupOptions {
  store?: Store;
  url?: string;
  timeoutSeconds?: number;
  cacheHours?: number;
  retryPauseMs?: number;
}

/** Longer than any test without its own timeout. */
const TIMEOUT_SECONDS = 15;

export async function openTaxIds(options: LookupOptions = {}) {
  const bench = await openBench();
  const vies = await startFakeVies();
  const opened: TaxIds[] = [];

  function open(more: LookupOptions = {}): TaxIds {
    const { store, clock } = bench.appliance;
    const { log } = bench.appliance;
    const deps = { store, clock, log, registryUrl: more.url ?? vies.url };
    const limits = { timeoutSeconds: TIMEOUT_SECONDS, cacheHours: 24, retryPauseMs: 0 };
    const taxIds = createTaxIds({ ...deps, ...limits, ...more });
    opened.push(taxIds);
    return taxIds;
  }

  return {
    bench,
    vies,
    taxIds: open(options),
    /** Opens lookups on the same database, like another process. */
    open,
    /** Resolves once the answers are on disk, which happens with the next write. */
    isKept: () => bench.appliance.store.flush(),
    async close() {
      for (const taxIds of opened) await taxIds.close();
      await bench.close();
      await vies.close();
    },
  };
}
