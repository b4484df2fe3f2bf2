/** The issuing queue in the documents' rows: claims in one guarded statement each, leases, what is due next. */
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
  /** At most this many rows. */
  limit: number;
  /** What is due by the clock. */
  due: string;
  /** The instant that is recorded. */
  now: string;
  /** Names this claim: no other has the same. */
  owner: string;
  leaseUntil: string;
  /** Only documents of this mode; undefined for both. */
  mode?: Mode | undefined;
}

/** The same with a mode, for the statements that look at it. */
type ClaimOfMode = Claim & { mode: Mode };

/** How many due rows that can be sent a claim chooses from, so that those accepted first go first. */
const CANDIDATES_MAX = 512;

function sendsOf(ofMode: boolean) {
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
              .$if(ofMode, (due) => due.where("due.mode", "=", p.mode))
              // One send of a counter is in flight at a time; without a series the provider numbers, and there is no counter.
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
const claimSends = sendsOf(false);
const claimSendsOfMode = sendsOf(true);

/**
 * Claims queued documents that are due, in order of acceptance: they are `submitting` from here on. Rows of one counter
 * come in one claim or not at all while another send of it is in flight.
 */
export async function claimForSending(trx: Transaction, claim: Claim): Promise<DocumentRow[]> {
  const rows =
    claim.mode === undefined
      ? await trx.all(claimSends, claim as ClaimOfMode)
      : await trx.all(claimSendsOfMode, { ...claim, mode: claim.mode });
  return inOrderOfIds(rows);
}

function askingsOf(ofMode: boolean) {
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
          .$if(ofMode, (due) => due.where("due.mode", "=", p.mode))
          .orderBy("due.next_at")
          .limit(p.limit),
      )
      .returningAll(),
  );
}
const claimAskings = askingsOf(false);
const claimAskingsOfMode = askingsOf(true);

/** Claims documents whose provider is to be asked about them; the phase stays. */
export async function claimForQuery(
  trx: Transaction,
  claim: Claim & { phase: "awaiting_mark" | "reconciling" },
): Promise<DocumentRow[]> {
  const rows =
    claim.mode === undefined
      ? await trx.all(claimAskings, claim as ClaimOfMode & { phase: DocumentPhase })
      : await trx.all(claimAskingsOfMode, { ...claim, mode: claim.mode });
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

/** Documents whose worker did not come back in time. */
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

/** Keeps what the claim `owner` holds from being rescued while its worker is alive. */
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

/** When the next document of the provider in the phase is due; undefined when none waits. */
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
/** Queued documents of a connection whose credentials are refused wait until it is verified again. */
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
/** Queued documents of a connection are due now: it is usable again, or will never be. */
export async function wakeQueued(trx: Transaction, connectionId: string, due: string): Promise<void> {
  await trx.run(wakeRows, { connectionId, due });
}

const hastenRows = statement<{ connectionId: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "in", ["awaiting_mark", "reconciling"])
    .where("next_at", ">", p.due),
);
/** Documents that the account can be asked about again are asked about now. */
export async function hastenAskings(trx: Transaction, connectionId: string, due: string): Promise<void> {
  await trx.run(hastenRows, { connectionId, due });
}

const pullRows = statement<{
  provider: Provider;
  phase: DocumentPhase;
  now: string;
  far: string;
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
            where("next_at", ">", p.far),
            where.and([where("phase", "=", "queued"), where("attempts", "=", 0)]),
          ]),
        )
        .limit(p.limit),
    ),
);
/**
 * Makes due what a clock that was ahead has put off: what was never tried is due when it is accepted, and no pause ends after
 * `far`. Answers how many that were.
 */
export async function pullDocumentsForward(
  trx: Transaction,
  by: { provider: Provider; phase: DocumentPhase; now: string; far: string; limit: number },
): Promise<number> {
  return trx.run(pullRows, by);
}

const moveRows = statement<{ from: string; to: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ connection_id: p.to, next_at: p.due })
    .where("connection_id", "=", p.from)
    .where("phase", "=", "queued"),
);
/** Hands the queued documents of a connection to the one that takes its place; they are due now. */
export async function handOverQueued(
  trx: Transaction,
  handover: { from: string; to: string; due: string },
): Promise<void> {
  await trx.run(moveRows, handover);
}

const rerouteRow = statement<{ id: string; connectionId: string }>()((db, p) =>
  db.updateTable("documents").set({ connection_id: p.connectionId }).where("id", "=", p.id),
);
/** Gives one claimed document to another connection. */
export async function reroute(trx: Transaction, id: string, connectionId: string): Promise<void> {
  await trx.run(rerouteRow, { id, connectionId });
}

const putBackRow = statement<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due, lease_owner: null, lease_until: null })
    .where("id", "=", p.id),
);
/** Puts a claimed document back as it was; it is due again at once. A send that was not begun is no attempt. */
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
/** Puts a claimed document back, to wait until its connection is verified; it counts as no attempt. */
export async function parkClaimed(trx: Transaction, id: string): Promise<void> {
  await trx.run(parkRow, { id });
}

const countPending = sql<number>`count(*)`;

/** So often is a document of a connection that is out of use asked about before nobody waits for it any more: some minutes. */
const REFUSED_ASKINGS = 8;

/** Whether another of the merchant's connections to the provider, or its own, is in use. */
function hasActive(eb: ExpressionBuilder<Tables, "documents">) {
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

/** It goes nowhere by itself: the connection is refused, or it is out of use and was asked for long. */
function isStranded(eb: ExpressionBuilder<Tables, "documents">) {
  return eb.and([
    eb("documents.connection_id", "is not", null),
    eb.not(hasActive(eb)),
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
              own("documents.polls", ">=", REFUSED_ASKINGS),
            ]),
          ]),
        ),
    ),
  ]);
}

/**
 * How many of `ids` are still on their way: what a batch waits for. A document that waits for its connection, or was set
 * aside, is pending and goes nowhere by itself.
 */
export async function countUnderWay(session: Session, ids: readonly string[]): Promise<number> {
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

/** The connections that documents of `ids` wait for, because nobody can send them or be asked about them. */
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

/** Takes a claimed document that cannot be worked out of the queue, before anything of it was sent. */
export async function setAside(trx: Transaction, id: string): Promise<void> {
  await trx.run(unclaimRow, { id });
  await trx.run(setAsideRow, { id });
}
