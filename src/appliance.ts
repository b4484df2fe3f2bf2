/** Opens all parts of the appliance from the configuration, and closes them: the object that commands and server work with. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "../storage/database/errors.ts";
import { getAppliance } from "../storage/upkeep/appliance-state.ts";
import { findWithoutShares } from "../storage/documents/dated-documents.ts";
import { makeFolder } from "../storage/files/folder.ts";
import { type MemoryOptions, stateFileIn } from "../storage/database/lost-writes.ts";
import { openStore } from "../storage/sqlite/open-sqlite.ts";
import type { Store } from "../storage/database/store.ts";
import type { BackUp } from "./upkeep/backup/backup-schedule.ts";
import type { Alerting } from "./upkeep/alerts.ts";
import { type Clock, createFollowingClock, type FollowingClock } from "./foundation/clock.ts";
import type { Config } from "./config/config.ts";
import { atAddress, linkUrlOf, readDatabaseUrl, usesPostgres } from "./config/addresses.ts";
import { type Context, createFinishedWork, type Log } from "./journal/context.ts";
import { preparePlace } from "./journal/disk/file-system.ts";
import { createSpace, guardStore } from "./journal/disk/disk-space.ts";
import { ConfigurationError } from "./foundation/errors.ts";
import { camelCase } from "./foundation/setting.ts";
import type { IssuingQueue } from "./issuing/issuing-queue.ts";
import { masterKeyReader } from "./keys/key-files.ts";
import type { ProviderAdapter } from "./domain/provider-adapter.ts";
import { createExchange, type Exchange } from "./providers/exchange.ts";
import { EXTERNAL_PROVIDERS, openBuiltInProviders, createProviderRegistry } from "./providers/built-in.ts";
import { checkReadiness, type Readiness } from "./upkeep/readiness.ts";
import type { Scheduler } from "./upkeep/scheduler.ts";
import type { TaxIdsDeps } from "./tax-ids/lookup.ts";
import type { TaxIds } from "./domain/tax-number.ts";
import type { Metrics } from "./journal/metrics.ts";
import type { WebhookQueue } from "./webhooks/webhook-queue.ts";

export interface Appliance extends Context {
  readonly issuing: IssuingQueue;
  /**
   * Starts issuing in the background, for a server or a command that waits for its documents. Only a server delivers
   * `webhooks` too, because a slow receiver would delay the end of a command.
   */
  startScheduler(options?: {
    webhooks?: boolean;
    /** Makes the scheduled backups; without it there are none. */
    backUp?: BackUp | undefined;
    /** Mails what `doctor` finds; without it there are no alerts. */
    alerting?: Alerting | undefined;
  }): Promise<void>;
  ready(): Promise<Readiness>;
  /** When the database was made. */
  createdAt(): Promise<string>;
  /** The metrics of this process, collected from the first call on. */
  metrics(): Promise<Metrics>;
  /** Sets the address for links, once the server listens. A configured `server.public_url` wins. */
  setPublicUrl(url: string): void;
  /** Stops claiming and finishes the work in progress; the rest is cut off after `deadlineMs`. */
  finish(deadlineMs: number): Promise<void>;
  /** Finishes, and closes the database. */
  stop(deadlineMs: number): Promise<void>;
}

export interface ApplianceOptions {
  config: Config;
  log: Log;
  clock?: FollowingClock | undefined;
  /** Additional providers; one with the same name replaces a built-in one. */
  adapters?: readonly ProviderAdapter[] | undefined;
}

/** Creates the data directory, the master key and the database if they do not exist. Throws ConfigurationError. */
export async function openAppliance(options: ApplianceOptions): Promise<Appliance> {
  const { config, log } = options;
  const clock = options.clock ?? createFollowingClock();
  const exchange = createExchange();
  // First, because a module may not contain an adapter; nothing has been created yet.
  const loadedAdapters = await loadAdapters(config, clock, exchange);
  const { database, minFreeMb } = config.storage;
  const file = usesPostgres(config.storage) ? undefined : database;
  const space = createSpace({ file, minFreeMb, log, elapsedMs: () => performance.now() });
  const store = guardStore(await openDatabase({ config, clock, log }), space);
  const [unfilled] = await findWithoutShares(store.read, { after: "", limit: 1 });
  if (unfilled !== undefined) await (await import("./books/counted-documents.ts")).fillShares(store);
  const cut = new AbortController();
  let publicUrl = config.server.publicUrl || ownUrl(config.server);
  const taxIds = createLazyTaxIds({ store, clock, log, ...config.taxIds });
  const builtIn = await openBuiltInProviders(config.providers, {
    exchange,
    store,
    today: clock.today,
    publicUrl: () => publicUrl,
    isSandboxStrict: config.sandbox.strict,
  });
  const context: Context = {
    config,
    clock,
    log,
    store,
    finishedWork: createFinishedWork((fields, message) => log.info(fields, message)),
    space,
    providers: createProviderRegistry([...builtIn, ...loadedAdapters, ...(options.adapters ?? [])]),
    taxIds,
    cut: cut.signal,
    publicUrl: () => publicUrl,
    pokeIssuing: () => {
      if (scheduler !== undefined) issuing.poke();
    },
  };
  const issuing = createLazyIssuing(context);
  let scheduler: Scheduler | undefined;
  let webhooks: WebhookQueue | undefined;
  let metrics: Promise<Metrics> | undefined;
  async function finish(deadlineMs: number): Promise<void> {
    const timer = setTimeout(() => cut.abort(), deadlineMs);
    await scheduler?.stop();
    await Promise.all([issuing.stop(), webhooks?.stop()]);
    clearTimeout(timer);
  }
  return {
    ...context,
    issuing,
    async startScheduler({ webhooks: delivers = false, backUp, alerting } = {}) {
      if (scheduler !== undefined) return;
      const { startScheduler } = await import("./upkeep/scheduler.ts");
      if (delivers) {
        const { createWebhookQueue } = await import("./webhooks/webhook-queue.ts");
        webhooks = createWebhookQueue(context);
        store.onNews("deliveries", webhooks.poke);
      }
      store.onNews("documents", issuing.poke);
      scheduler = await startScheduler(context, issuing, { webhooks, backUp, alerting });
      issuing.poke();
      webhooks?.poke();
    },
    ready: () => checkReadiness({ store, space, log }),
    createdAt: async () => (await getAppliance(store.read)).created_at,
    metrics: () => (metrics ??= keepMetrics(context)),
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

async function keepMetrics(context: Context): Promise<Metrics> {
  const { createMetrics } = await import("./journal/metrics.ts");
  const metrics = await createMetrics(context);
  context.finishedWork.attach(metrics);
  return metrics;
}

/** The server's URL according to its settings. A socket file is only reachable from this machine. */
function ownUrl({ host, port, tls, socket }: Config["server"]): string {
  if (socket !== null) return "http://localhost";
  return linkUrlOf({ host, port, isTls: tls !== null });
}

/** Loaded when there is something to issue: most commands only read. */
function createLazyIssuing(context: Context): IssuingQueue {
  let queue: IssuingQueue | undefined;
  let opening: Promise<IssuingQueue> | undefined;
  const open = () => (opening ??= load());
  async function load(): Promise<IssuingQueue> {
    const { createIssuingQueue } = await import("./issuing/issuing-queue.ts");
    return (queue = createIssuingQueue(context));
  }
  return {
    poke() {
      if (queue === undefined) void open().then(({ poke }) => poke());
      else queue.poke();
    },
    settleAll: async () => (await open()).settleAll(),
    drain: async (options) => (await open()).drain(options),
    rescue: async () => (await open()).rescue(),
    rescheduleAfterClockJump: async (wasSetBack) => (await open()).rescheduleAfterClockJump(wasSetBack),
    renew: async () => queue?.renew(),
    isBusy: () => queue?.isBusy() ?? false,
    stop: async () => (await opening)?.stop(),
  };
}

/** Loaded by the first lookup, since most commands need none. */
function createLazyTaxIds(deps: TaxIdsDeps): TaxIds {
  let opened: Promise<TaxIds> | undefined;
  const open = async () => (await import("./tax-ids/lookup.ts")).createTaxIds(deps);
  return {
    lookup: async (...asked) => (await (opened ??= open())).lookup(...asked),
    close: async () => (await opened)?.close(),
  };
}

/** The adapters from modules named in the configuration. */
async function loadAdapters(config: Config, clock: Clock, exchange: Exchange): Promise<ProviderAdapter[]> {
  const named = EXTERNAL_PROVIDERS.map((provider) => ({
    provider,
    ...config.providers[camelCase(provider)],
  }));
  const given = named.filter(({ module }) => module !== "");
  if (given.length === 0) return [];
  const { loadAdapter } = await import("./providers/adapter-module.ts");
  const folder = config.file === null ? "." : dirname(config.file);
  return Promise.all(
    given.map((source) => loadAdapter({ ...source, folder }, { exchange, today: clock.today })),
  );
}

async function openDatabase(around: { config: Config; clock: FollowingClock; log: Log }): Promise<Store> {
  const { config, clock, log } = around;
  const file = config.storage.database;
  const lostWrites: MemoryOptions = {
    stateFile: stateFileIn(config.dataDir),
    onLostWrites: () =>
      log.error(
        {},
        "the database lost writes that were acknowledged, so the appliance is held until somebody resumes it",
      ),
    onStateFileFailure: (error) =>
      log.warn(
        { error: String(error) },
        "the state of the database could not be written to the data directory",
      ),
  };
  try {
    const url = readDatabaseUrl(config.storage);
    if (url !== undefined) {
      makeFolder(config.dataDir);
      const { openPostgres } = await import("../storage/postgres/open-postgres.ts");
      const masterKeys = (isExisting: boolean) => masterKeyReader(config.security, isExisting);
      return await openPostgres({
        url,
        masterKeys,
        clock,
        ...lostWrites,
      });
    }
    preparePlace(file);
    const readKeys = masterKeyReader(config.security, existsSync(file));
    // Before the database is touched: without its key it is neither created nor migrated.
    readKeys();
    return await openStore({
      file,
      masterKey: readKeys,
      nowMs: clock.nowMs,
      lostWrites,
      async beforeMigration() {
        const { backUpBeforeMigration } = await import("./upkeep/backup/make-backup.ts");
        await backUpBeforeMigration(around, readKeys);
      },
    });
  } catch (error) {
    if (error instanceof StorageError)
      throw new ConfigurationError(atAddress(config.storage, error.text), { cause: error });
    throw error;
  }
}
