/** The engines that a test can run on: SQLite, and PostgreSQL where there is a server for tests. */
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:net";
import { inject } from "vitest";
import { createFollowingClock, type FollowingClock } from "../../src/foundation/clock.ts";
import { openPostgres } from "../../storage/postgres/open-postgres.ts";
import { insertSandboxFiling } from "../../storage/documents/sandbox.ts";
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";
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

/** An engine that the whole program runs on in a test. */
export interface Engine {
  engine: "SQLite" | "PostgreSQL";
  /** Environment variables that make the program use a new database of this engine. */
  makeStorage(): Promise<Record<string, string>>;
}

/** The engines that this machine has, each with what differs in the test, such as counts. */
export async function onEngines<T>(differences: Record<Engine["engine"], T>): Promise<(Engine & T)[]> {
  const sqlite = { engine: "SQLite", makeStorage: async () => ({}), ...differences.SQLite } as const;
  const postgres = {
    engine: "PostgreSQL",
    makeStorage: async () => ({ FISCAL_STORAGE__URL: (await makePostgresDatabase())! }),
    ...differences.PostgreSQL,
  } as const;
  return (await askForPostgres()) === undefined ? [sqlite] : [sqlite, postgres];
}

interface OpenOptions {
  url: string;
  masterKey: Uint8Array;
  onLostWrites?: () => void;
  clock?: FollowingClock;
}

/** Opens a store in PostgreSQL, as a server with its data directory `folder` would. */
export function openPostgresIn(
  folder: string,
  { url, masterKey, onLostWrites, clock }: OpenOptions,
): Promise<Store> {
  return openPostgres({
    url,
    masterKeys: () => () => [masterKey],
    clock: clock ?? createFollowingClock(),
    stateFile: join(folder, "database-state.json"),
    onLostWrites() {
      if (onLostWrites === undefined) throw new Error("The database lost writes");
      onLostWrites();
    },
    onStateFileFailure(error) {
      throw error;
    },
  });
}

/** Writes a row that identifies a unit, in the sandbox's ledger: it has no constraint that would reject it. */
export async function leaveTrace(trx: Transaction, trace: string): Promise<string> {
  const id = trx.newId("doc");
  const filing = { uid: trace, document_id: id, filed_at: trx.now, mark_at: trx.now };
  await insertSandboxFiling(trx, { ...filing, sent_type: "11.1", net: 0, supplier: "123456783" }, []);
  return id;
}
