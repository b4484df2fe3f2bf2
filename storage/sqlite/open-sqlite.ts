/** Opens the database: checks the file, migrates its schema, and checks the master key. */
import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Cipher } from "../encryption/cipher.ts";
import { createFileConnection } from "./file-connection.ts";
import { SqliteSession } from "./sqlite-session.ts";
import { distrustSchema, examineFile, explainOpening, readSchemaVersion } from "./examine.ts";
import {
  isBusy,
  isStorageFailure,
  NewerSchemaError,
  StorageError,
  type StorageText,
} from "../database/errors.ts";
import { makeFolder } from "../files/folder.ts";
import { createMemory, type Memory, type MemoryOptions } from "../database/lost-writes.ts";
import { openAppliance } from "../database/open-appliance.ts";
import { createKeyRing, type KeyRing, type ReadMasterKeys } from "../encryption/key-ring.ts";
import { SCHEMA_VERSION } from "../database/schema.ts";
import { type KeyedSession, type Session, withCipher } from "../database/session.ts";
import type { Store } from "../database/store.ts";
import { createTransactions } from "../database/transactions.ts";
import { createWriter } from "../database/write.ts";

/** For waits inside SQLite: opening, recovery after a crash, a checkpoint of another process. */
const OPEN_WAIT_MS = 10_000;
/** Another process may be migrating the schema. */
const MIGRATION_WAIT_MS = 60_000;
/** Short, because SQLite blocks the event loop while it waits. Writes wait for the lock in file-connection.ts instead. */
const WRITE_WAIT_MS = 5;

export interface StoreOptions {
  /** Absolute path of the database file. Its folder is created if it is missing. */
  file: string;
  /** A key of 32 bytes, or a function that reads all keys, so that a key rotated while this process runs is found. */
  masterKey: Uint8Array | ReadMasterKeys;
  nowMs(): number;
  /**
   * Called before an existing database is migrated from schema `version`. If it throws, the database is not opened and stays
   * unchanged.
   */
  beforeMigration?: ((version: number) => Promise<void>) | undefined;
  /** Undefined for a database that is not the appliance's, such as the draft of a backup. */
  lostWrites?: MemoryOptions;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const isNew = !existsSync(options.file);
  const database = openFile(options.file, isNew);
  try {
    distrustSchema(database);
    database.pragma("journal_mode = WAL");
    // With the default of better-sqlite3, NORMAL, a power cut could lose documents that were accepted.
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    // Overwrites deleted data. Little is deleted, and none while a document is accepted or issued.
    database.pragma("secure_delete = ON");
    const { masterKey } = options;
    const readKeys = typeof masterKey === "function" ? masterKey : () => [masterKey];
    await migrateIfNeeded(database, readKeys, options);
    // The pages that a statement would restore if it failed. Otherwise many statements write them to a temporary file.
    database.pragma("temp_store = MEMORY");
    database.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
    const ring = createKeyRing(readKeys);
    const { stored } = await openAppliance(new SqliteSession(database), ring, options.nowMs());
    database.pragma(`busy_timeout = ${WRITE_WAIT_MS}`);
    const memory = options.lostWrites === undefined ? undefined : createMemory(options.lostWrites);
    const store = createStore(database, ring, memory, options);
    // The transaction of any write holds the appliance.
    if (memory?.isLost(stored) === true) await store.write(async () => {});
    return store;
  } catch (error) {
    database.close();
    throw isStorageFailure(error) ? explainOpening(options.file, error) : error;
  }
}

function openFile(file: string, isNew: boolean): Database.Database {
  makeFolder(dirname(file));
  examineFile(file);
  try {
    const database = new Database(file, { timeout: OPEN_WAIT_MS });
    if (isNew) chmodSync(file, 0o600);
    return database;
  } catch (error) {
    throw explainOpening(file, error);
  }
}

async function migrateIfNeeded(
  database: Database.Database,
  readKeys: ReadMasterKeys,
  options: StoreOptions,
): Promise<void> {
  const { file, beforeMigration } = options;
  const version = readVersion(database, file);
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) throw new NewerSchemaError(file);
  if (version > 0) await beforeMigration?.(version);
  const { migrate } = await import("./migrate.ts");
  const deadline = Date.now() + MIGRATION_WAIT_MS;
  for (;;) {
    try {
      return await migrate(database, readKeys);
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() >= deadline) throw new StorageError(describeWait(file), { cause: error });
    }
  }
}

function describeWait(file: string): StorageText {
  return {
    en: `Another process has kept the database ${file} locked for a minute, perhaps to migrate its schema; try again when it is done`,
    el: `Άλλη διεργασία κρατά τη βάση ${file} εδώ και ένα λεπτό, ίσως για να αναβαθμίσει τη δομή της· δοκιμάστε ξανά όταν τελειώσει`,
  };
}

function readVersion(database: Database.Database, file: string): number {
  try {
    return readSchemaVersion(database);
  } catch (error) {
    throw explainOpening(file, error);
  }
}

function createStore(
  database: Database.Database,
  ring: KeyRing,
  memory: Memory | undefined,
  options: StoreOptions,
): Store {
  const reader = openReader(options.file);
  const connection = createFileConnection(new SqliteSession(database));
  const { transact, remembered } = createTransactions(connection, options.nowMs, { ring, memory });
  const writer = createWriter(transact);
  return {
    ...writer,
    read: withCipher(new SqliteSession(reader), ring),
    cipher: ring,
    remembered,
    checkpoint() {
      if (database.inTransaction) return false;
      const [result] = database.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      return result?.busy === 0;
    },
    counters: undefined,
    snapshot: (read) => readSnapshot(options.file, ring, read),
    async close() {
      await writer.idle();
      memory?.close();
      reader.close();
      database.close();
    },
  };
}

/**
 * Of the pages that were read. better-sqlite3 allows 16 MB, which a run over all documents fills. The system caches the file
 * too, so that a page read again takes a microsecond. The writer's also holds what a transaction has changed: 2 MB for the
 * largest batch of documents.
 */
const READER_CACHE_KIB = 2048;
const WRITER_CACHE_KIB = 8192;

function openReader(file: string, timeout = OPEN_WAIT_MS): Database.Database {
  const reader = new Database(file, { readonly: true, fileMustExist: true, timeout });
  reader.pragma("query_only = ON");
  reader.pragma(`cache_size = -${READER_CACHE_KIB}`);
  distrustSchema(reader);
  return reader;
}

/** Shell completion must answer quickly or not at all. */
const PEEK_WAIT_MS = 200;

/**
 * Reads a database without creating or migrating it and without a master key, for shell completion. Returns undefined if
 * the file is missing or has another schema version.
 */
export async function peek<T>(file: string, read: (session: Session) => Promise<T>): Promise<T | undefined> {
  if (!existsSync(file)) return undefined;
  const connection = openReader(file, PEEK_WAIT_MS);
  try {
    if (readVersion(connection, file) !== SCHEMA_VERSION) return undefined;
    return await read(new SqliteSession(connection));
  } finally {
    connection.close();
  }
}

async function readSnapshot<T>(
  file: string,
  cipher: Cipher,
  read: (session: KeyedSession) => Promise<T>,
): Promise<T> {
  const connection = openReader(file);
  try {
    const session = withCipher(new SqliteSession(connection), cipher);
    session.execute("begin");
    return await read(session);
  } finally {
    connection.close();
  }
}
