/** Claims documents for queries (those for sending: send-claims.ts), renews leases, and returns claimed documents to the queue. */
import type { DocumentRow } from "./documents.ts";
import { isNotExcluded } from "./due-times.ts";
import { sortById } from "../database/lists.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { DocumentPhase, Provider } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export interface Claim {
  provider: Provider;
  /** The most rows to claim. */
  limit: number;
  /** The clock's time: rows due by then are claimed. */
  due: string;
  /** The time to record. */
  now: string;
  /** The unique name of this claim. */
  owner: string;
  leaseUntil: string;
  /** Connections and modes whose documents are passed over. */
  excluded: readonly string[];
}

/** A claim with `excluded` as a JSON array. */
export type ClaimParameters = Omit<Claim, "excluded"> & { excluded: string };

export const parametersOf = (claim: Claim): ClaimParameters => ({
  ...claim,
  excluded: JSON.stringify(claim.excluded),
});

function claimQueriesStatement(excludes: boolean) {
  return statement<ClaimParameters & { phase: DocumentPhase }>()((db, p) =>
    db
      .updateTable("documents")
      .set({ lease_owner: p.owner, lease_until: p.leaseUntil, next_at: null })
      .where("phase", "=", p.phase)
      // Another server may have claimed a row since it was chosen.
      .where("next_at", "is not", null)
      .where("id", "in", (eb) =>
        eb
          .selectFrom("documents as due")
          .select("due.id")
          .where("due.provider", "=", p.provider)
          .where("due.phase", "=", p.phase)
          .where("due.next_at", "<=", p.due)
          .$if(excludes, (due) => due.where(isNotExcluded(p.excluded)))
          .orderBy("due.next_at")
          .limit(p.limit),
      )
      .returningAll(),
  );
}

const claimQueries = claimQueriesStatement(false);

const claimQueriesExcluding = claimQueriesStatement(true);

/** Claims documents whose provider is to be queried. Their phase stays the same. */
export async function claimForQuery(
  trx: Transaction,
  claim: Claim & { phase: "awaiting_mark" | "reconciling" },
): Promise<DocumentRow[]> {
  const claimRows = claim.excluded.length === 0 ? claimQueries : claimQueriesExcluding;
  return sortById(await trx.all(claimRows, { ...parametersOf(claim), phase: claim.phase }));
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

const rerouteRow = statement<{ id: string; connectionId: string }>()((db, p) =>
  db.updateTable("documents").set({ connection_id: p.connectionId }).where("id", "=", p.id),
);

/** Moves one claimed document to another connection. */
export async function reroute(trx: Transaction, id: string, connectionId: string): Promise<void> {
  await trx.run(rerouteRow, { id, connectionId });
}

const putBackRow = statement<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due, lease_owner: null, lease_until: null })
    .where("id", "=", p.id),
);

/** Returns a claimed document to the queue, due at `due`. A claimed send does not count as an attempt. */
export async function putBack(trx: Transaction, id: string, due: string): Promise<void> {
  await trx.run(parkRow, { id });
  await trx.run(putBackRow, { id, due });
}

const parkRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set((eb) => ({
      phase: "queued" as const,
      attempts: eb("attempts", "-", 1),
      next_at: null,
      lease_owner: null,
      lease_until: null,
    }))
    .where("id", "=", p.id)
    .where("phase", "=", "submitting"),
);

/** Returns a claimed document to the queue until its connection is verified. It does not count as an attempt. */
export async function parkClaimed(trx: Transaction, id: string): Promise<void> {
  await trx.run(parkRow, { id });
}

const setAsideRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: null, lease_owner: null, lease_until: null })
    .where("id", "=", p.id),
);

const unclaimRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ phase: "queued" })
    .where("id", "=", p.id)
    .where("phase", "=", "submitting"),
);

/** Takes a claimed document that cannot be processed out of the queue, before anything was sent. */
export async function setAside(trx: Transaction, id: string): Promise<void> {
  await trx.run(unclaimRow, { id });
  await trx.run(setAsideRow, { id });
}
