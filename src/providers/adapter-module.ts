/**
 * Loads external adapters: `[providers.provider_b] module = "./my-adapter.js"` names a file that creates one
 * (docs/adapters.md). It runs in this process with all its rights; its shape is checked, its behaviour is not.
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Provider } from "../../storage/stored-values.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { joinTexts, SEMICOLON } from "../foundation/text.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Exchange } from "./exchange.ts";
import { requireTrustedFile } from "../foundation/trusted-file.ts";
import { findShapeProblems } from "./adapter-shape.ts";

/** What the appliance offers an adapter. */
export interface AdapterHost {
  /** The provider it is configured for, which its `provider` must equal. */
  provider: Provider;
  /** HTTP with evidence. An adapter that uses anything else must record it with the recorders of the call. */
  exchange: Exchange;
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
  /** The version of the contract. It increases when adapters must change. */
  contractVersion: 1;
}

/** The export of a module, as `createAdapter` or as default. */
export type CreateAdapter = (host: AdapterHost) => ProviderAdapter | Promise<ProviderAdapter>;

export interface ModuleSource {
  provider: Provider;
  /** As written in the configuration. */
  module: string;
  /** The base of a relative path: the folder of the configuration file, or the current one. */
  folder: string;
}

/** Loads the module and creates its adapter. Throws a ConfigurationError that names the setting and the problem. */
export async function loadAdapter(
  { provider, module, folder }: ModuleSource,
  host: Pick<AdapterHost, "exchange" | "today">,
): Promise<ProviderAdapter> {
  const file = resolve(folder, module);
  const setting = `providers.${provider}.module`;
  const createAdapter = findFactory(loadFile(file, setting));
  if (createAdapter === undefined) {
    throw new ConfigurationError({
      en: `${setting} names ${file}, which exports no function createAdapter (docs/adapters.md)`,
      el: `Το ${setting} δείχνει στο ${file}, που δεν εξάγει συνάρτηση createAdapter (docs/adapters.md)`,
    });
  }
  const adapter = await create(createAdapter, file, setting, { ...host, provider, contractVersion: 1 });
  const problems = findShapeProblems(adapter, provider);
  if (problems.length > 0) {
    const { en, el } = joinTexts(problems, SEMICOLON);
    throw new ConfigurationError({
      en: `The adapter of ${setting} (${file}) does not fit the contract: ${en} (docs/adapters.md)`,
      el: `Ο προσαρμογέας του ${setting} (${file}) δεν τηρεί τη σύμβαση: ${el} (docs/adapters.md)`,
    });
  }
  return adapter as ProviderAdapter;
}

/** Node's require also loads ES modules, unless they use top-level await. The bundle has no import() of its own. */
function loadFile(file: string, setting: string): unknown {
  try {
    const require = createRequire(file);
    const path = require.resolve(file);
    requireTrustedFile(path, {
      en: `The module ${path} of ${setting}`,
      el: `Το άρθρωμα ${path} του ${setting}`,
    });
    return require(file);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new ConfigurationError(
      {
        en: `${setting} names ${file}, which cannot be loaded: ${reason}`,
        el: `Το ${setting} δείχνει στο ${file}, που δεν μπορεί να φορτωθεί: ${reason}`,
      },
      { cause },
    );
  }
}

function findFactory(loaded: unknown): CreateAdapter | undefined {
  if (typeof loaded === "function") return loaded as CreateAdapter;
  if (typeof loaded !== "object" || loaded === null) return undefined;
  const { createAdapter, default: main } = loaded as { createAdapter?: unknown; default?: unknown };
  const found = createAdapter ?? main;
  return typeof found === "function" ? (found as CreateAdapter) : undefined;
}

async function create(
  createAdapter: CreateAdapter,
  file: string,
  setting: string,
  host: AdapterHost,
): Promise<unknown> {
  try {
    return await createAdapter(host);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(
      {
        en: `The adapter of ${setting} (${file}) could not be created: ${reason}`,
        el: `Ο προσαρμογέας του ${setting} (${file}) δεν δημιουργήθηκε: ${reason}`,
      },
      {
        cause,
      },
    );
  }
}
