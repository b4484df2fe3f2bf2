/** Counters for rate limits in the database, so that all its servers count together (docs/contract.md#rate-limits-of-several-machines). */
import type { Pool } from "pg";
import type { AuditKey } from "../encryption/key-ring.ts";
import type { Counted, SharedCounters } from "../database/store.ts";
import { readingFrom } from "./postgres-connection.ts";
import { explainFailure } from "./postgres-errors.ts";

interface Request {
  /** A keyed digest of 32 bytes, in hexadecimal. A plain one could be reversed by trying all addresses. */
  digest: string;
  seconds: number;
  resolve(counted: Counted): void;
  reject(error: unknown): void;
}

interface Row {
  digest: string;
  used: number;
  endsInMs: number;
}

/** Whether the window goes on. One that ends later than a window of now would is from before the limit or the clock was changed. */
const GOES_ON =
  "counter.ends_at between statement_timestamp() and clock_timestamp() + (excluded.ends_at - statement_timestamp())";

/**
 * Adds to counters, or begins their windows. Sorted, because two statements that update the same rows in another order would wait
 * for each other. One that waited may find a window that began after it.
 */
const COUNT = `insert into shared_counters as counter (digest, used, ends_at)
  select decode(digest, 'hex'), used, statement_timestamp() + make_interval(secs => seconds)
  from unnest($1::text[], $2::bigint[], $3::bigint[]) as asked (digest, used, seconds)
  on conflict (digest) do update set
    used = excluded.used + case when ${GOES_ON} then counter.used else 0 end,
    ends_at = case when ${GOES_ON} then counter.ends_at else excluded.ends_at end
  returning encode(digest, 'hex') as digest, used,
    ceil(extract(epoch from ends_at - statement_timestamp()) * 1000)::bigint as "endsInMs"`;

/** Leaves what another server is counting or deleting. */
const DELETE_OLD = `delete from shared_counters where digest in (
  select digest from shared_counters where ends_at < statement_timestamp() for update skip locked)`;

const DELETE_EVERY_MS = 60_000;

/**
 * Requests of one turn of the event loop, and those that arrive while a statement runs, share the next statement. `pool` is only
 * for this, because transactions must not make requests wait.
 */
export function createSharedCounters(pool: Pool, auditKey: AuditKey): SharedCounters {
  const database = readingFrom(pool);
  let waiting: Request[] = [];
  let isRunning = false;
  let deletedAtMs = -Infinity;

  async function countAll(requests: readonly Request[]): Promise<void> {
    const byDigest = Map.groupBy(requests, ({ digest }) => digest);
    const digests = [...byDigest.keys()].sort();
    const asked = digests.map((digest) => byDigest.get(digest)!);
    const values = [digests, asked.map((own) => own.length), asked.map(([first]) => first!.seconds)];
    const { rows } = await database.query({ name: "fiscal_count", text: COUNT, values });
    for (const { digest, used, endsInMs } of rows as Row[]) {
      const own = byDigest.get(digest)!;
      for (const [index, request] of own.entries())
        request.resolve({ used: used - own.length + 1 + index, resetSeconds: Math.ceil(endsInMs / 1000) });
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const requests = waiting;
      waiting = [];
      try {
        await deleteOld();
        await countAll(requests);
      } catch (error) {
        for (const request of requests) request.reject(explainFailure(error));
      }
    }
    isRunning = false;
  }

  async function deleteOld(): Promise<void> {
    if (performance.now() - deletedAtMs < DELETE_EVERY_MS) return;
    deletedAtMs = performance.now();
    await database.query({ name: "fiscal_forget", text: DELETE_OLD, values: [] });
  }

  return {
    count(key, seconds) {
      const digest = auditKey.authenticate(JSON.stringify(["counter", key])).toString("hex");
      const counted = new Promise<Counted>((resolve, reject) =>
        waiting.push({ digest, seconds, resolve, reject }),
      );
      if (!isRunning) {
        isRunning = true;
        setImmediate(() => void run());
      }
      return counted;
    },
  };
}
