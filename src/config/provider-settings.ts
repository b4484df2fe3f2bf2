/** The settings of providers: built-in ones declare theirs, the others name the module of their adapter. */
import { camelCase, type CamelCase, type Setting, type SettingValue, text } from "../foundation/setting.ts";
import { BUILT_IN_PROVIDERS, type BuiltInSettings, EXTERNAL_PROVIDERS } from "../providers/built-in.ts";

type ExternalSettings = {
  readonly [Id in (typeof EXTERNAL_PROVIDERS)[number] as CamelCase<Id>]: { readonly module: string };
};

/** By provider, in camel case: `registryDirect.liveUrl`, `providerB.module`. */
export type ProviderSettings = BuiltInSettings & ExternalSettings;

const TABLES = [
  ...BUILT_IN_PROVIDERS.map(({ description: { provider, settings } }) => ({ provider, settings })),
  ...EXTERNAL_PROVIDERS.map((provider) => ({ provider, settings: { module: text() } })),
];

/** By path: `providers.registry_direct.live_url`. */
export const PROVIDER_SETTINGS: Readonly<Record<string, Setting>> = Object.fromEntries(
  TABLES.flatMap(({ provider, settings }) =>
    Object.entries<Setting>(settings).map(([name, setting]) => [`providers.${provider}.${name}`, setting]),
  ),
);

/** Reads the settings of every provider; `valueOf` returns the value at a path. */
export function readProviderSettings(valueOf: (path: string) => SettingValue | undefined): ProviderSettings {
  const byProvider = TABLES.map(({ provider, settings }) => {
    const values = Object.keys(settings).map((name) => [
      camelCase(name),
      valueOf(`providers.${provider}.${name}`),
    ]);
    return [camelCase(provider), Object.fromEntries(values)];
  });
  return Object.fromEntries(byProvider) as ProviderSettings;
}

/** The addresses of the built-in providers, with the paths of their settings. */
export function listProviderAddresses(settings: ProviderSettings): [path: string, url: string][] {
  return TABLES.flatMap(({ provider, settings: table }) => {
    const values: Readonly<Record<string, SettingValue>> = settings[camelCase(provider)];
    return Object.entries<Setting>(table)
      .filter(([, { kind }]) => kind.kind === "url")
      .map(([name]): [string, string] => [`providers.${provider}.${name}`, String(values[camelCase(name)])]);
  });
}
