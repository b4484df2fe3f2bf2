/** The connection of the writer: transactions that have the lock, and what became of one whose connection was lost. */
import type { Client, ClientConfig, QueryConfig, QueryResult } from "pg";
import { UnavailableDatabaseError } from "../errors.ts";
import { connect, drop } from "./postgres-connection.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";

/**
 * A commit waits until it is on disk, whatever the server's default. The server ends a transaction whose
 * process does nothing for too long, so that the others can go on.
 */
const SETTINGS = [
  "set lock_timeout = '15s'",
  "set idle_in_transaction_session_timeout = '20s'",
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')",
].join("; ");

/** The lock belongs to the tables of one schema. The transaction has it until it ends. */
const LOCK = "select pg_advisory_xact_lock('appliance'::regclass::oid::bigint)";
const BEGIN = `begin isolation level read committed read write; ${LOCK}; select pg_current_xact_id()::text as xid`;

/** How often the outcome of an interrupted commit is looked up, about once a second. */
const LOOKUPS_MAX = 10;
const LOOKUP_PAUSE_MS = 1000;

/** `lost`: nothing was stored. */
export type Outcome = "committed" | "lost" | "unknown";

export interface LaneConnection {
  query(query: string | QueryConfig<unknown[]>): Promise<QueryResult>;
  /** Begins a transaction that has the lock, and returns its id. */
  begin(): Promise<string>;
  rollBack(): Promise<void>;
  /**
   * Commits the transaction `xid`. If the connection is lost meanwhile, looks up whether it was committed. `lastId` is the id that
   * the appliance row has if it was.
   */
  commit(xid: string, lastId: string): Promise<Outcome>;
  /** Gives up a connection that was lost; the next transaction opens another one. */
  forget(): void;
  close(): Promise<void>;
}

export function createLaneConnection(address: ClientConfig): LaneConnection {
  let client: Client | undefined;

  function current(): Client {
    if (client === undefined) throw new UnavailableDatabaseError(CONNECTION_LOST);
    return client;
  }

  function forget(): void {
    if (client !== undefined) drop(client);
    client = undefined;
  }

  async function open(): Promise<void> {
    if (client !== undefined) return;
    const opened = await connect(address);
    await opened.query(SETTINGS);
    client = opened;
  }

  /** An idle connection may be dead: it is replaced once. */
  async function begin(): Promise<string> {
    const isFresh = client === undefined;
    try {
      await open();
      const results = (await current().query(BEGIN)) as unknown as { rows: { xid: string }[] }[];
      return results.at(-1)!.rows[0]!.xid;
    } catch (error) {
      if (isConnectionLost(error) && !isFresh) {
        forget();
        return begin();
      }
      await rollBack();
      throw explainFailure(error);
    }
  }

  async function rollBack(): Promise<void> {
    try {
      await client?.query("rollback");
    } catch (error) {
      forget();
      if (!isConnectionLost(error)) throw error;
    }
  }

  /** The lock waits until the server has ended the transaction. If a standby took over without it, the last id is an earlier one. */
  async function lookUp(xid: string, lastId: string): Promise<Outcome> {
    await begin();
    const { rows } = await current().query<{ status: string | null; last_id: string }>(
      "select pg_xact_status($1::xid8) as status, last_id from appliance where id = 1",
      [xid],
    );
    await rollBack();
    const [row] = rows;
    if (row?.status === "aborted" || (row !== undefined && row.last_id < lastId)) return "lost";
    return row?.status === "committed" ? "committed" : "unknown";
  }

  async function keepLookingUp(xid: string, lastId: string): Promise<Outcome> {
    for (let lookups = 1; lookups <= LOOKUPS_MAX; lookups += 1) {
      try {
        return await lookUp(xid, lastId);
      } catch (error) {
        forget();
        if (!(explainFailure(error) instanceof UnavailableDatabaseError)) throw error;
        await new Promise<void>((done) => setTimeout(done, LOOKUP_PAUSE_MS));
      }
    }
    return "unknown";
  }

  return {
    query: (query) => current().query(query as QueryConfig<unknown[]>),
    begin,
    rollBack,
    async commit(xid, lastId) {
      try {
        const { command } = await current().query("commit");
        // A transaction that had failed answers ROLLBACK.
        return command === "COMMIT" ? "committed" : "lost";
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        forget();
        return keepLookingUp(xid, lastId);
      }
    },
    forget,
    async close() {
      const ending = client;
      client = undefined;
      await ending?.end();
    },
  };
}

const CONNECTION_LOST = { en: "the connection was lost", el: "η σύνδεση χάθηκε" };
