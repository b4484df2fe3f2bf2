/**
 * Commits batches of units in PostgreSQL. A unit that is known to be correct beside others shares its transaction with the other
 * ones of its turn, while other servers do the same; every other unit is alone, as with SQLite. Whatever goes wrong in a
 * shared transaction, its units run again alone. See docs/decisions/0016-side-by-side.md.
 */
import { sql } from "kysely";
import type { ClientConfig } from "pg";
import { UnavailableDatabaseError } from "../database/errors.ts";
import { createTransactions, type TransactionOptions } from "../database/transactions.ts";
import type { CommitBatch, Job, News, Transaction } from "../database/write.ts";
import { hold } from "../upkeep/held.ts";
import { msOfIdBody } from "../database/ids.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type Beginning, createLaneConnection } from "./lane-connection.ts";
import type { Memory } from "./lost-writes.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";
import { EVENTS_MAX, LINK, PENDING, type PendingEvent } from "./sealer.ts";
import { runBeside, type Settled } from "./side-by-side.ts";

const STORED_VERSION = sql<number>`(select version from schema_version)`;

const ROLLED_BACK = { en: "the transaction was rolled back", el: "η συναλλαγή ακυρώθηκε" };
const UNKNOWN = {
  en: "the connection was lost during a commit, and whether it was stored is not known",
  el: "η σύνδεση χάθηκε κατά την αποθήκευση και δεν είναι γνωστό αν ολοκληρώθηκε",
};

/** How often a batch runs again because its connection was lost. */
const REPEATS_MAX = 3;

/**
 * How an attempt ended. `failed`: a unit failed in SQL, and the transaction with it. `lost`: the connection, before the commit.
 * `held`: the database had lost writes, and the appliance is held now.
 */
type Ending = "done" | "failed" | "lost" | "held";

export interface Lane {
  commit: CommitBatch;
  close(): Promise<void>;
}

export interface LaneOptions extends Omit<TransactionOptions, "schemaVersion"> {
  memory: Memory;
  /** Called when the appliance is held because the database lost writes. */
  onLostWrites(): void;
  /** Called after each commit of a transaction that was beside others. */
  onCommit(): void;
}

export function createLane(
  address: ClientConfig,
  clock: DatabaseClock,
  { memory, onLostWrites, onCommit, ...options }: LaneOptions,
): Lane {
  const connection = createLaneConnection(address, clock);
  const session = new PostgresSession(connection);
  const transactions = createTransactions(session, clock.nowMs, {
    ...options,
    schemaVersion: STORED_VERSION,
  });
  /** Jobs that were already rejected. They do not run again with the rest of their batch. */
  const rejected = new WeakSet<Job>();
  /** When the last hold had ended, as the last transaction that was committed found it. */
  let resumedAt: string | null = null;

  function reject(job: Job, error: unknown): void {
    rejected.add(job);
    job.reject(error);
  }

  /** Runs a unit. False if it failed in SQL, which ends the transaction unless the unit has a savepoint. */
  async function runUnit(
    job: Job,
    trx: Transaction,
    settled: Settled[],
    isGuarded: boolean,
  ): Promise<boolean> {
    const { changes, failures } = session;
    const chainBefore = transactions.chainHead();
    if (isGuarded) await connection.query("savepoint unit");
    try {
      const value = await job.unit(trx);
      if (session.failures !== failures)
        throw new Error("A unit continued after one of its statements had failed");
      settled.push({ job, value });
    } catch (error) {
      if (error instanceof UnavailableDatabaseError) throw error;
      reject(job, error);
      if (!isGuarded && (session.changes !== changes || session.failures !== failures)) return false;
      if (isGuarded) await connection.query("rollback to unit");
      transactions.resetChain(chainBefore);
    }
    if (isGuarded) await connection.query("release unit");
    return true;
  }

  async function attemptAlone(
    jobs: readonly Job[],
    notify: (news: News) => void,
    isGuarded: boolean,
  ): Promise<Ending> {
    const settled: Settled[] = [];
    const beginning = await connection.begin("alone");
    const trx = await transactions.open(beginning.newest);
    if (hasLostWrites(beginning)) return holdAfterLoss(trx);
    await linkPending(trx, beginning);
    for (const job of jobs) {
      if (await runUnit(job, trx, settled, isGuarded)) continue;
      await connection.rollBack();
      return "failed";
    }
    await transactions.saveHead();
    const savedId = transactions.savedId();
    if (savedId > beginning.sealed)
      await connection.query({ text: "update sealed set through = $1", values: [savedId] });
    return finish(settled, notify);
  }

  /** Events of transactions that ran beside others, all of which have ended. */
  async function linkPending(trx: Transaction, { newest, sealed }: Beginning): Promise<void> {
    if (newest <= sealed) return;
    for (;;) {
      const values = [transactions.chainHead().id, `evt_${newest}`, EVENTS_MAX];
      const { rows } = await connection.query({ ...PENDING, values });
      const events = rows as PendingEvent[];
      const links = events.map((event) => trx.extendChain(event.id, event.chain, event.document_id));
      if (events.length > 0) await connection.query({ ...LINK, values: [events.map(({ id }) => id), links] });
      if (events.length < EVENTS_MAX) return;
    }
  }

  /** Puts the jobs that need to be alone into `postponed`. */
  async function attemptBeside(
    jobs: readonly Job[],
    notify: (news: News) => void,
    postponed: Job[],
  ): Promise<Ending> {
    const beginning = await connection.begin("beside");
    const build = await transactions.openBeside(beginning.newest);
    if (hasLostWrites(beginning)) {
      await connection.rollBack();
      return "failed";
    }
    const results = await runBeside(jobs, connection, build);
    if (results === "failed") {
      await connection.rollBack();
      return "failed";
    }
    for (const { job, error } of results.refused) reject(job, error);
    postponed.push(...results.postponed);
    if (results.settled.length === 0) {
      await connection.rollBack();
      return "done";
    }
    const ending = await finish(results.settled, notify);
    if (ending === "done") onCommit();
    return ending;
  }

  async function finish(settled: readonly Settled[], notify: (news: News) => void): Promise<Ending> {
    const outcome = await connection.commit(transactions.lastId());
    if (outcome === "lost") return "lost";
    if (outcome === "unknown") {
      for (const { job } of settled) reject(job, new UnavailableDatabaseError(UNKNOWN));
      return "done";
    }
    ({ resumedAt } = transactions.stored());
    memory.remember({ ...transactions.stored(), lastId: transactions.savedId() });
    for (const { job, value } of settled) job.resolve(value);
    for (const news of transactions.takeNews()) notify(news);
    return "done";
  }

  function hasLostWrites({ hasLostCommits }: Beginning): boolean {
    const stored = transactions.stored();
    // After another server has held the appliance for the same loss, and it was resumed, the database counts as it is.
    return (hasLostCommits && stored.resumedAt === resumedAt) || memory.isLost(stored);
  }

  /** What was sent since is unknown here, as after a restored backup. */
  async function holdAfterLoss(trx: Transaction): Promise<Ending> {
    const stored = transactions.stored();
    await hold(trx, new Date(msOfIdBody(stored.lastId)).toISOString());
    const outcome = await connection.commit(transactions.lastId());
    if (outcome === "unknown") throw new UnavailableDatabaseError(UNKNOWN);
    if (outcome === "lost") return "lost";
    memory.remember(stored);
    transactions.restartChain();
    onLostWrites();
    return "held";
  }

  /** Rolls back after an error outside of the units. */
  async function recover(error: unknown): Promise<Ending> {
    const cause = error instanceof UnavailableDatabaseError ? error.cause : error;
    if (!isConnectionLost(cause)) {
      await connection.rollBack();
      throw explainFailure(error);
    }
    connection.forget();
    return "lost";
  }

  /** Runs `attempt` again, at most three times, while its connection is lost. */
  async function persist(attempt: () => Promise<Ending>): Promise<Exclude<Ending, "lost">> {
    for (let repeatsLeft = REPEATS_MAX; ; repeatsLeft -= 1) {
      let failure: unknown = new UnavailableDatabaseError(ROLLED_BACK);
      const ending = await attempt().catch((error: unknown) => {
        failure = explainFailure(error);
        return recover(error);
      });
      if (ending !== "lost") return ending;
      if (repeatsLeft === 0) throw failure;
    }
  }

  const remaining = (jobs: readonly Job[]) => jobs.filter((job) => !rejected.has(job));

  /** Runs the units again with savepoints after one failed in SQL. */
  async function commitAlone(batch: readonly Job[], notify: (news: News) => void): Promise<void> {
    let isGuarded = false;
    for (;;) {
      const jobs = remaining(batch);
      if (jobs.length === 0) return;
      const ending = await persist(() => attemptAlone(jobs, notify, isGuarded));
      if (ending === "done") return;
      if (ending === "failed") isGuarded = true;
    }
  }

  /** Returns the jobs that must run alone. */
  async function commitBeside(batch: readonly Job[], notify: (news: News) => void): Promise<readonly Job[]> {
    if (batch.length === 0) return [];
    let postponed: Job[] = [];
    const ending = await persist(() => {
      postponed = [];
      return attemptBeside(remaining(batch), notify, postponed);
    });
    return ending === "done" ? postponed : remaining(batch);
  }

  return {
    async commit(batch, notify) {
      try {
        const together = batch.filter(({ company }) => company !== "alone");
        const alone = batch.filter(({ company }) => company === "alone");
        const postponed = await commitBeside(together, notify);
        await commitAlone([...postponed, ...alone], notify);
      } catch (error) {
        for (const job of remaining(batch)) job.reject(error);
      }
    },
    async close() {
      memory.close();
      await connection.close();
    },
  };
}
