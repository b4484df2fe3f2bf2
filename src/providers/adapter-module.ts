/**
 * Adapters from outside: `[providers.provider_b] module = "./my-adapter.js"` names a file that makes one (docs/adapters.md). It
 * runs inside this process with everything that the process may do; it is checked for its shape, not for its intentions.
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Provider } from "../../storage/stored-values.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Exchange } from "./exchange.ts";
import { findShapeProblems } from "./adapter-shape.ts";

/** What an adapter may use of the appliance. */
export interface AdapterHost {
  /** The name under which it is configured: what its `provider` has to be. */
  provider: Provider;
  /** HTTP with its evidence. Whoever asks a provider by other means records what it does on the call's recorders. */
  exchange: Exchange;
  /** The day in Athens, `YYYY-MM-DD`. */
  today(): string;
  /** Of the contract that this appliance keeps; it rises with what an adapter has to do. */
  contractVersion: 1;
}

/** What a module exports, as `createAdapter` or as its default. */
export type CreateAdapter = (host: AdapterHost) => ProviderAdapter | Promise<ProviderAdapter>;

/** Where the adapter of a provider comes from. */
export interface ModuleSource {
  provider: Provider;
  /** As the configuration names it. */
  module: string;
  /** What a relative path is relative to: the folder of the configuration file, or the current one. */
  folder: string;
}

/** Loads the module and makes its adapter. Throws ConfigurationError, which names the setting and what is to be done. */
export async function loadAdapter(
  { provider, module, folder }: ModuleSource,
  host: Pick<AdapterHost, "exchange" | "today">,
): Promise<ProviderAdapter> {
  const file = resolve(folder, module);
  const setting = `providers.${provider}.module`;
  const createAdapter = findFactory(loadFile(file, setting));
  if (createAdapter === undefined) {
    throw new ConfigurationError(
      `${setting} names ${file}, which exports no function createAdapter (docs/adapters.md)`,
    );
  }
  const adapter = await make(createAdapter, file, setting, { ...host, provider, contractVersion: 1 });
  const problems = findShapeProblems(adapter, provider);
  if (problems.length > 0) {
    throw new ConfigurationError(
      `The adapter of ${setting} (${file}) does not fit the contract: ${problems.join("; ")} (docs/adapters.md)`,
    );
  }
  return adapter as ProviderAdapter;
}

/** Also ES modules: Node requires them, unless they await at their top. The bundle has no import() of its own. */
function loadFile(file: string, setting: string): unknown {
  try {
    return createRequire(file)(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new ConfigurationError(`${setting} names ${file}, which cannot be loaded: ${reason}`, { cause });
  }
}

function findFactory(loaded: unknown): CreateAdapter | undefined {
  if (typeof loaded === "function") return loaded as CreateAdapter;
  if (typeof loaded !== "object" || loaded === null) return undefined;
  const { createAdapter, default: main } = loaded as { createAdapter?: unknown; default?: unknown };
  const found = createAdapter ?? main;
  return typeof found === "function" ? (found as CreateAdapter) : undefined;
}

async function make(
  createAdapter: CreateAdapter,
  file: string,
  setting: string,
  host: AdapterHost,
): Promise<unknown> {
  try {
    return await createAdapter(host);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`The adapter of ${setting} (${file}) could not be made: ${reason}`, {
      cause,
    });
  }
}
