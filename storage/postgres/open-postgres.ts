/** Opens a database in PostgreSQL: checks the server, migrates the schema, and checks the master key. */
import type { Client, ClientConfig, Pool } from "pg";
import { NewerSchemaError } from "../database/errors.ts";
import { CHAIN_START, authenticateEnd } from "../journal/event-chain.ts";
import { LOWEST_ID_BODY } from "../database/ids.ts";
import {
  type AuditKey,
  createKeyRing,
  isKeyOf,
  type KeyRing,
  makeSealedAuditKey,
  type ReadMasterKeys,
  sealKeyCheck,
} from "../encryption/key-ring.ts";
import { SCHEMA_VERSION } from "../database/schema.ts";
import { type KeyedSession, statement } from "../database/session.ts";
import type { Store } from "../database/store.ts";
import { progressOf, type StoredProgress } from "../database/transactions.ts";
import { createWriter } from "../database/write.ts";
import { createLane } from "./lane.ts";
import { createMemory, type Memory, type MemoryOptions } from "../database/lost-writes.ts";
import { findVersion, migratePostgres } from "./migrate-postgres.ts";
import { readAddress } from "./postgres-address.ts";
import { createNotices } from "./notices.ts";
import {
  checkServer,
  compareClocks,
  connect,
  createCounting,
  createReaders,
  type DatabaseClock,
  drop,
  readingFrom,
} from "./postgres-connection.ts";
import { explainFailure, explainOpening } from "./postgres-errors.ts";
import { explainKeyCheck } from "../sqlite/old-form.ts";
import { KeyedPostgresSession } from "./postgres-session.ts";
import { createSharedCounters } from "./shared-counters.ts";

export interface PostgresOptions extends MemoryOptions {
  /** `postgres://…`, which may contain a password. */
  url: string;
  /** Reads all keys. `isExisting`: the database has data already, which another key could not read. */
  masterKeys(isExisting: boolean): ReadMasterKeys;
  /** Follows the database's. */
  clock: DatabaseClock;
}

/** Throws StorageError, whose message never contains the address. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { url, masterKeys, clock } = options;
  const address = readAddress(url);
  const memory = createMemory(options);
  const client = await connect(address);
  try {
    await checkServer(client, address);
    const version = await findVersion(client);
    if (version !== undefined && version > SCHEMA_VERSION) throw new NewerSchemaError();
    const readKeys = masterKeys(version !== undefined);
    // Before the database is touched: without its key it is neither created nor migrated.
    const ring = createKeyRing(readKeys);
    await migratePostgres(client, readKeys);
    await compareClocks(client, clock);
    const { stored, auditKey } = await checkKey(client, ring, readKeys, clock.nowMs());
    const store = createStore(address, { ring, auditKey }, memory, options);
    if (memory.isLost(stored)) await holdAfterLoss(store);
    return store;
  } catch (error) {
    throw explainOpening(error);
  } finally {
    drop(client);
  }
}

async function holdAfterLoss(store: Store): Promise<void> {
  try {
    // The transaction of any write holds the appliance.
    await store.write(async () => {});
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Inserts the appliance row into a new database. Throws MasterKeyError if the database has another master key,
 * UnreleasedSchemaError if it was sealed in another form, and AuditKeyError if that key does not open the audit key. Returns the
 * audit key, and how far the database has come.
 */
async function checkKey(
  client: Client,
  ring: KeyRing,
  readKeys: ReadMasterKeys,
  nowMs: number,
): Promise<{ stored: StoredProgress; auditKey: AuditKey }> {
  const select =
    "select key_check, audit_key, created_at, resumed_at, last_id, chain_id, chain from appliance where id = 1";
  type Row = Parameters<typeof progressOf>[0] & { key_check: Uint8Array; audit_key: Uint8Array };
  let [row] = (await client.query<Row>(select)).rows;
  if (row === undefined) {
    const auditKey = makeSealedAuditKey(ring);
    const mac = authenticateEnd(ring.openAuditKey(auditKey), CHAIN_START);
    await client.query(
      "insert into appliance (id, last_id, key_check, audit_key, chain_seal, state, created_at)" +
        " values (1, $1, $2, $3, $4, 'active', $5) on conflict do nothing",
      [LOWEST_ID_BODY, sealKeyCheck(ring), auditKey, mac, new Date(nowMs).toISOString()],
    );
    [row] = (await client.query<Row>(select)).rows;
  }
  if (row === undefined || !isKeyOf(ring, row.key_check)) throw explainKeyCheck(readKeys(), row?.key_check);
  ring.follow(row.key_check);
  return { stored: progressOf(row), auditKey: ring.openAuditKey(row.audit_key) };
}

const probeWrite = statement<object>()((db) =>
  db.updateTable("appliance").set({ id: 1 }).where("id", "=", 1),
);

function createStore(
  address: ClientConfig,
  { ring, auditKey }: { ring: KeyRing; auditKey: AuditKey },
  memory: Memory,
  { clock }: PostgresOptions,
): Store {
  const readers = createReaders(address);
  const counting = createCounting(address);
  const { follow: followKey, openAuditKey } = ring;
  const lane = createLane(address, clock, {
    cipher: ring,
    followKey,
    openAuditKey,
    newestSchema: SCHEMA_VERSION,
    memory,
  });
  const notices = createNotices(address);
  const writer = createWriter((work, notify) =>
    lane.transact(work, (news) => {
      notify(news);
      notices.tell(news);
    }),
  );
  return {
    read: new KeyedPostgresSession(readingFrom(readers), ring),
    cipher: ring,
    write: writer.write,
    add: writer.add,
    remembered: lane.remembered,
    defer: writer.defer,
    flush: writer.flush,
    onNews(news, listener) {
      writer.onNews(news, listener);
      notices.on(news, listener);
    },
    file: undefined,
    counters: createSharedCounters(counting, auditKey),
    snapshot: (work) => readSnapshot(readers, ring, work),
    async probe() {
      await writer.write(async (trx) => void (await trx.run(probeWrite, {})));
    },
    async close() {
      await writer.idle();
      await notices.close();
      await Promise.all([readers.end(), counting.end()]);
      // What was written meanwhile. Nothing is from here on.
      await writer.idle();
      await lane.close();
    },
  };
}

async function readSnapshot<T>(
  readers: Pool,
  ring: KeyRing,
  read: (session: KeyedSession) => Promise<T>,
): Promise<T> {
  const client = await readers.connect().catch((error: unknown) => {
    throw explainFailure(error);
  });
  let isSound = false;
  try {
    await client.query("begin isolation level repeatable read read only");
    const value = await read(new KeyedPostgresSession(client, ring));
    await client.query("commit");
    isSound = true;
    return value;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    client.release(!isSound);
  }
}
