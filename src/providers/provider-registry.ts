/** The providers that this appliance can send to. */
import { AppError } from "../foundation/errors.ts";
import type { ProviderAdapter, ProviderRegistry } from "../domain/provider-adapter.ts";

/** A later adapter replaces an earlier one of the same provider. */
export function createProviderRegistry(adapters: readonly ProviderAdapter[]): ProviderRegistry {
  const byProvider = new Map(adapters.map((adapter) => [adapter.provider, adapter]));
  return {
    find: (provider) => byProvider.get(provider),
    get(provider) {
      const adapter = byProvider.get(provider);
      if (adapter === undefined) {
        throw new AppError(
          "not_supported",
          `This appliance has no adapter for the provider ${provider}; name its module under [providers.${provider}] in the configuration`,
        );
      }
      return adapter;
    },
    all: () => [...byProvider.values()],
  };
}
