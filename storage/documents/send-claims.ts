/** Claims documents for sending, one send at a time for each counter. */
import { sql } from "kysely";
import { type Due, isNotExcluded, type Lease } from "./document-queue.ts";
import { elementsOf } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { sortById } from "../database/lists.ts";
import { allRows, changeRows } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

/** How many due rows are chosen from, so that documents are sent in order of acceptance. */
const CANDIDATES_MAX = 512;

/** Among the rows that are due first, or among all, which is the whole queue. Only one send per counter is in flight. */
const selectSends = (readsAll: boolean) =>
  allRows<Due>()(
    // Without a series the provider numbers, and there is no counter.
    (_, p) => sql<DocumentRow>`
      select * from documents where id in (
        select id from (
          select id from (
            select id, next_at, supplier, branch, type, series, mode from documents as due
            where provider = ${p.provider} and phase = 'queued' and next_at <= ${p.due} and ${isNotExcluded(p.excluded)}
            order by next_at, id ${readsAll ? sql`` : sql`limit ${sql.lit(CANDIDATES_MAX)}`}
          ) as due
          where series is null or (supplier, branch, type, series, mode) not in (
            select supplier, branch, type, series, mode from documents where phase = 'submitting' and series is not null)
          order by next_at, id limit ${sql.lit(CANDIDATES_MAX)}
        ) as candidate order by id limit ${p.limit} + 0)`,
  );
const findFirst = selectSends(false);
const findAny = selectSends(true);

export interface DueSends extends Due {
  /** Whether all rows may be read, which is the whole queue. */
  mayReadAll(): boolean;
}

/**
 * Queued documents to send now, in order of acceptance; none of a counter that a document is being sent for. Chooses among the rows
 * that are due first, or if these all wait for their counters and `mayReadAll` returns true, among all.
 */
export async function findDueSends(trx: Transaction, due: DueSends): Promise<DocumentRow[]> {
  const rows = await findFirst(trx, due);
  return sortById(rows.length > 0 || !due.mayReadAll() ? rows : await findAny(trx, due));
}

/** `claimed`: an id, a connection, a number and a uid of each. */
const claimRows = changeRows<Lease & { now: string; claimed: readonly unknown[] }>()((db, p) =>
  db
    .updateTable("documents")
    .from(elementsOf(p.claimed).as("claimed"))
    .set((eb) => ({
      phase: "submitting" as const,
      attempts: eb("attempts", "+", 1),
      lease_owner: p.owner,
      lease_until: p.until,
      next_at: null,
      updated_at: p.now,
      connection_id: sql<string>`claimed.value ->> 1`,
      number: sql<number>`cast(claimed.value ->> 2 as bigint)`,
      uid: sql<string>`claimed.value ->> 3`,
    }))
    .whereRef("documents.id", "=", sql<string>`claimed.value ->> 0`)
    .where("phase", "=", "queued"),
);

/**
 * Claims documents that were found due in the same write: moves them to `submitting` with the connection, number and uid of `rows`. Number
 * and uid do not change afterwards. Returns the rows as they are then.
 */
export async function claimForSending(
  trx: Transaction,
  rows: readonly DocumentRow[],
  lease: Lease,
): Promise<DocumentRow[]> {
  const claimed = rows.map(({ id, connection_id, number, uid }) => [id, connection_id, number, uid]);
  const { now } = trx;
  const changed = await claimRows(trx, { ...lease, now, claimed });
  if (changed !== rows.length) throw new Error("A document moved within the write that claims it");
  return rows.map((row) => ({
    ...row,
    phase: "submitting",
    attempts: row.attempts + 1,
    lease_owner: lease.owner,
    lease_until: lease.until,
    next_at: null,
    updated_at: now,
  }));
}
