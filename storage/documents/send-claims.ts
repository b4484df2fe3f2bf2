/** Claims documents for sending, one send at a time for each counter. */
import { sql } from "kysely";
import { type Due, isNotExcluded, type Lease } from "./document-queue.ts";
import { type Builder, elementsOf } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { sortById } from "../database/lists.ts";
import { allRows, changeRows } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

/** How many due rows are chosen from, so that documents are sent in order of acceptance. */
const CANDIDATES_MAX = 512;

/** The columns of a due row by which it is chosen. Those from `supplier` on identify its counter. */
const CHOSEN_BY = [
  "due.id",
  "due.next_at",
  "due.supplier",
  "due.branch",
  "due.type",
  "due.series",
  "due.mode",
] as const;

/** The rows to choose from, first the one that is due first: among all, or only among those that are due first. */
function freeSends(db: Builder, p: Due, readsAll: boolean) {
  const due = db
    .selectFrom("documents as due")
    .select(CHOSEN_BY)
    .where("due.provider", "=", p.provider)
    .where("due.phase", "=", "queued")
    .where("due.next_at", "<=", p.due)
    .where(isNotExcluded(p.excluded))
    .orderBy("due.next_at")
    .orderBy("due.id");
  // Only one send per counter is in flight. Without a series the provider numbers, and there is no counter.
  const isFree = sql<boolean>`(due.series is null or (due.supplier, due.branch, due.type, due.series, due.mode) not in (
    select supplier, branch, type, series, mode from documents where phase = 'submitting' and series is not null))`;
  return db
    .selectFrom((readsAll ? due : due.limit(CANDIDATES_MAX)).as("due"))
    .where(isFree)
    .orderBy("due.next_at")
    .orderBy("due.id")
    .limit(CANDIDATES_MAX);
}

const selectSends = (readsAll: boolean) =>
  allRows<Due>()((db, p) =>
    db
      .selectFrom("documents")
      .selectAll()
      .where("id", "in", (eb) =>
        eb
          .selectFrom(freeSends(db, p, readsAll).select("due.id").as("candidate"))
          .select("candidate.id")
          .orderBy("candidate.id")
          .limit(p.limit),
      ),
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
