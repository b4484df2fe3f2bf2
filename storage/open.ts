/** Opens the one file, checks that it is ours, migrates it, and closes it. */
import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Cipher } from "./cipher.ts";
import { createCommitter } from "./commit.ts";
import { distrustSchema } from "./distrust.ts";
import {
  isBusy,
  isStorageFailure,
  MasterKeyError,
  NewerSchemaError,
  StorageError,
  type StorageText,
  UnreleasedSchemaError,
} from "./errors.ts";
import { examineFile, explainOpening } from "./examine.ts";
import { makeFolder } from "./folder.ts";
import { LOWEST_ID_BODY } from "./ids.ts";
import { createKeyRing, isKeyOf, type KeyRing, type ReadMasterKeys, sealKeyCheck } from "./key-ring.ts";
import { isUnreleasedSchema, readSchemaVersion, SCHEMA_VERSION } from "./schema-version.ts";
import { type Session, SqliteSession } from "./session.ts";
import { statement } from "./statement.ts";
import { createWriter, type News, type Unit } from "./write.ts";

export interface Store {
  /** Reads what is committed. */
  readonly read: Session;
  /** Seals and opens what must not stand in clear. */
  readonly cipher: Cipher;
  write<T>(unit: Unit<T>): Promise<T>;
  /** Writes along with the next write, or a little later: for what nobody waits for. */
  defer(unit: Unit<void>): Promise<void>;
  /** Calls `listener` after each commit of this process that brought `news`. */
  onNews(news: News, listener: () => void): void;
  /** Several reads that see one state of the file, on a connection of their own: for audits and exports. */
  snapshot<T>(read: (session: Session) => Promise<T>): Promise<T>;
  /** Moves what is written from the log into the file, where what was deleted is overwritten. False while a reader holds it up. */
  checkpoint(): boolean;
  /** Writes nothing, and throws where a write could not begin: the disk or the file cannot be written. */
  probe(): Promise<void>;
  /** Waits for the writes handed in so far, then closes. */
  close(): Promise<void>;
}

/** For the moments in which SQLite itself must wait: opening, recovery after a crash, a checkpoint elsewhere. */
const OPEN_WAIT_MS = 10_000;
/** Another process may be bringing the same schema up; of a million events that takes a minute or two. */
const MIGRATION_WAIT_MS = 60_000;
/** A write that finds the lock taken waits in `write`, where the event loop goes on. */
const WRITE_WAIT_MS = 5;

export interface StoreOptions {
  /** Absolute path of the database file; its directory is made when it is not there. */
  file: string;
  /** A key of 32 bytes, or where several may be found: one that replaces another while this process runs is among them then. */
  masterKey: Uint8Array | ReadMasterKeys;
  nowMs(): number;
  /**
   * Called before the schema of a database that holds something is brought up from `version`. What it throws ends the
   * opening, and the database stays as it is.
   */
  beforeMigration?: ((version: number) => Promise<void>) | undefined;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const isNew = !existsSync(options.file);
  const database = openFile(options.file, isNew);
  try {
    distrustSchema(database);
    database.pragma("journal_mode = WAL");
    // better-sqlite3 sets NORMAL in WAL: a power cut would then lose what we called accepted.
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    // What is deleted is overwritten: little is, and none of it on the way of a document.
    database.pragma("secure_delete = ON");
    await migrateIfNeeded(database, options);
    const { masterKey } = options;
    const ring = createKeyRing(typeof masterKey === "function" ? masterKey : () => [masterKey]);
    checkKey(database, ring, options.nowMs());
    database.pragma(`busy_timeout = ${WRITE_WAIT_MS}`);
    return assemble(database, ring, options);
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

async function migrateIfNeeded(database: Database.Database, options: StoreOptions): Promise<void> {
  const { file, beforeMigration } = options;
  const version = readVersion(database, file);
  if (version === SCHEMA_VERSION) return;
  if (version === "unreleased") throw new UnreleasedSchemaError(file);
  if (version > SCHEMA_VERSION) throw new NewerSchemaError(file);
  if (version > 0) await beforeMigration?.(version);
  const { migrate } = await import("./migrate.ts");
  const deadline = Date.now() + MIGRATION_WAIT_MS;
  for (;;) {
    try {
      return await migrate(database);
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() >= deadline) throw new StorageError(describeWait(file), { cause: error });
    }
  }
}

function describeWait(file: string): StorageText {
  return {
    en: `Another process has held the database ${file} for a minute, perhaps to migrate its schema; try again when it is done`,
    el: `Άλλη διεργασία κρατά τη βάση ${file} εδώ και ένα λεπτό, ίσως για να αναβαθμίσει τη δομή της· δοκιμάστε ξανά όταν τελειώσει`,
  };
}

function readVersion(database: Database.Database, file: string): number | "unreleased" {
  try {
    return isUnreleasedSchema(database) ? "unreleased" : readSchemaVersion(database);
  } catch (error) {
    throw explainOpening(file, error);
  }
}

/** Makes the appliance's row in a new file, and refuses a master key that is not the file's. */
function checkKey(database: Database.Database, ring: KeyRing, nowMs: number): void {
  const insert = database.prepare(
    "insert into appliance (id, last_id, key_check, state, created_at) values (1, ?, ?, 'active', ?) on conflict do nothing",
  );
  const select = database.prepare<[], { key_check: Uint8Array }>(
    "select key_check from appliance where id = 1",
  );
  if (select.get() === undefined) {
    insert.run(LOWEST_ID_BODY, sealKeyCheck(ring), new Date(nowMs).toISOString());
  }
  const row = select.get();
  if (row === undefined || !isKeyOf(ring, row.key_check)) throw new MasterKeyError();
  ring.follow(row.key_check);
}

const probeWrite = statement<object>()((db) =>
  db.updateTable("appliance").set({ id: 1 }).where("id", "=", 1),
);

function assemble(database: Database.Database, ring: KeyRing, options: StoreOptions): Store {
  const reader = openReader(options.file);
  const keyAndSchema = { followKey: ring.follow, newestSchema: SCHEMA_VERSION };
  const writer = createWriter(createCommitter(new SqliteSession(database), options.nowMs, keyAndSchema));
  return {
    read: new SqliteSession(reader),
    cipher: ring,
    write: writer.write,
    defer: writer.defer,
    onNews: writer.onNews,
    checkpoint() {
      const [result] = database.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      return result?.busy === 0;
    },
    snapshot: (read) => readSnapshot(options.file, read),
    async probe() {
      await writer.write(async (trx) => void (await trx.run(probeWrite, {})));
    },
    async close() {
      await writer.idle();
      reader.close();
      database.close();
    },
  };
}

function openReader(file: string, timeout = OPEN_WAIT_MS): Database.Database {
  const reader = new Database(file, { readonly: true, fileMustExist: true, timeout });
  reader.pragma("query_only = ON");
  distrustSchema(reader);
  return reader;
}

/** Somebody waits at the keyboard: longer than this and the answer is of no use. */
const PEEK_WAIT_MS = 200;

/**
 * Reads a file that is there and of this version; undefined where it is not. It makes nothing, migrates nothing and needs
 * no master key: for a look at names while a command is typed.
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

async function readSnapshot<T>(file: string, read: (session: Session) => Promise<T>): Promise<T> {
  const connection = openReader(file);
  try {
    const session = new SqliteSession(connection);
    session.execute("begin");
    return await read(session);
  } finally {
    connection.close();
  }
}
