/** Opens the database for `audit`, which changes nothing and works while a server runs. */
import { StorageError } from "../../../storage/database/errors.ts";
import type { Inspection } from "../../../storage/database/inspection.ts";
import type { Config } from "../../config/config.ts";
import { atAddress, readDatabaseUrl } from "../../config/database-url.ts";
import { ConfigurationError } from "../../foundation/errors.ts";

/** Throws StorageError or ConfigurationError if the database cannot be read. */
export async function openInspection(storage: Config["storage"]): Promise<Inspection> {
  const url = readDatabaseUrl(storage);
  if (url === undefined) {
    const { inspectDatabase } = await import("../../../storage/sqlite/inspection.ts");
    return inspectDatabase(storage.database);
  }
  const { inspectPostgres } = await import("../../../storage/postgres/inspect-postgres.ts");
  try {
    return await inspectPostgres(url);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new ConfigurationError(atAddress(storage, error.text), { cause: error });
  }
}
