/** Reads a database in PostgreSQL without changing or migrating it, and without its key. */
import type { Inspection } from "../database/store.ts";
import { SCHEMA_VERSION } from "../database/schema.ts";
import { compareObjects, readExpected } from "../sqlite/migrate.ts";
import { findVersion, OWN_TABLES } from "./migrate-postgres.ts";
import { readAddress } from "./postgres-address.ts";
import { checkServer, compareClocks, connect, type DatabaseClock, drop } from "./postgres-connection.ts";
import { explainOpening } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";

export interface ServerInspection extends Inspection {
  /** How many standbys the server has if none of them is synchronous, so that a failover may lose acknowledged writes. */
  countLaggingStandbys(): Promise<number>;
  /** What a database of this version lacks or does not have: `- table documents`, `+ trigger evil on events`. */
  findUnexpectedObjects(): Promise<string[]>;
  /** Whether every role of the server may connect to the database. */
  isOpenToAll(): Promise<boolean>;
  /** Lets `clock` follow the database's. */
  compareClock(clock: DatabaseClock): Promise<void>;
}

/** Only a superuser sees which standby is synchronous, but every role sees whether any is. */
const LAGGING = `select count(*) as count from pg_stat_replication where current_setting('synchronous_standby_names') = ''`;

/** Of the schema in use, without the indexes of constraints. Functions and rules run with our statements, as triggers do. */
const OBJECTS = `
  select 'table ' || relname as object from pg_class where relkind in ('r', 'p', 'f') and relnamespace = current_schema::regnamespace
  union all select case relkind when 'v' then 'view ' else 'materialized view ' end || relname from pg_class
    where relkind in ('v', 'm') and relnamespace = current_schema::regnamespace
  union all select 'index ' || i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
    where i.relnamespace = current_schema::regnamespace and not exists (select 1 from pg_constraint c where c.conindid = i.oid)
  union all select 'trigger ' || tgname || ' on ' || r.relname from pg_trigger t join pg_class r on r.oid = t.tgrelid
    where not tgisinternal and r.relnamespace = current_schema::regnamespace
  union all select 'rule ' || rulename || ' on ' || r.relname from pg_rewrite w join pg_class r on r.oid = w.ev_class
    where rulename <> '_RETURN' and r.relnamespace = current_schema::regnamespace
  union all select 'policy ' || polname || ' on ' || r.relname from pg_policy p join pg_class r on r.oid = p.polrelid
    where r.relnamespace = current_schema::regnamespace
  union all select 'function ' || proname from pg_proc where pronamespace = current_schema::regnamespace
  union all select 'event trigger ' || evtname from pg_event_trigger
  order by 1`;

const OPEN_TO_ALL = `
  select count(*) as count from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) as granted
  where datname = current_database() and granted.grantee = 0 and granted.privilege_type = 'CONNECT'`;

/** Throws StorageError if the server cannot be used. */
export async function inspectPostgres(url: string): Promise<ServerInspection> {
  const address = readAddress(url);
  const client = await connect(address);
  try {
    await checkServer(client, address);
    await client.query("begin isolation level repeatable read read only");
    const version = (await findVersion(client)) ?? 0;
    return {
      session: new PostgresSession(client),
      version: () => version,
      isUnreleased: () => false,
      compareClock: (clock) => compareClocks(client, clock),
      async countLaggingStandbys() {
        const { rows } = await client.query<{ count: number }>(LAGGING);
        return rows[0]?.count ?? 0;
      },
      async findUnexpectedObjects() {
        const { rows } = await client.query<{ object: string }>(OBJECTS);
        const own = [...OWN_TABLES, "schema_version"].map((table) => `table ${table}`);
        const expected = await readExpected(SCHEMA_VERSION);
        return compareObjects(
          rows.map(({ object }) => object),
          [...expected.filter((object) => !object.includes(" kysely_")), ...own],
        );
      },
      async isOpenToAll() {
        const { rows } = await client.query<{ count: number }>(OPEN_TO_ALL);
        return (rows[0]?.count ?? 0) > 0;
      },
      close: () => drop(client),
    };
  } catch (error) {
    drop(client);
    throw explainOpening(error);
  }
}
