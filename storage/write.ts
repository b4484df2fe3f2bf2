/**
 * The one way to change anything. `write(unit)` runs the unit in a durable transaction and resolves once it is on disk.
 * Units that arrive in one turn of the event loop share a transaction and an fsync (group commit). A unit that throws
 * harms no other: it is rejected alone. A unit may be run twice (when one beside it failed after having written), so
 * it does nothing but use its transaction, and never waits for anything but it.
 */
import { sql } from "kysely";
import { CHAIN_START, type ChainHead, linkAfter } from "./event-chain.ts";
import { createIdGenerator, type IdPrefix } from "./ids.ts";
import { isBusy, NewerSchemaError, StorageError } from "./errors.ts";
import { statement } from "./statement.ts";
import type { Session, SqliteSession } from "./session.ts";

export interface Transaction extends Session {
  /** A new id, above every id that any process made before. */
  newId(prefix: IdPrefix): string;
  /**
   * The instant of the write, for what is recorded: ISO text, the same for all units of one commit. Never before the last
   * id, so that it stands still where a clock was set back.
   */
  readonly now: string;
  readonly nowMs: number;
  /** What the clock says, for what is waited for: due times and leases, which must pass whatever the clock did before. */
  readonly clockMs: number;
  /**
   * Puts what has the id and the digest at the end of the chain of events, and answers its link. The id is the newest of the
   * chain: one below another is an error.
   */
  extendChain(id: string, digest: Uint8Array): Uint8Array;
  /** Whether the appliance was held when the transaction began (held.ts): read with what every transaction reads anyway. */
  readonly isHeld: boolean;
  /** Tells whoever waits for `news` of it, once the transaction is on disk; in vain where its unit is rolled back after all. */
  tell(news: News): void;
}

/** What a transaction can bring that somebody in this process waits for. */
export type News = "deliveries";

export type Unit<T> = (trx: Transaction) => Promise<T>;

interface Job {
  unit: Unit<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** More units than this wait for the next transaction, so that no commit keeps its first unit waiting for long. */
const BATCH_MAX = 256;
/** How long a write waits for another process's transaction before it gives up. */
const LOCK_WAIT_MS_MAX = 15_000;
const LOCK_RETRY_MS_MAX = 8;
/** A log's rows behind an answer would cost a commit of their own, as much as what they are about. */
const DEFER_MS = 50;

/** More than this waits only where nothing can be written for long: memory is not what pays for that. */
const DEFERRED_MAX = 10_000;
const TOO_MUCH_DEFERRED = {
  en: "The database cannot be written, and too many writes are waiting for it already; this one was dropped",
  el: "Η βάση δεν δέχεται εγγραφές και ήδη περιμένουν πάρα πολλές· αυτή παραλείφθηκε",
};

const readAppliance = statement<object>()((db) =>
  db
    .selectFrom("appliance")
    .select(["last_id", "key_check", "chain_id", "chain", "state"])
    .select(sql<number>`(select user_version from pragma_user_version)`.as("schema"))
    .where("id", "=", 1),
);
const keepLastId = statement<{ lastId: string; chainId: string; chain: Uint8Array }>()((db, p) =>
  db
    .updateTable("appliance")
    .set({ last_id: p.lastId, chain_id: p.chainId, chain: p.chain })
    .where("id", "=", 1),
);

export interface Writer {
  write<T>(unit: Unit<T>): Promise<T>;
  /**
   * The same for what nobody waits for, such as a log: it goes along with the next write, or by itself after a short
   * while. A power cut within that while loses it.
   */
  defer(unit: Unit<void>): Promise<void>;
  /** Calls `listener` after each commit that brought `news`. */
  onNews(news: News, listener: () => void): void;
  /** Resolves once everything handed in so far is on disk or refused. */
  idle(): Promise<void>;
}

export interface WriterOptions {
  /** Told the appliance's check of its master key in each transaction, before its first unit. */
  followKey?(keyCheck: Uint8Array): void;
  /** A newer program may bring the schema up while this one runs: nothing is written to a higher one. */
  newestSchema?: number;
}

export function createWriter(
  session: SqliteSession,
  nowMs: () => number,
  { followKey = () => {}, newestSchema = Number.POSITIVE_INFINITY }: WriterOptions = {},
): Writer {
  const ids = createIdGenerator();
  let waiting: Job[] = [];
  let deferred: Job[] = [];
  let deferredTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  /** The end of the chain of events, as the present transaction has it. */
  let chain: ChainHead = CHAIN_START;
  let isHeld = false;
  const listeners = new Map<News, () => void>();
  const told = new Set<News>();

  function write<T>(unit: Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ unit, resolve: resolve as (value: unknown) => void, reject });
      start();
    });
  }

  function defer(unit: Unit<void>): Promise<void> {
    if (deferred.length + waiting.length >= DEFERRED_MAX)
      return Promise.reject(new StorageError(TOO_MUCH_DEFERRED));
    return new Promise<void>((resolve, reject) => {
      deferred.push({ unit, resolve: resolve as (value: unknown) => void, reject });
      if (deferred.length >= BATCH_MAX) start();
      else startLater();
    });
  }

  function startLater(): void {
    deferredTimer ??= setTimeout(() => {
      deferredTimer = undefined;
      start();
    }, DEFER_MS);
  }

  function start(): void {
    running ??= new Promise<void>((done) => setImmediate(() => void drain().finally(done)));
  }

  /** What the next transaction does: everything that waits, and what was put off until there is one. */
  function takeBatch(): Job[] {
    clearTimeout(deferredTimer);
    deferredTimer = undefined;
    const all = deferred.length === 0 ? waiting : [...waiting, ...deferred];
    deferred = [];
    waiting = all.slice(BATCH_MAX);
    return all.length <= BATCH_MAX ? all : all.slice(0, BATCH_MAX);
  }

  async function drain(): Promise<void> {
    while (waiting.length + deferred.length > 0) {
      await commit(takeBatch());
      if (waiting.length === 0) break;
      // Whatever arrived meanwhile is collected for one more turn, so that it shares the next transaction.
      await new Promise<void>((turn) => setImmediate(turn));
    }
    running = undefined;
    if (deferred.length > 0) startLater();
  }

  /** Runs the batch; when one unit fails after having written, the others run again, each behind a savepoint. */
  async function commit(batch: readonly Job[]): Promise<void> {
    const done = await attempt(batch, false);
    if (done.kind === "again") await attempt(done.rest, true);
  }

  async function attempt(
    batch: readonly Job[],
    guarded: boolean,
  ): Promise<{ kind: "done" } | { kind: "again"; rest: Job[] }> {
    const settled: { job: Job; value: unknown }[] = [];
    try {
      await begin();
    } catch (error) {
      for (const job of batch) job.reject(error);
      return { kind: "done" };
    }
    try {
      const firstId = await raiseIds();
      const trx = openTransaction();
      for (const job of batch) {
        const before = session.changes;
        const chainBefore = chain;
        if (guarded) session.execute("savepoint unit");
        try {
          settled.push({ job, value: await job.unit(trx) });
        } catch (error) {
          // A full disk or a failing one ends the transaction by itself: what came after would be written outside of any.
          if (!session.isInTransaction) throw error;
          if (!guarded && session.changes !== before) {
            session.execute("rollback");
            job.reject(error);
            return { kind: "again", rest: batch.filter((other) => other !== job && !refused.has(other)) };
          }
          if (guarded) session.execute("rollback to unit");
          chain = chainBefore;
          refused.add(job);
          job.reject(error);
        }
        if (guarded) session.execute("release unit");
      }
      if (ids.last() !== firstId)
        await session.run(keepLastId, { lastId: ids.last(), chainId: chain.id, chain: chain.link });
      session.execute("commit");
    } catch (error) {
      rollbackIfOpen();
      for (const job of batch) job.reject(error);
      return { kind: "done" };
    }
    for (const { job, value } of settled) job.resolve(value);
    for (const news of told) listeners.get(news)?.();
    told.clear();
    return { kind: "done" };
  }

  /** Jobs that were rejected already: they do not run again with the rest of their batch. */
  const refused = new WeakSet<Job>();

  function openTransaction(): Transaction {
    const clockMs = nowMs();
    const ms = Math.max(clockMs, ids.lastMs());
    let now: string | undefined;
    return {
      all: (query, parameters) => session.all(query, parameters),
      first: (query, parameters) => session.first(query, parameters),
      run: (query, parameters) => session.run(query, parameters),
      query: (build) => session.query(build),
      newId: (prefix) => `${prefix}_${ids.next(ms)}`,
      nowMs: ms,
      clockMs,
      isHeld,
      extendChain,
      tell: (news) => void told.add(news),
      get now() {
        now ??= new Date(ms).toISOString();
        return now;
      },
    };
  }

  function extendChain(id: string, digest: Uint8Array): Uint8Array {
    if (id <= chain.id) throw new Error(`${id} cannot come behind ${chain.id} in the chain of events`);
    chain = { id, link: linkAfter(chain.link, digest) };
    return chain.link;
  }

  /** Goes on above the last id that any process made, and tells it; from here on values are sealed with the key in force. */
  async function raiseIds(): Promise<string> {
    const row = await session.first(readAppliance, {});
    if (row === undefined)
      throw new StorageError({
        en: "The database has no appliance row: it was not made by fiscal",
        el: "Από τη βάση λείπει η εγγραφή της συσκευής: δεν δημιουργήθηκε από το fiscal",
      });
    if (row.schema > newestSchema) throw new NewerSchemaError();
    followKey(row.key_check);
    ids.raiseTo(row.last_id);
    chain = { id: row.chain_id, link: row.chain };
    isHeld = row.state === "held";
    return ids.last();
  }

  /** Waits without blocking the event loop, as SQLite's own waiting would. */
  async function begin(): Promise<void> {
    const deadline = Date.now() + LOCK_WAIT_MS_MAX;
    for (;;) {
      try {
        session.execute("begin immediate");
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() >= deadline) {
          throw new StorageError(
            {
              en: "Another process has held the database for 15 seconds; stop it or try again",
              el: "Άλλη διεργασία κρατά τη βάση εδώ και 15 δευτερόλεπτα· σταματήστε την ή δοκιμάστε ξανά",
            },
            { cause: error },
          );
        }
        await new Promise<void>((turn) => setTimeout(turn, 1 + Math.random() * LOCK_RETRY_MS_MAX));
      }
    }
  }

  function rollbackIfOpen(): void {
    try {
      session.execute("rollback");
    } catch (error) {
      // SQLite ends the transaction itself on some failures (a full disk): then there is nothing to roll back.
      if (!(error instanceof Error) || !error.message.includes("no transaction is active")) throw error;
    }
  }

  return {
    write,
    defer,
    onNews: (news, listener) => void listeners.set(news, listener),
    async idle() {
      if (deferred.length > 0) start();
      while (running !== undefined || deferred.length > 0) {
        start();
        await running;
      }
    },
  };
}
