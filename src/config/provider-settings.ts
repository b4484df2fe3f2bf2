/** The settings of providers: built-in ones declare theirs, the others name the module of their adapter. */
import {
  type SettingsTable,
  type CamelCase,
  type SettingValue,
  camelCase,
  text,
} from "../foundation/setting.ts";
import { BUILT_IN_PROVIDERS, type BuiltInSettings, EXTERNAL_PROVIDERS } from "../providers/built-in.ts";

type ExternalSettings = {
  readonly [Id in (typeof EXTERNAL_PROVIDERS)[number] as CamelCase<Id>]: { readonly module: string };
};

/** By provider, in camel case: `registryDirect.liveUrl`, `providerB.module`. */
export type ProviderSettings = BuiltInSettings & ExternalSettings;

const EXTERNAL: SettingsTable = {
  module: text(
    "",
    "Module of an external adapter (docs/adapters.md): its path, relative to the folder of the configuration file. Empty: the provider is not available.",
  ),
};

/** By provider: `registry_direct`. */
export const PROVIDER_TABLES: Readonly<Record<string, SettingsTable>> = Object.fromEntries([
  ...BUILT_IN_PROVIDERS.map(({ description: { provider, settings } }) => [provider, settings]),
  ...EXTERNAL_PROVIDERS.map((provider) => [provider, EXTERNAL]),
]);

/** The addresses of the built-in providers, with the paths of their settings. */
export function listProviderAddresses(settings: ProviderSettings): [path: string, url: string][] {
  const byProvider: Readonly<Record<string, Readonly<Record<string, SettingValue>>>> = settings;
  return Object.entries(PROVIDER_TABLES).flatMap(([provider, table]) =>
    Object.entries(table)
      .filter(([, { kind }]) => kind.kind === "url")
      .map(([name]): [string, string] => [
        `providers.${provider}.${name}`,
        String(byProvider[camelCase(provider)]?.[camelCase(name)]),
      ]),
  );
}
