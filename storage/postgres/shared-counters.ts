/** Counters for rate limits in the database, so that all its servers count together (docs/contract.md#rate-limits-of-several-machines). */
import type { Pool } from "pg";
import type { AuditKey } from "../encryption/key-ring.ts";
import type { Counted, SharedCounters } from "../database/store.ts";
import { readingFrom } from "./postgres-connection.ts";
import { explainFailure } from "./postgres-errors.ts";

/** Whether the window goes on. One that ends later than a window of now would is from before the limit or the clock was changed. */
const GOES_ON =
  "counter.ends_at between statement_timestamp() and clock_timestamp() + (excluded.ends_at - statement_timestamp())";

/** Adds one to a counter, or begins its window. One that waited for another server may find a window that began after it. */
const COUNT = `insert into shared_counters as counter (digest, used, ends_at)
  values ($1, 1, statement_timestamp() + make_interval(secs => $2::bigint))
  on conflict (digest) do update set
    used = 1 + case when ${GOES_ON} then counter.used else 0 end,
    ends_at = case when ${GOES_ON} then counter.ends_at else excluded.ends_at end
  returning used, ceil(extract(epoch from ends_at - statement_timestamp()))::bigint as "resetSeconds"`;

/** Leaves what another server is counting or deleting. */
const DELETE_OLD = `delete from shared_counters where digest in (
  select digest from shared_counters where ends_at < statement_timestamp() for update skip locked)`;

const DELETE_EVERY_MS = 60_000;

/**
 * Counters under digests of their keys: there are so few addresses that a plain digest would tell which one it is. `pool` is only for
 * this, because transactions must not make requests wait.
 */
export function createSharedCounters(pool: Pool, auditKey: AuditKey): SharedCounters {
  const database = readingFrom(pool);
  let deletedAtMs = -Infinity;

  async function deleteOld(): Promise<void> {
    if (performance.now() - deletedAtMs < DELETE_EVERY_MS) return;
    deletedAtMs = performance.now();
    await database.query({ name: "fiscal_forget", text: DELETE_OLD, values: [] });
  }

  return {
    async count(key, seconds) {
      const digest = auditKey.authenticate(JSON.stringify(["counter", key]));
      try {
        // In the order of the calls: the pool has one connection.
        const counting = { name: "fiscal_count", text: COUNT, values: [digest, seconds] };
        const [, { rows }] = await Promise.all([deleteOld(), database.query(counting)]);
        return rows[0] as Counted;
      } catch (error) {
        throw explainFailure(error);
      }
    },
  };
}
