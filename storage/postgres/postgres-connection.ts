/** Connects to PostgreSQL, checks that the server and what is in front of it can be used, and follows its clock. */
import { Client, type ClientConfig, Pool, type QueryConfig, type QueryResult } from "pg";
import { StorageError } from "../database/errors.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";
import { type Queryable, TYPES } from "./postgres-session.ts";

const CONNECT_MS = 5000;
/** A connection that answers nothing for this long is given up. Longer than any wait for a lock. */
const ANSWER_MS = 60_000;
/** Connections for reads, of one process. */
const READERS_MAX = 8;
const OLDEST_VERSION = 15;

function optionsOf(address: ClientConfig) {
  return {
    ...address,
    application_name: "fiscal",
    types: TYPES,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    // Lets a unit run several statements at once.
    pipeline: true,
  };
}

/** Opens a connection of its own. Throws UnavailableDatabaseError if the server cannot be reached. */
export async function connect(address: ClientConfig): Promise<Client> {
  const client = new Client(optionsOf(address));
  // The query under way, or the next one, reports the loss. Without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    drop(client);
    throw explainFailure(error);
  }
}

/**
 * Each statement finds its rows by an index, as in SQLite. While tables are small or new, PostgreSQL would rather read them whole, and it
 * keeps that plan of a prepared statement while they grow. For a portion of a large table it would start further processes, which takes
 * longer than to read it. `jit`: versions before 18 would compile what reads a table whole nevertheless.
 */
export const PLANNING = ["seqscan", "hashjoin", "mergejoin"]
  .map((way) => `set enable_${way} = off`)
  .concat("set max_parallel_workers_per_gather = 0", "set jit = off")
  .join("; ");

/**
 * Each commit waits until it is on disk, even if the server is set up otherwise. The server ends a transaction that is idle for
 * long, because its process has stopped, so that the others can go on.
 */
const WRITING = [
  PLANNING,
  "set lock_timeout = '15s'",
  "set idle_in_transaction_session_timeout = '20s'",
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')",
].join("; ");

/** Opens a connection for transactions that others wait for. */
export async function connectToWrite(address: ClientConfig): Promise<Client> {
  const client = await connect(address);
  try {
    await client.query(WRITING);
    return client;
  } catch (error) {
    drop(client);
    throw explainFailure(error);
  }
}

/** Closes a connection without waiting for its server, which may be gone. */
export function drop(client: Client): void {
  client.end().catch(() => undefined);
  client.connection.stream.destroy();
}

export function createReaders(address: ClientConfig): Pool {
  const pool = new Pool({
    ...optionsOf(address),
    max: READERS_MAX,
    allowExitOnIdle: true,
    onConnect: async (client) =>
      void (await client.query(`${PLANNING}; set default_transaction_read_only = on`)),
  });
  pool.on("error", () => undefined);
  // The pool does not listen while somebody uses the connection for several statements.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** A request waits no longer than this for its count. */
const COUNTED_MS = 5000;

/** A connection for counters alone, opened when it is first needed. */
export function createCounting(address: ClientConfig): Pool {
  const pool = new Pool({ ...optionsOf(address), max: 1, query_timeout: COUNTED_MS, allowExitOnIdle: true });
  pool.on("error", () => undefined);
  return pool;
}

/** The pool notices in this time that all its idle connections were cut. */
const NOTICE_MS = 50;

/** Reads on any connection of `pool`. After a lost connection a read is repeated, at most twice: several may have been lost. */
export function readingFrom(pool: Pool): Queryable {
  async function read(config: QueryConfig<unknown[]>, repeats: number): Promise<QueryResult> {
    try {
      return await pool.query(config);
    } catch (error) {
      if (!isConnectionLost(error) || repeats === 0) throw error;
      await new Promise<void>((done) => setTimeout(done, NOTICE_MS));
      return read(config, repeats - 1);
    }
  }
  return { query: (config) => read(config, 2) };
}

interface ServerRow {
  version: number;
  encoding: string;
  is_standby: number;
}

/** Throws StorageError if the server is too old, a standby, has another encoding, or is behind a pooler that mixes sessions. */
export async function checkServer(one: Client, address: ClientConfig): Promise<void> {
  const { rows } = await one.query<ServerRow>(
    "select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding," +
      " pg_is_in_recovery() as is_standby",
  );
  const [server] = rows;
  if (server === undefined || server.version < OLDEST_VERSION)
    throw new StorageError({
      en: `The database server is PostgreSQL ${server?.version}; fiscal needs version ${OLDEST_VERSION} or later`,
      el: `Ο διακομιστής της βάσης είναι PostgreSQL ${server?.version}· το fiscal χρειάζεται έκδοση ${OLDEST_VERSION} ή νεότερη`,
    });
  if (server.encoding !== "UTF8")
    throw new StorageError({
      en: `The database has the encoding ${server.encoding}; create one with UTF8`,
      el: `Η βάση έχει κωδικοποίηση ${server.encoding}· δημιουργήστε μία με UTF8`,
    });
  if (server.is_standby === 1)
    throw new StorageError({
      en: "The database server is a standby, which cannot be written; name the primary in storage.url",
      el: "Ο διακομιστής της βάσης είναι εφεδρικός και δεν δέχεται εγγραφές· δώστε τον κύριο στο storage.url",
    });
  await refuseSharedSessions(one, address);
}

/**
 * Two connections that are open at the same time have two server processes, and keep them, unless a pooler gives each transaction
 * any of its own connections: then prepared statements and session settings go astray. It may give them the one that was used last,
 * so that both have the same process, or each in turn, so that the process of one changes.
 */
async function refuseSharedSessions(one: Client, address: ClientConfig): Promise<void> {
  const other = await connect(address);
  try {
    const process = async (client: Client) =>
      (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
    const own = await process(one);
    const isKept = (await process(one)) === own;
    const others = await process(other);
    if (isKept && own !== others && (await process(one)) === own && (await process(other)) === others) return;
  } finally {
    drop(other);
  }
  throw new StorageError({
    en: "A pooler in front of the database gives each transaction another connection (PgBouncer's pool_mode = transaction or statement); set pool_mode = session, or name the database server itself in storage.url",
    el: "Ένας pooler μπροστά από τη βάση δίνει σε κάθε συναλλαγή άλλη σύνδεση (pool_mode = transaction ή statement στον PgBouncer)· ορίστε pool_mode = session ή δώστε τον ίδιο τον διακομιστή στο storage.url",
  });
}

/**
 * The clock of the database server, which all servers go by: a lease that one of them takes ends at the same time for the others.
 * Each transaction compares it when it begins.
 */
export interface DatabaseClock {
  /** The database's time, as far as it is known here. */
  nowMs(): number;
  /** The database said `theirMs` between `sentMs`, by `nowMs`, and now. */
  follow(theirMs: number, sentMs: number): void;
}

/** The database's time in milliseconds, in SQL. */
export const DATABASE_MS = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

export async function compareClocks(client: Client, clock: DatabaseClock): Promise<void> {
  const sentMs = clock.nowMs();
  const { rows } = await client.query<{ ms: number }>(`select ${DATABASE_MS} as ms`);
  for (const { ms } of rows) clock.follow(ms, sentMs);
}
