/** Which providers this appliance can send to. */
import type { Provider } from "../../storage/schema.ts";
import { AppError } from "../errors.ts";
import type { ProviderAdapter } from "./adapter.ts";

export interface ProviderRegistry {
  find(provider: Provider): ProviderAdapter | undefined;
  /** Throws `not_supported` for a provider that no adapter is configured for. */
  get(provider: Provider): ProviderAdapter;
  all(): readonly ProviderAdapter[];
}

/** The last adapter of a provider is the one. */
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
