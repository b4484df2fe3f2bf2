/** Reads a database in PostgreSQL without changing or migrating it, and without its key. */
import type { Inspection } from "../inspection.ts";
import { findVersion } from "./migrate-postgres.ts";
import { readAddress } from "./postgres-address.ts";
import { checkServer, connect, drop } from "./postgres-connection.ts";
import { explainOpening } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";

/** Throws StorageError if the server cannot be used. */
export async function inspectPostgres(url: string): Promise<Inspection> {
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
      close: () => drop(client),
    };
  } catch (error) {
    drop(client);
    throw explainOpening(error);
  }
}
