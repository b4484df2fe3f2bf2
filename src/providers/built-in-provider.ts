/** The declaration of a built-in provider: its description, and how its adapter is opened. */
import type { Store } from "../../storage/database/store.ts";
import type { ProviderAdapter, ProviderDescription } from "../domain/provider-adapter.ts";
import type { SettingsOf, SettingsTable } from "../foundation/setting.ts";
import type { Exchange } from "./exchange.ts";

/** The description of a built-in provider, with its settings under `[providers.<id>]`. */
export interface BuiltInDescription extends ProviderDescription {
  readonly settings: SettingsTable;
}

/** What the appliance offers to built-in adapters. */
export interface BuiltInHost {
  exchange: Exchange;
  store: Store;
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
  /** The address of this server, without a slash at the end. */
  publicUrl(): string;
  /** `[sandbox] strict`. */
  isSandboxStrict: boolean;
}

export interface BuiltInProvider<Description extends BuiltInDescription = BuiltInDescription> {
  readonly description: Description;
  /** Loads and creates the adapter. */
  open(settings: SettingsOf<Description["settings"]>, host: BuiltInHost): Promise<ProviderAdapter>;
}

/** Checks that `open` accepts the settings that `description` declares. */
export function builtIn<const Description extends BuiltInDescription>(
  description: Description,
  open: BuiltInProvider<Description>["open"],
): BuiltInProvider<Description> {
  return { description, open };
}
