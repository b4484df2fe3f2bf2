/** Opens an appliance in its own folder, with a clock that tests move. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Appliance, openAppliance } from "../../src/appliance.ts";
import { createClock, type FollowingClock } from "../../src/foundation/clock.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { usesPostgres } from "../../src/config/addresses.ts";
import type { Log } from "../../src/journal/context.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import { createKey } from "../../src/keys/api-keys.ts";
import { createMerchant } from "../../src/merchants/merchants.ts";
import type { ProviderAdapter } from "../../src/domain/provider-adapter.ts";
import { makePostgresDatabase } from "./engines.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { insertConnection } from "../../storage/merchants/connections.ts";
import { hold } from "../../storage/upkeep/appliance-state.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";

interface StoredConnection {
  merchant: string;
  provider: Provider;
  mode?: Mode;
  credentials?: object;
}

export interface BenchOptions {
  /** As environment variables: `FISCAL_SERVER__MAX_BODY_BYTES`. */
  env?: Record<string, string>;
  startMs?: number;
  /** An existing folder, which is not deleted at the end. */
  folder?: string;
  adapters?: readonly ProviderAdapter[];
  /** Instead of the one that tests move. */
  clock?: FollowingClock;
}

/** What cannot be delivered fails at once. */
export const NO_RETRIES = { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" };

/** A change that no request causes. */
export const CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;

/** A fixed day, so that issue dates of test data are never in the future. */
const START_MS = Date.parse("2026-11-21T09:00:00.000Z");

const SUPPLIER = "123456783";

/** The database and the master key of a new appliance. */
let newData: Promise<{ database: Buffer; masterKey: Buffer }> | undefined;

async function makeNewData(): Promise<{ database: Buffer; masterKey: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-new-"));
  const bench = await openBench({ folder });
  const { storage, security } = bench.appliance.config;
  await bench.close();
  const [database, masterKey] = await Promise.all([
    readFile(storage.database),
    readFile(security.masterKeyFile),
  ]);
  await rm(folder, { recursive: true, force: true });
  return { database, masterKey };
}

/** Puts a new database in place, unless other settings apply to it: creating its tables takes longer than most tests. */
async function copyNewData({ storage, security }: Config): Promise<void> {
  const folder = dirname(storage.database);
  if (security.masterKey !== null || security.masterKeyFile !== join(folder, "master.key")) return;
  const { database, masterKey } = await (newData ??= makeNewData());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(storage.database, database, { mode: 0o600 });
  await writeFile(security.masterKeyFile, masterKey, { mode: 0o600 });
}

/** The same database for every bench on a folder. */
const databases = new Map<string, Promise<string | undefined>>();

async function storageInPostgres(folder: string): Promise<Record<string, string>> {
  const database = databases.get(folder) ?? makePostgresDatabase();
  databases.set(folder, database);
  return { FISCAL_STORAGE__URL: (await database) ?? "" };
}

export async function openBench(options: BenchOptions = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "fiscal-test-")));
  let nowMs = options.startMs ?? START_MS;
  let elapsedMs = 0;
  const logged: string[] = [];
  const note = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void logged.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const env = { HOME: folder, FISCAL_DATA_DIR: join(folder, "data"), ...options.env };
  if (process.env["FISCAL_TEST_ENGINE"] === "postgres" && !("FISCAL_STORAGE__URL" in env))
    Object.assign(env, await storageInPostgres(folder));
  const config = loadConfig({ env, cwd: folder, flags: {} });
  if (options.folder === undefined && nowMs >= START_MS && !usesPostgres(config.storage))
    await copyNewData(config);
  const moved = createClock(
    () => nowMs,
    () => elapsedMs,
  );
  const appliance = await openAppliance({
    config,
    log,
    clock: options.clock ?? { ...moved, follow: () => undefined },
    adapters: options.adapters,
  });
  return {
    appliance,
    /** Log lines, as `level: message`. */
    logged,
    /** Lets time pass. */
    advance(ms: number) {
      nowMs += ms;
      elapsedMs += ms;
    },
    /** Sets the clock ahead, although no time has passed. */
    setAhead(ms: number) {
      nowMs += ms;
    },
    makeKey: async (mode: Mode) => (await createKey(appliance, { mode, name: `${mode} key` })).secret,
    /** Creates a merchant with the tax number that `buildIssueBody` issues under, and returns its id. */
    async makeMerchant(externalId = "shop") {
      const input = { external_id: externalId, name: "Παράδειγμα Α.Ε.", tax_id: SUPPLIER };
      return (await createMerchant(appliance, input, CAUSE)).id;
    },
    /** Accepts `buildIssueBody(merchant, extra)` in test mode, and returns the document's id. */
    acceptFor: async (merchant: string, extra: Record<string, unknown> = {}) =>
      (await acceptDocument(appliance, buildIssueBody(merchant, extra), CAUSE)).id,
    /** A document in test mode. */
    see: (id: string) => getDocument(appliance, "test", id),
    /** Stores an active connection as it is, without asking its provider, and returns its id. */
    storeConnection: (stored: StoredConnection) => storeConnection(appliance, stored),
    /** Holds it, as after a restore. */
    hold: () => appliance.store.write((trx) => hold(trx, { backupAt: trx.now })),
    /** Runs the queue until nothing is due at the clock's current time. */
    settle: () => appliance.issuing.settleAll(),
    async close() {
      await appliance.stop(1000);
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Bench = Awaited<ReturnType<typeof openBench>>;

function storeConnection(
  { store }: Appliance,
  { merchant, provider, mode = "test", credentials }: StoredConnection,
): Promise<string> {
  return store.write(async (trx) => {
    const id = trx.newId("con");
    const sealed = credentials && store.cipher.seal(placeIn("connections", id), JSON.stringify(credentials));
    await insertConnection(trx, {
      id,
      merchant_id: merchant,
      provider,
      mode,
      status: "active",
      credentials: sealed ?? null,
      verified_at: trx.now,
      last_error_json: null,
      last_error_at: null,
      created_at: trx.now,
      disconnected_at: null,
    });
    return id;
  });
}

/** A valid body of `issueDocument`: type 1.1 with one line of 8.33 net. `change` makes nested changes. */
export function buildIssueBody(
  merchant: string,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    merchant,
    document: {
      type: "1.1",
      issue_date: "2026-11-02",
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      customer: { tax_id: { country: "GR", code: "094012834" } },
      lines: [
        { description: "Καφές", quantity: "2.5", unit: "kg", unit_price: 333, vat_category: "standard" },
      ],
      totals: { net: 833, vat: 200, gross: 1033 },
    },
    ...extra,
  };
}
