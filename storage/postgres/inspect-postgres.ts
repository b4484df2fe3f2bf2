/** Reads a database in PostgreSQL without changing or migrating it, and without its key. */
import type { Inspection } from "../database/inspection.ts";
import { compareClocks, type DatabaseClock } from "./database-clock.ts";
import { findVersion } from "./migrate-postgres.ts";
import { readAddress } from "./postgres-address.ts";
import { checkServer, connect, drop } from "./postgres-connection.ts";
import { explainOpening } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";

export interface ServerInspection extends Inspection {
  /** How many standbys the server has if none of them is synchronous, so that a failover may lose acknowledged writes. */
  countLaggingStandbys(): Promise<number>;
  /** Lets `clock` follow the database's. */
  compareClock(clock: DatabaseClock): Promise<void>;
}

/** Only a superuser sees which standby is synchronous, but every role sees whether any is. */
const LAGGING = `select count(*) as count from pg_stat_replication where current_setting('synchronous_standby_names') = ''`;

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
      close: () => drop(client),
    };
  } catch (error) {
    drop(client);
    throw explainOpening(error);
  }
}
