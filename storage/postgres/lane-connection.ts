/** The connection of the writer: its transactions, one at a time on all servers, and what became of one whose connection was lost. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Client, ClientConfig, QueryConfig, QueryResult } from "pg";
import { UnavailableDatabaseError } from "../database/errors.ts";
import { idBodyAt, msOfIdBody } from "../database/ids.ts";
import { connectToWrite, DATABASE_MS, type DatabaseClock, drop } from "./postgres-connection.ts";
import { statement } from "../database/session.ts";
import { type Head, selectHead } from "../database/transactions.ts";
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

/** `lost`: nothing was stored. */
export type CommitOutcome = "committed" | "lost" | "unknown";

export interface LaneConnection {
  /** Of its transactions. */
  session: PostgresSession;
  /**
   * Begins a transaction when that of no other server is open, and keeps theirs waiting. Returns the appliance row, and whether commits
   * of this connection are missing from the database.
   */
  begin(): Promise<{ head: Head | undefined; hasLostCommits: boolean }>;
  rollBack(): Promise<void>;
  /**
   * Commits. If the connection is lost meanwhile, looks up whether the transaction was committed. `lastId` is the last id that this
   * process has created.
   */
  commit(lastId: string): Promise<CommitOutcome>;
  /** Gives up a connection that was lost; the next transaction opens another one. */
  forget(): void;
  /** Between two transactions. No other one begins. */
  close(): Promise<void>;
}

export function createLaneConnection(address: ClientConfig, clock: DatabaseClock): LaneConnection {
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

  /** What is sent before the event loop goes on leaves in one write. */
  function send(query: string | QueryConfig<unknown[]>): Promise<QueryResult> {
    const { stream } = current().connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
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
      // An idle connection may be dead: it is replaced once.
      if (isConnectionLost(error) && !isFresh) {
        forget();
        return start();
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

  /** It comes after the server has ended the transaction. A standby that took over without it has fewer commits. */
  async function lookUp(committing: string): Promise<CommitOutcome> {
    const found = await start();
    await rollBack();
    if (found === undefined) return "lost";
    if (isOld(committing, found.last_id)) return "unknown";
    return found.commits > commits ? "committed" : "lost";
  }

  async function keepLookingUp(committing: string): Promise<CommitOutcome> {
    for (let lookups = 1; lookups <= LOOKUPS_MAX; lookups += 1) {
      try {
        return await lookUp(committing);
      } catch (error) {
        forget();
        if (!(explainFailure(error) instanceof UnavailableDatabaseError)) throw error;
        await new Promise<void>((done) => setTimeout(done, LOOKUP_PAUSE_MS));
      }
    }
    return "unknown";
  }

  async function tryCommit(committing: string): Promise<CommitOutcome> {
    try {
      const counting = send({ ...COUNT_COMMIT, values: [lane, commits + 1, committing] });
      const [, { command }] = await Promise.all([counting, send("commit")]);
      // A transaction that had failed answers ROLLBACK.
      return command === "COMMIT" ? "committed" : "lost";
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      forget();
      return keepLookingUp(committing);
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
    rollBack,
    async commit(committing) {
      const outcome = await tryCommit(committing);
      if (outcome === "committed") {
        commits += 1;
        lastId = committing;
      }
      // It may be stored yet, and must not be taken for a later one.
      if (outcome === "unknown") renewLane();
      return outcome;
    },
    forget,
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

const COUNT_COMMIT = {
  name: "fiscal_count_commit",
  text:
    "insert into lanes (lane, commits, last_id) values ($1, $2, $3)" +
    " on conflict (lane) do update set commits = excluded.commits, last_id = excluded.last_id",
};

const DELETE_COUNTS = "delete from lanes where lane = $1 or last_id < $2";

const CLOSED = { en: "the program is ending", el: "το πρόγραμμα τερματίζεται" };
const CONNECTION_LOST = { en: "the connection was lost", el: "η σύνδεση χάθηκε" };
