/** Opens everything once from the configuration, and closes it: what commands and server hold in their hand. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "../storage/errors.ts";
import { openStore, type Store } from "../storage/open.ts";
import { type Clock, createClock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Context, Log } from "./context.ts";
import { guardStore } from "./disk/guarded-store.ts";
import { preparePlace } from "./disk/place.ts";
import { createSpace } from "./disk/space.ts";
import type { Space } from "./disk/space-level.ts";
import { AppError, ConfigurationError } from "./errors.ts";
import { drain, type DrainOptions } from "./issuing/drain.ts";
import { createIssuingQueue, type IssuingQueue } from "./issuing/queue.ts";
import { loadMasterKey } from "./keys/master-key.ts";
import type { ProviderAdapter } from "./providers/adapter.ts";
import { createExchange, type Exchange } from "./providers/exchange.ts";
import { createProviderA } from "./providers/provider-a/adapter.ts";
import { createProviderRegistry } from "./providers/registry.ts";
import { createRegistryDirect } from "./providers/registry-direct/adapter.ts";
import { createDurableLedger } from "./providers/sandbox/durable-ledger.ts";
import { createSandbox } from "./providers/sandbox/sandbox.ts";
import type { Scheduler } from "./scheduler.ts";
import type { TaxIdsDeps } from "./tax-ids/lookup.ts";
import type { TaxIds } from "./tax-ids/object.ts";
import type { WebhookQueue } from "./webhooks/queue.ts";

export interface Appliance extends Context {
  readonly issuing: IssuingQueue & { drain(options: DrainOptions): Promise<void> };
  /**
   * Begins to issue by itself: what a server does, and a command that waits for its documents. Only a server delivers
   * `webhooks` too: a receiver that is slow would hold up the end of a command.
   */
  startScheduler(options?: { webhooks?: boolean }): Promise<void>;
  ready(): Promise<Readiness>;
  /** Where this server is reached, for links that are given out; set once it listens. */
  setPublicUrl(url: string): void;
  /** Claims nothing more, and finishes what is under way; what is not done after `deadlineMs` is cut. */
  finish(deadlineMs: number): Promise<void>;
  /** Finishes, and closes the database. */
  stop(deadlineMs: number): Promise<void>;
}

export interface Readiness {
  ready: boolean;
  checks: Record<string, boolean>;
  /** Why it is not ready; empty where it is. */
  reasons: string[];
}

export interface ApplianceOptions {
  config: Config;
  log: Log;
  clock?: Clock | undefined;
  /** Further providers; one of the same name takes the place of ours. */
  adapters?: readonly ProviderAdapter[] | undefined;
}

/** Makes what is not there: the data directory, the master key, the database. Throws ConfigurationError. */
export async function openAppliance(options: ApplianceOptions): Promise<Appliance> {
  const { config, log } = options;
  const clock = options.clock ?? createClock();
  const exchange = createExchange();
  // Before anything is made: an adapter from outside may be no adapter.
  const adapters = await createAdapters(config, clock, exchange);
  const { database, minFreeMb } = config.storage;
  const space = createSpace({ file: database, minFreeMb, log, elapsedMs: () => performance.now() });
  const store = guardStore(await openDatabase(config, clock), space);
  const cut = new AbortController();
  let publicUrl = config.server.publicUrl || `http://${config.server.host}:${config.server.port}`;
  const taxIds = createLazyTaxIds({ store, clock, log, ...config.taxIds });
  const sandbox = createSandbox({ ledger: createDurableLedger(store), publicUrl: () => publicUrl });
  const context: Context = {
    config,
    clock,
    log,
    store,
    space,
    providers: createProviderRegistry([sandbox, ...adapters, ...(options.adapters ?? [])]),
    taxIds,
    cut: cut.signal,
    publicUrl: () => publicUrl,
    pokeIssuing: () => {
      if (scheduler !== undefined) issuing.poke();
    },
  };
  const issuing = createIssuingQueue(context);
  let scheduler: Scheduler | undefined;
  let webhooks: WebhookQueue | undefined;
  async function finish(deadlineMs: number): Promise<void> {
    const timer = setTimeout(() => cut.abort(), deadlineMs);
    await scheduler?.stop();
    await Promise.all([issuing.stop(), webhooks?.stop()]);
    clearTimeout(timer);
  }
  return {
    ...context,
    issuing: { ...issuing, drain: (drainOptions) => drain(context, issuing, drainOptions) },
    async startScheduler({ webhooks: delivers = false } = {}) {
      if (scheduler !== undefined) return;
      const { startScheduler } = await import("./scheduler.ts");
      if (delivers) {
        const { createWebhookQueue } = await import("./webhooks/queue.ts");
        webhooks = createWebhookQueue(context);
        store.onNews("deliveries", webhooks.poke);
        await webhooks.putRight();
      }
      scheduler = startScheduler(context, issuing, webhooks);
      issuing.poke();
      webhooks?.poke();
    },
    ready: () => checkReadiness(store, space),
    setPublicUrl(url) {
      if (config.server.publicUrl === "") publicUrl = url;
    },
    finish,
    async stop(deadlineMs) {
      await finish(deadlineMs);
      await taxIds.close();
      await exchange.close();
      await store.close();
    },
  };
}

/** Loaded by the first lookup: most commands make none. */
function createLazyTaxIds(deps: TaxIdsDeps): TaxIds {
  let opened: Promise<TaxIds> | undefined;
  const open = async () => (await import("./tax-ids/lookup.ts")).createTaxIds(deps);
  return {
    lookup: async (mode, asked) => (await (opened ??= open())).lookup(mode, asked),
    close: async () => (await opened)?.close(),
  };
}

/** The providers that are reached over the network: ours, and those that a module of the operator's speaks to. */
async function createAdapters(config: Config, clock: Clock, exchange: Exchange): Promise<ProviderAdapter[]> {
  const { registryDirect, providerA } = config.providers;
  return [
    createRegistryDirect({ ...registryDirect, exchange }),
    createProviderA({ ...providerA, exchange, today: clock.today }),
    ...(await loadAdapters(config, clock, exchange)),
  ];
}

async function loadAdapters(config: Config, clock: Clock, exchange: Exchange): Promise<ProviderAdapter[]> {
  const { providerB, providerC, providerD, providerE } = config.providers;
  const named = [
    { provider: "provider_b", ...providerB },
    { provider: "provider_c", ...providerC },
    { provider: "provider_d", ...providerD },
    { provider: "provider_e", ...providerE },
  ] as const;
  const given = named.filter(({ module }) => module !== "");
  if (given.length === 0) return [];
  const { loadAdapter } = await import("./providers/module.ts");
  const folder = config.file === null ? "." : dirname(config.file);
  return Promise.all(
    given.map((source) => loadAdapter({ ...source, folder }, { exchange, today: clock.today })),
  );
}

async function openDatabase(config: Config, clock: Clock): Promise<Store> {
  const file = config.storage.database;
  try {
    preparePlace(file);
    const masterKey = loadMasterKey({
      fromEnvironment: config.security.masterKey,
      file: config.security.masterKeyFile,
      hasData: existsSync(file),
    });
    return await openStore({ file, masterKey, nowMs: clock.nowMs });
  } catch (error) {
    if (error instanceof StorageError) throw new ConfigurationError(error.message, { cause: error });
    throw error;
  }
}

/** decisions 1: database writable, migrated, master key loaded. The last two hold since the opening, or it had failed. */
async function checkReadiness(store: Store, space: Space): Promise<Readiness> {
  const trouble = await store.probe().then(() => undefined, textOf);
  const shortage = roomTrouble(space);
  const reasons = [trouble, shortage].filter((reason) => reason !== undefined);
  const database = trouble === undefined;
  const checks = { database, space: shortage === undefined, migrated: true, master_key: true };
  return { ready: reasons.length === 0, checks, reasons };
}

function roomTrouble(space: Space): string | undefined {
  try {
    space.requireRoom();
    return undefined;
  } catch (error) {
    return textOf(error);
  }
}

/** What is nobody's word but the system's stays inside. */
function textOf(error: unknown): string {
  return error instanceof AppError ? error.message : "the database cannot be written";
}
