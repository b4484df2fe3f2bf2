/** Claims documents for queries (those for sending: send-claims.ts), and renews leases. */
import type { DocumentRow } from "./documents.ts";
import { textsIn } from "../database/dialect.ts";
import { isNotExcluded } from "./due-times.ts";
import { sortById } from "../database/lists.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { DocumentPhase, Provider } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

/** Which documents are due. */
export interface Due {
  provider: Provider;
  /** The most rows to find. */
  limit: number;
  /** The clock's time: rows due by then are found. */
  due: string;
  /** Connections and modes whose documents are passed over. */
  excluded: readonly string[];
}

/** With `excluded` as a JSON array. */
export type DueParameters = Omit<Due, "excluded"> & { excluded: string };

export const parametersOf = (due: Due): DueParameters => ({
  ...due,
  excluded: JSON.stringify(due.excluded),
});

function dueQueriesStatement(excludes: boolean) {
  return statement<DueParameters & { phase: DocumentPhase }>()((db, p) =>
    db
      .selectFrom("documents as due")
      .selectAll()
      .where("due.provider", "=", p.provider)
      .where("due.phase", "=", p.phase)
      .where("due.next_at", "<=", p.due)
      .$if(excludes, (due) => due.where(isNotExcluded(p.excluded)))
      .orderBy("due.next_at")
      .limit(p.limit),
  );
}

const dueQueries = dueQueriesStatement(false);

const dueQueriesExcluding = dueQueriesStatement(true);

/** Documents whose provider is to be queried now. */
export async function findDueQueries(
  trx: Transaction,
  due: Due & { phase: "awaiting_mark" | "reconciling" },
): Promise<DocumentRow[]> {
  const select = due.excluded.length === 0 ? dueQueries : dueQueriesExcluding;
  return sortById(await trx.all(select, { ...parametersOf(due), phase: due.phase }));
}

/** Who works on documents, and for how long unless the lease is renewed. */
export interface Lease {
  /** The unique name of the claim. */
  owner: string;
  until: string;
}

const leaseRows = statement<Lease & { ids: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_owner: p.owner, lease_until: p.until, next_at: null })
    .where("id", "in", textsIn(p.ids)),
);

/** Claims documents that were found due in the same write. Their phase stays the same. */
export async function claimForQuery(trx: Transaction, ids: readonly string[], lease: Lease): Promise<void> {
  await trx.run(leaseRows, { ...lease, ids: JSON.stringify(ids) });
}

const selectExpired = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("lease_until", "is not", null)
    .where("lease_until", "<", p.now)
    .orderBy("lease_until")
    .limit(p.limit),
);

/** Documents whose lease has run out. */
export function findExpiredClaims(session: Session, now: string, limit: number): Promise<DocumentRow[]> {
  return session.all(selectExpired, { now, limit });
}

const selectFarLease = statement<{ far: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far)
    .limit(1),
);

/** Whether any lease ends after `far`. */
export async function hasLeaseAfter(session: Session, far: string): Promise<boolean> {
  return (await session.first(selectFarLease, { far })) !== undefined;
}

const shortenRows = statement<{ far: string; until: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_until: p.until })
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far),
);

/** Makes every lease that ends after `far` end at `until`. Its owner may be alive, and renews it then. */
export async function shortenLeases(trx: Transaction, by: { far: string; until: string }): Promise<void> {
  await trx.run(shortenRows, by);
}

const extendLeases = statement<{ owner: string; until: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_until: p.until })
    .where("lease_until", "is not", null)
    .where("lease_owner", "=", p.owner),
);

/** Extends the leases of a claim whose worker is alive. */
export async function renewLeases(trx: Transaction, owner: string, until: string): Promise<void> {
  await trx.run(extendLeases, { owner, until });
}

const postponeRow = statement<{ id: string; due: string | null }>()((db, p) =>
  db.updateTable("documents").set({ next_at: p.due }).where("id", "=", p.id),
);

/** Makes a document that nobody has claimed due later. Null: not until something happens. */
export async function postpone(trx: Transaction, id: string, due: string | null): Promise<void> {
  await trx.run(postponeRow, { id, due });
}
