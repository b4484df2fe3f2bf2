/** Opens a database in PostgreSQL: checks the server, migrates the schema, and checks the master key. */
import type { ClientConfig, Pool } from "pg";
import { NewerSchemaError } from "../database/errors.ts";
import { type AuditKey, createKeyRing, type KeyRing, type ReadMasterKeys } from "../encryption/key-ring.ts";
import { SCHEMA_VERSION } from "../database/schema.ts";
import { type KeyedSession, withCipher } from "../database/session.ts";
import type { Store } from "../database/store.ts";
import { createTransactions } from "../database/transactions.ts";
import { createWriter } from "../database/write.ts";
import { createLane } from "./lane.ts";
import { createMemory, type Memory, type MemoryOptions } from "../database/lost-writes.ts";
import { openAppliance } from "../database/open-appliance.ts";
import { findVersion, migratePostgres } from "./postgres-schema.ts";
import { readAddress } from "./postgres-address.ts";
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
import { PostgresSession } from "./postgres-session.ts";
import { createNotices } from "./notices.ts";
import { createSharedCounters } from "./shared-counters.ts";

export interface PostgresOptions extends MemoryOptions {
  /** `postgres://…`, which may contain a password. */
  url: string;
  /** Reads all keys. `isExisting`: the database has data already, which another key could not read. */
  masterKeys(isExisting: boolean): ReadMasterKeys;
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
    const session = new PostgresSession(client);
    const { stored, auditKey } = await openAppliance(session, ring, clock.nowMs());
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

function createStore(
  address: ClientConfig,
  { ring, auditKey }: { ring: KeyRing; auditKey: AuditKey },
  memory: Memory,
  { clock }: PostgresOptions,
): Store {
  const readers = createReaders(address);
  const counting = createCounting(address);
  const lane = createLane(address, clock);
  const { transact, remembered } = createTransactions(lane, clock.nowMs, { ring, memory });
  const notices = createNotices(address);
  const writer = createWriter((work, notify) =>
    transact(work, (news) => {
      notify(news);
      notices.tell(news);
    }),
  );
  return {
    ...writer,
    read: withCipher(new PostgresSession(readingFrom(readers)), ring),
    cipher: ring,
    remembered,
    onNews(news, listener) {
      writer.onNews(news, listener);
      notices.on(news, listener);
    },
    checkpoint: () => true,
    counters: createSharedCounters(counting, auditKey),
    snapshot: (work) => readSnapshot(readers, ring, work),
    async close() {
      await writer.idle();
      await notices.close();
      await Promise.all([readers.end(), counting.end()]);
      // What was written meanwhile. Nothing is from here on.
      await writer.idle();
      memory.close();
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
    const value = await read(withCipher(new PostgresSession(client), ring));
    await client.query("commit");
    isSound = true;
    return value;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    client.release(!isSound);
  }
}
