/** The engines that a test can run on: SQLite, and PostgreSQL where there is a server for tests. */
import { text } from "node:stream/consumers";
import { connect } from "node:net";
import { inject } from "vitest";
import { createDatabase } from "./postgres.ts";

/** The address of the run's PostgreSQL; undefined on a platform that has none. */
export async function askForPostgres(): Promise<string | undefined> {
  const answer = await text(connect(inject("postgresPort"), "127.0.0.1"));
  return answer === "" ? undefined : answer;
}

/** The address of a new, empty database; undefined on a platform without PostgreSQL. */
export async function makePostgresDatabase(): Promise<string | undefined> {
  const url = await askForPostgres();
  return url === undefined ? undefined : createDatabase(url);
}
