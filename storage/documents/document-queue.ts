/**
 * The queue of documents: which are due, and who works on them. Finds and claims documents for queries (those for sending:
 * send-claims.ts), renews leases, and changes when documents are due.
 */
import { type RawBuilder, sql } from "kysely";
import { textsIn } from "../database/dialect.ts";
import { sortById } from "../database/lists.ts";
import { allRows, changeRows, changesRow, firstValue, hasRow, updateRow } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";
import type { DocumentPhase, Provider } from "../stored-values.ts";
import type { DocumentRow } from "./documents.ts";

export interface Due {
  provider: Provider;
  /** The most rows to find. */
  limit: number;
  /** The clock's time: rows due by then are found. */
  due: string;
  /** Connections and modes whose documents are passed over. */
  excluded: readonly string[];
}

/** Whether the row named `due` belongs to none of the connections and modes. */
export function isNotExcluded(excluded: readonly string[]): RawBuilder<boolean> {
  const values = textsIn(excluded);
  return sql<boolean>`(due.mode not in ${values} and coalesce(due.connection_id, '') not in ${values})`;
}

const selectDueQueries = allRows<Due & { phase: DocumentPhase }>()((db, p) =>
  db
    .selectFrom("documents as due")
    .selectAll()
    .where("due.provider", "=", p.provider)
    .where("due.phase", "=", p.phase)
    .where("due.next_at", "<=", p.due)
    .where(isNotExcluded(p.excluded))
    .orderBy("due.next_at")
    .limit(p.limit),
);

export async function findDueQueries(
  trx: Transaction,
  due: Due & { phase: "awaiting_mark" | "reconciling" },
): Promise<DocumentRow[]> {
  return sortById(await selectDueQueries(trx, due));
}

/** When the next document of the provider in `phase` is due, except those of `excluded` connections and modes. */
export const findNextDue = firstValue<Pick<Due, "provider" | "excluded"> & { phase: DocumentPhase }>()(
  (db, p) =>
    db
      .selectFrom("documents as due")
      .select("due.next_at")
      .where("due.provider", "=", p.provider)
      .where("due.phase", "=", p.phase)
      .where("due.next_at", "is not", null)
      .where(isNotExcluded(p.excluded))
      .orderBy("due.next_at")
      .limit(1),
);

/** Who works on documents, and for how long unless the lease is renewed. */
export interface Lease {
  /** The unique name of the claim. */
  owner: string;
  until: string;
}

/** Claims documents that were found due in the same write. Their phase stays the same. */
export const claimForQuery = changeRows<Lease & { ids: readonly string[] }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_owner: p.owner, lease_until: p.until, next_at: null })
    .where("id", "in", textsIn(p.ids)),
);

/** Leases an issued document for its cancellation. Returns false if it is leased already. */
export const leaseIssued = changesRow<Lease & { id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_owner: p.owner, lease_until: p.until })
    .where("id", "=", p.id)
    .where("phase", "=", "issued")
    .where("lease_owner", "is", null),
);

export const releaseLease = changeRows<{ id: string; owner: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_owner: null, lease_until: null })
    .where("id", "=", p.id)
    .where("lease_owner", "=", p.owner),
);

/** Documents whose lease has run out. */
export const findExpiredClaims = allRows<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("lease_until", "is not", null)
    .where("lease_until", "<", p.now)
    .orderBy("lease_until")
    .limit(p.limit),
);

export const hasLeaseAfter = hasRow<{ far: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far)
    .limit(1),
);

/** Makes every lease that ends after `far` end at `until`. Its owner may be alive, and renews it then. */
export const shortenLeases = changeRows<{ far: string; until: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_until: p.until })
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far),
);

/** Extends the leases of a claim whose worker is alive. */
export const renewLeases = changeRows<Lease>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_until: p.until })
    .where("lease_until", "is not", null)
    .where("lease_owner", "=", p.owner),
);

/** Makes a document that nobody has claimed due later. Null: not until something happens. */
export const postpone = updateRow("documents", ["id"], ["next_at"]);

/** Makes the next query about a document in `reconciling` due at `due`, unless it is being queried. */
export const queryDocumentSooner = changeRows<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("id", "=", p.id)
    .where("phase", "=", "reconciling")
    .where("lease_owner", "is", null),
);

/** Makes the queued documents of a connection due at `due`. Null: they wait until it is verified again. */
export const setQueuedDue = changeRows<{ connectionId: string; due: string | null }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "=", "queued"),
);

/** Makes the documents of a connection that are waiting for their next poll due now. */
export const pollNow = changeRows<{ connectionId: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "in", ["awaiting_mark", "reconciling"])
    .where("next_at", ">", p.due),
);

/** Moves the queued documents of a connection to the one that replaces it, and makes them due now. */
export const handOverQueued = changeRows<{ from: string; to: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ connection_id: p.to, next_at: p.due })
    .where("connection_id", "=", p.from)
    .where("phase", "=", "queued"),
);

interface Rescheduling {
  provider: Provider;
  phase: DocumentPhase;
  /** How often the documents were sent: at least, and at most. */
  attemptsMin: number;
  attemptsMax: number;
  now: string;
  /** When they are due from now on. */
  due: string;
  /** Those due later are changed, and those whose stage began in the future. */
  latest: string;
  limit: number;
}

/** Changes when documents are due that a clock running ahead has put off. Returns how many there were, at most `limit`. */
export const rescheduleDocuments = changeRows<Rescheduling>()(
  (_, p) => sql`
    update documents set next_at = ${p.due} where id in (
      select id from documents where provider = ${p.provider} and phase = ${p.phase} and next_at > ${p.due}
        and (next_at > ${p.latest} or stage_since > ${p.now})
        and attempts between ${p.attemptsMin} + 0 and ${p.attemptsMax} + 0
      limit ${p.limit} + 0)`,
);

/** Lets the stage of waiting documents begin `now`. Returns how many began earlier, at most `limit`. */
export const restartStages = changeRows<Pick<Rescheduling, "provider" | "phase" | "now" | "limit">>()(
  (_, p) => sql`
    update documents set stage_since = ${p.now} where id in (
      select id from documents where provider = ${p.provider} and phase = ${p.phase} and next_at is not null
        and stage_since < ${p.now}
      limit ${p.limit} + 0)`,
);
