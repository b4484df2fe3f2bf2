/** Migrates the schema with kysely's migrator, and finds what in a file does not belong to its schema. */
import Database from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type SqliteDialectConfig,
  sql,
} from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { ReadMasterKeys } from "../encryption/key-ring.ts";
import { resealOldForm } from "./old-form.ts";
import { SqliteSession } from "./sqlite-session.ts";
import { written } from "../database/queries.ts";
import type { Session } from "../database/session.ts";
import { up as schema } from "../migrations/0001-schema.ts";
import { up as work } from "../migrations/0002-work.ts";
import { up as office, sealCustomers } from "../migrations/0003-office.ts";

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-schema": { up: schema },
  "0002-work": { up: work },
  "0003-office": { up: office },
};

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/**
 * The dialect of kysely 0.29 begins deferred transactions, which fail when another process writes between our read and our
 * write. It also runs migrations without a lock or transaction (kysely issues 56 and 729), so two processes that start
 * together would both create the tables.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }
  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** `0003-office` makes schema 3. */
function numberOf(name: string): number {
  return Number(name.slice(0, 4));
}

/** The schema after version 0.2.0, which sealed in another form (old-form.ts). */
const SEALED_FOR_PLACES = 2;
/** The schema in which the numbers of customers are sealed (`sealCustomers`). */
const CUSTOMERS_SEALED = 3;

/** Runs a migration and sets the schema version in the same transaction. */
async function migrateAndNumber(trx: Kysely<unknown>, name: string, up: Migration["up"]): Promise<void> {
  await up(trx);
  await sql.raw(`pragma user_version = ${numberOf(name)}`).execute(trx);
}

export interface MigrateOptions {
  migrations?: Readonly<Record<string, Migration>>;
  /** The newest version to migrate to; all migrations run by default. */
  through?: number;
  /** The master keys, without which a database with data of version 0.2.0 is not migrated. */
  readKeys?: ReadMasterKeys;
}

/**
 * Migrates the schema. All or nothing, and safe when several processes start together. Kysely's handle is not destroyed,
 * because that would close the connection, which is still used.
 */
export async function migrate(
  database: Database.Database,
  { migrations: all = MIGRATIONS, through = Number.POSITIVE_INFINITY, readKeys }: MigrateOptions = {},
): Promise<void> {
  async function run(trx: Kysely<unknown>, name: string, up: Migration["up"]): Promise<void> {
    await migrateAndNumber(trx, name, up);
    // On the connection of the same transaction.
    if (numberOf(name) === SEALED_FOR_PLACES && readKeys !== undefined) resealOldForm(database, readKeys());
    if (all === MIGRATIONS && numberOf(name) === CUSTOMERS_SEALED)
      await sealCustomers(new SqliteSession(database), readKeys);
  }
  const db = new Kysely<unknown>({ dialect: new ImmediateSqliteDialect({ database }) });
  const migrations = Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => numberOf(name) <= through)
      .map(([name, { up }]) => [name, { up: (trx: Kysely<unknown>) => run(trx, name, up) }]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The tables, indexes, triggers and views that schema `version` lacks or does not have: `- table documents`, `+ trigger evil`. */
export async function findUnexpectedObjects(session: Session, version: number): Promise<string[]> {
  return compareObjects(await readObjects(session), await readExpected(version));
}

export function compareObjects(actual: readonly string[], expected: readonly string[]): string[] {
  return [
    ...expected.filter((object) => !actual.includes(object)).map((object) => `- ${object}`),
    ...actual.filter((object) => !expected.includes(object)).map((object) => `+ ${object}`),
  ];
}

/** What is in the schema that the program itself creates, such as `table documents`. */
export async function readExpected(version: number): Promise<string[]> {
  const database = new Database(":memory:");
  try {
    await migrate(database, { through: version });
    return await readObjects(new SqliteSession(database));
  } finally {
    database.close();
  }
}

/** Without those that SQLite itself or Litestream (docs/replication.md) creates. A virtual table has no root page. */
async function readObjects(session: Session): Promise<string[]> {
  const objects = sql<{ object: string }>`
    select case when type = 'table' and rootpage = 0 then 'virtual table' else type end || ' ' || name as object
    from sqlite_schema where name not like 'sqlite\\_%' escape '\\' and name not like '\\_litestream\\_%' escape '\\'
    order by type desc, name`;
  return (await session.query(written(objects))).map(({ object }) => object);
}
