/** Statements of the issuing queue on the documents table: claims, leases and due times. */
import { type ExpressionBuilder, sql } from "kysely";
import type { DocumentRow } from "./documents.ts";
import { inOrderOfIds } from "./lists.ts";
import type { Tables } from "./schema.ts";
import type { DocumentPhase, Mode, Provider } from "./stored-values.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

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
  /** Only documents of this mode; undefined for both. */
  mode?: Mode | undefined;
}

/** A claim for the statements that filter by mode. */
type ClaimOfMode = Claim & { mode: Mode };

/** How many due rows a claim chooses from, so that documents are sent in order of acceptance. */
const CANDIDATES_MAX = 512;

function claimSendsStatement(filtersMode: boolean) {
  return statement<ClaimOfMode>()((db, p) =>
    db
      .updateTable("documents")
      .set((eb) => ({
        phase: "submitting" as const,
        attempts: eb("attempts", "+", 1),
        lease_owner: p.owner,
        lease_until: p.leaseUntil,
        next_at: null,
        updated_at: p.now,
      }))
      .where("phase", "=", "queued")
      .where("id", "in", (eb) =>
        eb
          .selectFrom(
            eb
              .selectFrom("documents as due")
              .select("due.id")
              .where("due.provider", "=", p.provider)
              .where("due.phase", "=", "queued")
              .where("due.next_at", "<=", p.due)
              .$if(filtersMode, (due) => due.where("due.mode", "=", p.mode))
              // Only one send per counter is in flight. Without a series the provider numbers, and there is no counter.
              .where((where) =>
                where.or([
                  where("due.series", "is", null),
                  where.not(
                    where.exists(
                      where
                        .selectFrom("documents as busy")
                        .select("busy.id")
                        .where("busy.phase", "=", "submitting")
                        .whereRef("busy.supplier", "=", "due.supplier")
                        .whereRef("busy.branch", "=", "due.branch")
                        .whereRef("busy.type", "=", "due.type")
                        .whereRef("busy.series", "=", "due.series")
                        .whereRef("busy.mode", "=", "due.mode"),
                    ),
                  ),
                ]),
              )
              .orderBy("due.next_at")
              .orderBy("due.id")
              .limit(CANDIDATES_MAX)
              .as("candidate"),
          )
          .select("candidate.id")
          .orderBy("candidate.id")
          .limit(p.limit),
      )
      .returningAll(),
  );
}
const claimSends = claimSendsStatement(false);
const claimSendsOfMode = claimSendsStatement(true);

/**
 * Claims queued documents that are due, in order of acceptance, and moves them to `submitting`. Claims none of a counter while
 * another claim is sending for it.
 */
export async function claimForSending(trx: Transaction, claim: Claim): Promise<DocumentRow[]> {
  const rows =
    claim.mode === undefined
      ? await trx.all(claimSends, claim as ClaimOfMode)
      : await trx.all(claimSendsOfMode, { ...claim, mode: claim.mode });
  return inOrderOfIds(rows);
}

function claimQueriesStatement(filtersMode: boolean) {
  return statement<ClaimOfMode & { phase: DocumentPhase }>()((db, p) =>
    db
      .updateTable("documents")
      .set({ lease_owner: p.owner, lease_until: p.leaseUntil, next_at: null })
      .where("phase", "=", p.phase)
      .where("id", "in", (eb) =>
        eb
          .selectFrom("documents as due")
          .select("due.id")
          .where("due.provider", "=", p.provider)
          .where("due.phase", "=", p.phase)
          .where("due.next_at", "<=", p.due)
          .$if(filtersMode, (due) => due.where("due.mode", "=", p.mode))
          .orderBy("due.next_at")
          .limit(p.limit),
      )
      .returningAll(),
  );
}
const claimQueries = claimQueriesStatement(false);
const claimQueriesOfMode = claimQueriesStatement(true);

/** Claims documents whose provider is to be queried. Their phase stays the same. */
export async function claimForQuery(
  trx: Transaction,
  claim: Claim & { phase: "awaiting_mark" | "reconciling" },
): Promise<DocumentRow[]> {
  const rows =
    claim.mode === undefined
      ? await trx.all(claimQueries, claim as ClaimOfMode & { phase: DocumentPhase })
      : await trx.all(claimQueriesOfMode, { ...claim, mode: claim.mode });
  return inOrderOfIds(rows);
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

const selectNextDue = statement<{ provider: Provider; phase: DocumentPhase }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("next_at")
    .where("provider", "=", p.provider)
    .where("phase", "=", p.phase)
    .where("next_at", "is not", null)
    .orderBy("next_at")
    .limit(1),
);

/** When the next document of the provider in `phase` is due; undefined if none is waiting. */
export async function findNextDue(
  session: Session,
  provider: Provider,
  phase: DocumentPhase,
): Promise<string | undefined> {
  return (await session.first(selectNextDue, { provider, phase }))?.next_at ?? undefined;
}

const parkRows = statement<{ connectionId: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: null })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "=", "queued"),
);
/** Makes the queued documents of a connection wait until it is verified again. */
export async function parkQueued(trx: Transaction, connectionId: string): Promise<void> {
  await trx.run(parkRows, { connectionId });
}

const wakeRows = statement<{ connectionId: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "=", "queued"),
);
/** Makes the queued documents of a connection due now: it is usable again, or never will be. */
export async function wakeQueued(trx: Transaction, connectionId: string, due: string): Promise<void> {
  await trx.run(wakeRows, { connectionId, due });
}

const pollRows = statement<{ connectionId: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "in", ["awaiting_mark", "reconciling"])
    .where("next_at", ">", p.due),
);
/** Makes the documents of a connection that are waiting for their next poll due now. */
export async function pollNow(trx: Transaction, connectionId: string, due: string): Promise<void> {
  await trx.run(pollRows, { connectionId, due });
}

const rescheduleRows = statement<{
  provider: Provider;
  phase: DocumentPhase;
  now: string;
  latest: string;
  limit: number;
}>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.now })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("documents")
        .select("id")
        .where("provider", "=", p.provider)
        .where("phase", "=", p.phase)
        .where("next_at", ">", p.now)
        .where((where) =>
          where.or([
            where("next_at", ">", p.latest),
            where.and([where("phase", "=", "queued"), where("attempts", "=", 0)]),
          ]),
        )
        .limit(p.limit),
    ),
);
/**
 * Makes due what a clock running ahead has put off: documents that were never tried, and those due after `latest`, which no
 * pause can be. Returns how many there were, at most `limit`.
 */
export async function rescheduleDocuments(
  trx: Transaction,
  by: { provider: Provider; phase: DocumentPhase; now: string; latest: string; limit: number },
): Promise<number> {
  return trx.run(rescheduleRows, by);
}

const moveRows = statement<{ from: string; to: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ connection_id: p.to, next_at: p.due })
    .where("connection_id", "=", p.from)
    .where("phase", "=", "queued"),
);
/** Moves the queued documents of a connection to the one that replaces it, and makes them due now. */
export async function handOverQueued(
  trx: Transaction,
  handover: { from: string; to: string; due: string },
): Promise<void> {
  await trx.run(moveRows, handover);
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

const countPending = sql<number>`count(*)`;

/** Polls before a document whose connection is out of use counts as stranded; they take some minutes. */
const POLLS_UNTIL_STRANDED = 8;

/** Whether the merchant has any active connection to the document's provider. */
function hasActiveConnection(eb: ExpressionBuilder<Tables, "documents">) {
  return eb.exists(
    eb
      .selectFrom("connections")
      .select("connections.id")
      .whereRef("connections.merchant_id", "=", "documents.merchant_id")
      .whereRef("connections.provider", "=", "documents.provider")
      .whereRef("connections.mode", "=", "documents.mode")
      .where("connections.status", "=", "active"),
  );
}

/** Whether nothing more will happen to it by itself: its connection is invalid, or out of use after enough polls. */
function isStranded(eb: ExpressionBuilder<Tables, "documents">) {
  return eb.and([
    eb("documents.connection_id", "is not", null),
    eb.not(hasActiveConnection(eb)),
    eb.exists(
      eb
        .selectFrom("connections as own")
        .select("own.id")
        .whereRef("own.id", "=", "documents.connection_id")
        .where((own) =>
          own.or([
            own("own.status", "=", "invalid"),
            own.and([
              own("documents.phase", "in", ["awaiting_mark", "reconciling"]),
              own("documents.polls", ">=", POLLS_UNTIL_STRANDED),
            ]),
          ]),
        ),
    ),
  ]);
}

/**
 * How many of `ids` a batch still has to wait for. Excludes pending documents to which nothing more will happen by themselves:
 * those that wait for their connection or were taken out of the queue.
 */
export async function countInProgress(session: Session, ids: readonly string[]): Promise<number> {
  const [row] = await session.query((db) =>
    db
      .selectFrom("documents")
      .select(countPending.as("pending"))
      .where("id", "in", ids)
      .where("status", "=", "pending")
      .where((eb) =>
        eb.or([
          eb("lease_owner", "is not", null),
          eb.and([eb("next_at", "is not", null), eb.not(isStranded(eb))]),
        ]),
      ),
  );
  return row?.pending ?? 0;
}

/** The connections that stranded documents among `ids` wait for. */
export function findStrandedConnections(
  session: Session,
  ids: readonly string[],
): Promise<{ connection_id: string | null; count: number }[]> {
  return session.query((db) =>
    db
      .selectFrom("documents")
      .select(["connection_id", countPending.as("count")])
      .where("id", "in", ids)
      .where("status", "=", "pending")
      .where(isStranded)
      .groupBy("connection_id"),
  );
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
