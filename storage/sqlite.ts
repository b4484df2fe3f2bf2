/**
 * SQLite as kysely's migrator wants it. Its stock dialect begins deferred, which fails at once when another process
 * writes between our read and our write, and neither locks nor wraps migrations (kysely issues 56 and 729): two
 * processes that start together would both create the tables.
 */
import type Database from "better-sqlite3";
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
import { up as foundation } from "./migrations/0001-foundation.ts";
import { up as connectionsAndLogs } from "./migrations/0002-connections-and-logs.ts";
import { up as webhooks } from "./migrations/0003-webhooks.ts";
import { up as webConsole } from "./migrations/0004-console.ts";
import { up as columnMaps } from "./migrations/0005-column-maps.ts";
import { up as held } from "./migrations/0006-held.ts";
import { up as eventChain } from "./migrations/0007-event-chain.ts";
import { up as letterheads } from "./migrations/0008-letterheads.ts";

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

/** By name, whose number is the schema that it makes. Never changed once released. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-foundation": { up: foundation },
  "0002-connections-and-logs": { up: connectionsAndLogs },
  "0003-webhooks": { up: webhooks },
  "0004-console": { up: webConsole },
  "0005-column-maps": { up: columnMaps },
  "0006-held": { up: held },
  "0007-event-chain": { up: eventChain },
  "0008-letterheads": { up: letterheads },
};

/** `0003-webhooks` makes schema 3. */
function numberOf(name: string): number {
  return Number(name.slice(0, 4));
}

/** The file says which schema it has from the same commit on that makes it. */
async function upAndNumbered(trx: Kysely<unknown>, name: string, up: Migration["up"]): Promise<void> {
  await up(trx);
  await sql.raw(`pragma user_version = ${numberOf(name)}`).execute(trx);
}

/**
 * Brings the schema to the newest version, or to the older one of the number `through`. All or nothing; safe when several
 * processes start together. kysely's handle is not destroyed: that would close the connection, which lives on.
 */
export async function migrate(
  database: Database.Database,
  through = Number.POSITIVE_INFINITY,
): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new ImmediateSqliteDialect({ database }) });
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS)
      .filter(([name]) => numberOf(name) <= through)
      .map(([name, { up }]) => [name, { up: (trx: Kysely<unknown>) => upAndNumbered(trx, name, up) }]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
