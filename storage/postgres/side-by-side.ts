/**
 * Runs the units of one transaction at the same time, each with its own session, so that their statements share the round trips
 * to the server. Other servers do the same, so each unit relies only on what a constraint, a guarded statement or a taken
 * name ensures.
 */
import type { CountingSession } from "../database/session.ts";
import { type Job, NotAloneError, type Transaction } from "../database/write.ts";
import { PostgresSession, type Queryable } from "./postgres-session.ts";
import { UnavailableDatabaseError } from "../database/errors.ts";

export interface Settled {
  job: Job;
  value: unknown;
}

export interface BesideResults {
  settled: Settled[];
  /** Units that threw before they changed anything. */
  refused: { job: Job; error: unknown }[];
  /** Units that need to be alone, and changed nothing. */
  postponed: Job[];
}

type Build = (session: CountingSession, take: Transaction["take"]) => Transaction;

/** The first number belongs to the tables of one schema; the name is hashed into the second one. */
const TAKE = {
  name: "fiscal_take",
  text:
    "select name from unnest($1::text[]) as name" +
    " where pg_try_advisory_xact_lock('appliance'::regclass::oid::bigint::bit(32)::int, hashtext(name))",
};

/**
 * Returns `failed` if the transaction must be rolled back, because a unit failed in SQL or threw after a change. Throws if the
 * connection is lost. All units have ended by then.
 */
export async function runBeside(
  jobs: readonly Job[],
  connection: Queryable,
  build: Build,
): Promise<BesideResults | "failed"> {
  const results: BesideResults = { settled: [], refused: [], postponed: [] };
  const taken = new Set<string>();
  let hasFailed = false;
  let lost: UnavailableDatabaseError | undefined;

  /** No name goes to two units: they would not wait for each other in their own transaction. */
  async function take(names: readonly string[]): Promise<readonly string[]> {
    const free = [...new Set(names)].filter((name) => !taken.has(name));
    if (free.length === 0) return [];
    for (const name of free) taken.add(name);
    const { rows } = await connection.query({ ...TAKE, values: [free] });
    return (rows as { name: string }[]).map(({ name }) => name);
  }

  async function run(job: Job): Promise<void> {
    const session = new PostgresSession(connection);
    try {
      const value = await job.unit(build(session, take));
      if (session.failures > 0) throw new Error("A unit continued after one of its statements had failed");
      results.settled.push({ job, value });
    } catch (error) {
      if (error instanceof UnavailableDatabaseError) lost = error;
      else if (session.failures > 0 || session.changes > 0) hasFailed = true;
      else if (error instanceof NotAloneError) results.postponed.push(job);
      else results.refused.push({ job, error });
    }
  }

  await Promise.all(jobs.filter(({ company }) => company === "beside").map(run));
  // The others have ended, so what they took is of no importance any more.
  taken.clear();
  for (const job of jobs) if (job.company === "after" && !hasFailed && lost === undefined) await run(job);
  if (lost !== undefined) throw lost;
  return hasFailed ? "failed" : results;
}
