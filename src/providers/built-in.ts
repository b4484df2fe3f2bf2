/** The providers built into fiscal, one line for each, and the registry of those that this appliance can send to. */
import { type Provider, PROVIDERS } from "../../storage/stored-values.ts";
import type { BuiltInDescription, ProviderAdapter, ProviderRegistry } from "../domain/provider-adapter.ts";
import { camelCase, type CamelCase, type SettingsOf } from "../foundation/setting.ts";
import { PROVIDER_A } from "./provider-a/description.ts";
import { REGISTRY_DIRECT } from "./registry-direct/description.ts";
import { SANDBOX } from "./sandbox/scenes.ts";
import { hasNoAdapter } from "../domain/routing.ts";
import type { Store } from "../../storage/database/store.ts";
import type { Exchange } from "./exchange.ts";

/** What the appliance offers to built-in adapters. */
interface BuiltInHost {
  exchange: Exchange;
  store: Store;
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
  /** The address of this server, without a slash at the end. */
  publicUrl(): string;
  /** `[sandbox] strict`. */
  isSandboxStrict: boolean;
}

interface BuiltInProvider<Description extends BuiltInDescription = BuiltInDescription> {
  readonly description: Description;
  /** Loads and creates the adapter. */
  open(settings: SettingsOf<Description["settings"]>, host: BuiltInHost): Promise<ProviderAdapter>;
}

/** Checks that `open` accepts the settings that `description` declares. */
function builtIn<const Description extends BuiltInDescription>(
  description: Description,
  open: BuiltInProvider<Description>["open"],
): BuiltInProvider<Description> {
  return { description, open };
}

export const BUILT_IN_PROVIDERS = [
  builtIn(SANDBOX, async (_, host) =>
    (await import("./sandbox/sandbox.ts")).createSandbox({ ...host, isStrict: host.isSandboxStrict }),
  ),
  builtIn(REGISTRY_DIRECT, async (settings, host) =>
    (await import("./registry-direct/adapter.ts")).createRegistryDirect({ ...settings, ...host }),
  ),
  builtIn(PROVIDER_A, async (settings, host) =>
    (await import("./provider-a/adapter.ts")).createProviderA({ ...settings, ...host }),
  ),
] as const;

type BuiltIn = (typeof BUILT_IN_PROVIDERS)[number]["description"];
type BuiltInId = BuiltIn["provider"];

/** The values of the built-in providers' settings, under camel-case names: `registryDirect.liveUrl`. */
export type BuiltInSettings = {
  readonly [Id in BuiltInId as CamelCase<Id>]: SettingsOf<Extract<BuiltIn, { provider: Id }>["settings"]>;
};

function isExternal(provider: Provider): provider is Exclude<Provider, BuiltInId> {
  return !BUILT_IN_PROVIDERS.some(({ description }) => description.provider === provider);
}

/** The providers whose adapter is a module named in the configuration (docs/adapters.md). */
export const EXTERNAL_PROVIDERS = PROVIDERS.filter(isExternal);

/** The providers that a merchant can be connected to; the sandbox needs no connection. */
export const CONNECTABLE_PROVIDERS: readonly Provider[] = PROVIDERS.filter(
  (provider) => isExternal(provider) || findDescription(provider)?.credentials !== null,
);

function findDescription(provider: Provider): BuiltInProvider["description"] | undefined {
  return BUILT_IN_PROVIDERS.map(({ description }): BuiltInProvider["description"] => description).find(
    (description) => description.provider === provider,
  );
}

export function openBuiltInProviders(
  settings: BuiltInSettings,
  host: BuiltInHost,
): Promise<ProviderAdapter[]> {
  const providers: readonly BuiltInProvider[] = BUILT_IN_PROVIDERS;
  return Promise.all(
    providers.map(({ description, open }) =>
      open(settings[camelCase(description.provider as BuiltInId)], host),
    ),
  );
}

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
