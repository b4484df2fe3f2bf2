/**
 * The connection of the writer to PostgreSQL. Each transaction locks the appliance row, which it reads and changes anyway, so that those of
 * all servers follow one another. If the connection is lost during a commit, looks up whether it was stored. See
 * docs/decisions/0015-two-engines.md.
 */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Client, ClientConfig, QueryConfig, QueryResult } from "pg";
import { UnavailableDatabaseError } from "../database/errors.ts";
import { idBodyAt, msOfIdBody } from "../database/ids.ts";
import { connectToWrite, DATABASE_MS, type DatabaseClock, drop } from "./postgres-connection.ts";
import { statement } from "../database/session.ts";
import { selectHead, type WritingConnection } from "../database/transactions.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";

/** How often the outcome of an interrupted commit is looked up, about once a second. */
const LOOKUPS_MAX = 10;
const LOOKUP_PAUSE_MS = 1000;

/** For how long the count of a process is kept that did not end properly, by the times in the ids. */
const KEPT_MS = 7 * 86_400_000;

/** Whether the count of a process whose last id is `lastId` may have been deleted when `newest` was. */
function isOld(lastId: string, newest: string): boolean {
  return lastId < idBodyAt(msOfIdBody(newest) - KEPT_MS);
}

/** How often a transaction runs again because its connection was lost. */
const REPEATS_MAX = 3;

export interface Lane extends WritingConnection {
  /** Between two transactions. No other one begins. */
  close(): Promise<void>;
}

export function createLane(address: ClientConfig, clock: DatabaseClock): Lane {
  /** The row in `lanes` that counts the commits of this connection and its successors. */
  let lane = randomUUID();
  let commits = 0;
  /** The last ids of the last commit that was counted, and of all that were committed when the last transaction began. */
  let lastId = "";
  let newest = "";
  let client: Client | undefined;
  let isClosed = false;

  const session = new PostgresSession({ query: send });

  function renewLane(): void {
    lane = randomUUID();
    commits = 0;
  }

  function current(): Client {
    if (client === undefined) throw new UnavailableDatabaseError(CONNECTION_LOST);
    return client;
  }

  function forget(): void {
    if (client !== undefined) drop(client);
    client = undefined;
  }

  function send(query: string | QueryConfig<unknown[]>): Promise<QueryResult> {
    return current().query(query as QueryConfig<unknown[]>);
  }

  /** Returns what the transaction found; undefined in a database without an appliance. */
  async function start(): Promise<Found | undefined> {
    const isFresh = client === undefined;
    try {
      client ??= await connectToWrite(address);
      const sentMs = clock.nowMs();
      const [, , found] = await Promise.all([send(BEGIN), send(LOCK), session.first(readHead, { lane })]);
      if (found !== undefined) clock.follow(found.ms, sentMs);
      return found;
    } catch (error) {
      if (!isConnectionLost(error) || isFresh) throw error;
      // An idle connection may be dead: it is replaced once.
      forget();
      return start();
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

  /**
   * Looks up whether a transaction was committed whose connection was lost; undefined if that is not known. It comes after the server
   * has ended the transaction. A standby that took over without it has fewer commits.
   */
  async function lookUp(committing: string): Promise<boolean | undefined> {
    const found = await start();
    await rollBack();
    if (found === undefined) return false;
    return isOld(committing, found.last_id) ? undefined : found.commits > commits;
  }

  async function keepLookingUp(committing: string): Promise<boolean | undefined> {
    for (let lookups = 1; lookups <= LOOKUPS_MAX; lookups += 1) {
      try {
        return await lookUp(committing);
      } catch (error) {
        forget();
        if (!(explainFailure(error) instanceof UnavailableDatabaseError)) throw error;
        await new Promise<void>((done) => setTimeout(done, LOOKUP_PAUSE_MS));
      }
    }
    return undefined;
  }

  /** Throws if nothing was stored, or if that is not known. */
  async function commit(committing: string): Promise<void> {
    try {
      const counting = session.run(countCommit, { lane, commits: commits + 1, lastId: committing });
      const [, { command }] = await Promise.all([counting, send("commit")]);
      // The answer if one of the transaction's statements had failed.
      if (command === "ROLLBACK") throw new UnavailableDatabaseError(ROLLED_BACK);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      forget();
      const isStored = await keepLookingUp(committing);
      if (isStored === false) throw error;
      if (isStored === undefined) {
        // It may be stored yet, and must not be taken for a later one.
        renewLane();
        throw new UnavailableDatabaseError(UNKNOWN);
      }
    }
    commits += 1;
    lastId = committing;
  }

  async function persist<T>(attempt: () => Promise<T>): Promise<T> {
    for (let repeatsLeft = REPEATS_MAX; ; repeatsLeft -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (repeatsLeft === 0 || !isConnectionLost(error)) throw explainFailure(error);
      }
    }
  }

  /** Deletes the counts of this process, and of those that were killed long ago. */
  async function deleteCounts(): Promise<void> {
    if (commits === 0) return;
    const oldest = idBodyAt(msOfIdBody(newest) - KEPT_MS);
    await client?.query("set synchronous_commit = off");
    await client?.query({ text: DELETE_COUNTS, values: [lane, oldest] });
  }

  return {
    session,
    async begin() {
      if (isClosed) throw new UnavailableDatabaseError(CLOSED);
      const head = await start();
      const counted = head?.commits ?? 0;
      newest = head?.last_id ?? "";
      if (commits > 0 && counted === 0 && isOld(lastId, newest)) renewLane();
      return { head, hasLostCommits: counted < commits };
    },
    commit,
    rollBack: async (error) => (isConnectionLost(error) ? forget() : rollBack()),
    persist,
    async close() {
      isClosed = true;
      // Otherwise a later process deletes them.
      await deleteCounts().catch(() => undefined);
      forget();
    },
  };
}

const BEGIN = "begin isolation level read committed read write";

/** A lock of a row needs rights on the table; an advisory lock could be taken by any role that may connect. */
const LOCK = { name: "fiscal_lock", text: "select 1 from appliance where id = 1 for update" };

/** A statement after that of the lock, so that it sees what was committed while that one waited. */
const readHead = statement<{ lane: string }>()((db, p) =>
  selectHead(db, sql<number>`(select version from schema_version)`).select([
    sql<number>`coalesce((select commits from lanes where lane = ${p.lane}), 0)`.as("commits"),
    sql.raw<number>(DATABASE_MS).as("ms"),
  ]),
);

type Found = NonNullable<(typeof readHead)["row"]>;

const countCommit = statement<{ lane: string; commits: number; lastId: string }>()(
  (_, p) => sql`
    insert into lanes (lane, commits, last_id) values (${p.lane}, ${p.commits}, ${p.lastId})
    on conflict (lane) do update set commits = excluded.commits, last_id = excluded.last_id`,
);

const DELETE_COUNTS = "delete from lanes where lane = $1 or last_id < $2";

const ROLLED_BACK = { en: "the transaction was rolled back", el: "η συναλλαγή ακυρώθηκε" };
const UNKNOWN = {
  en: "the connection was lost during a commit, and whether it was stored is not known",
  el: "η σύνδεση χάθηκε κατά την αποθήκευση και δεν είναι γνωστό αν ολοκληρώθηκε",
};
const CLOSED = { en: "the program is ending", el: "το πρόγραμμα τερματίζεται" };
const CONNECTION_LOST = { en: "the connection was lost", el: "η σύνδεση χάθηκε" };
