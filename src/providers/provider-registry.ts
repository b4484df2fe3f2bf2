/** The providers that this appliance can send to. */
import { hasNoAdapter } from "../domain/routing.ts";
import type { ProviderAdapter, ProviderRegistry } from "../domain/provider-adapter.ts";

/** A later adapter replaces an earlier one of the same provider. */
export function createProviderRegistry(adapters: readonly ProviderAdapter[]): ProviderRegistry {
  const byProvider = new Map(adapters.map((adapter) => [adapter.provider, adapter]));
  return {
    find: (provider) => byProvider.get(provider),
    get(provider) {
      const adapter = byProvider.get(provider);
      if (adapter === undefined) throw hasNoAdapter(provider);
      return adapter;
    },
    all: () => [...byProvider.values()],
  };
}
