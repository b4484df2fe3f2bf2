/** The delivery queue: claims, leases, and the results of attempts. */
import { sql } from "kysely";
import type { DeliveryRow } from "./deliveries.ts";
import { sortById } from "../database/lists.ts";
import type { DeliveryStatus } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

/** Whether no earlier event of the same document still waits for its first attempt. */
const isFirstOfDocument = sql<boolean>`not exists (
  select 1 from deliveries as earlier
  where earlier.endpoint_id = due.endpoint_id and earlier.document_id = due.document_id
    and earlier.status = 'pending' and earlier.tries = 0 and earlier.id < due.id
)`;
/** Whether the row aliased as `due` can be sent now: first attempts of a document are made in the order of its events. */
const canBeSent = sql<boolean>`(due.tries > 0 or due.document_id is null or ${isFirstOfDocument})`;

/** The limit makes both engines look into the index once for each endpoint, however many deliveries are due. */
const selectDue = statement<{ due: string }>()((db, p) =>
  db
    .selectFrom("webhook_endpoints as endpoint")
    .select(["endpoint.id", "endpoint.failures"])
    .where("endpoint.mode", "in", ["test", "live"])
    .where("endpoint.removed_at", "is", null)
    .where("endpoint.status", "=", "enabled")
    .where(
      (eb) =>
        eb
          .selectFrom("deliveries")
          .select("deliveries.id")
          .whereRef("deliveries.endpoint_id", "=", "endpoint.id")
          .where("deliveries.next_at", "is not", null)
          .where("deliveries.next_at", "<=", p.due)
          .limit(sql.lit(1)),
      "is not",
      null,
    )
    .where((eb) => eb.selectFrom("appliance").select("state").where("id", "=", sql.lit(1)), "<>", "held")
    .orderBy("endpoint.id"),
);

export interface DueEndpoint {
  id: string;
  /** Failed attempts since the last success. */
  failures: number;
}

/** The enabled endpoints of both modes that have a due delivery, sorted by id; none while the appliance is held. */
export function findDueEndpoints(session: Session, due: string): Promise<DueEndpoint[]> {
  return session.all(selectDue, { due });
}

export interface DeliveryClaim {
  endpointId: string;
  /** Deliveries due by then are claimed. */
  due: string;
  /** The same for first attempts, which wait for a short delay more. */
  firstDue: string;
  limit: number;
  /** The unique name of this claim. */
  owner: string;
  leaseUntil: string;
}

const claimRows = statement<DeliveryClaim>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ next_at: null, lease_owner: p.owner, lease_until: p.leaseUntil })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("deliveries as due")
        .select("due.id")
        .where("due.endpoint_id", "=", p.endpointId)
        .where("due.next_at", "is not", null)
        .where("due.next_at", "<=", p.due)
        .where((where) => where.or([where("due.tries", ">", 0), where("due.next_at", "<=", p.firstDue)]))
        .where(canBeSent)
        .orderBy("due.next_at")
        .orderBy("due.id")
        .limit(p.limit),
    )
    .where("status", "=", sql.lit("pending"))
    // Another server may have claimed a row since it was chosen.
    .where("next_at", "is not", null)
    .returningAll(),
);

/** Claims deliveries of an endpoint that are due and can be sent, in the order of their events. */
export async function claimDeliveries(trx: Transaction, claim: DeliveryClaim): Promise<DeliveryRow[]> {
  return sortById(await trx.all(claimRows, claim));
}

const selectClaimed = statement<{ id: string; owner: string }>()((db, p) =>
  db.selectFrom("deliveries").selectAll().where("id", "=", p.id).where("lease_owner", "=", p.owner),
);

/** The delivery, if the claim still owns it. */
export function findClaimedDelivery(
  session: Session,
  id: string,
  owner: string,
): Promise<DeliveryRow | undefined> {
  return session.first(selectClaimed, { id, owner });
}

export interface DeliveryResult {
  id: string;
  owner: string;
  status: DeliveryStatus;
  tries: number;
  attempts: Uint8Array;
  nextAt: string | null;
}

const settleRow = statement<DeliveryResult>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({
      status: p.status,
      tries: p.tries,
      attempts: p.attempts,
      next_at: p.nextAt,
      lease_owner: null,
      lease_until: null,
    })
    .where("id", "=", p.id)
    .where("lease_owner", "=", p.owner),
);

/** Records the result of an attempt. */
export async function settleDelivery(trx: Transaction, result: DeliveryResult): Promise<void> {
  await trx.run(settleRow, result);
}

const closeRow = statement<{ id: string; owner: string; status: "failed" | "held" }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ status: p.status, lease_owner: null, lease_until: null })
    .where("id", "=", p.id)
    .where("lease_owner", "=", p.owner),
);

/** Ends a claim without an attempt, because nothing can be sent. */
export async function closeDelivery(
  trx: Transaction,
  claim: { id: string; owner: string; status: "failed" | "held" },
): Promise<void> {
  await trx.run(closeRow, claim);
}

const releaseRow = statement<{ id: string; owner: string; due: string }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ next_at: p.due, lease_owner: null, lease_until: null })
    .where("id", "=", p.id)
    .where("lease_owner", "=", p.owner),
);

/** Returns a claimed delivery to the queue unchanged, because no attempt is known to have been made. */
export async function releaseDelivery(
  trx: Transaction,
  claim: { id: string; owner: string; due: string },
): Promise<void> {
  await trx.run(releaseRow, claim);
}

const selectExpired = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select(["id", "lease_owner"])
    .where("lease_until", "is not", null)
    .where("lease_until", "<", p.now)
    .orderBy("lease_until")
    .limit(p.limit),
);
const selectFarLeases = statement<{ far: string; limit: number }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select(["id", "lease_owner"])
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far)
    .limit(p.limit),
);

/**
 * Claims whose lease expired, and claims whose lease ends after `far`. No claim made now would end that late, so the clock
 * was set back since.
 */
export async function findExpiredDeliveryClaims(
  session: Session,
  { now, far, limit }: { now: string; far: string; limit: number },
): Promise<{ id: string; owner: string }[]> {
  const expired = await session.all(selectExpired, { now, limit });
  const tooFar = await session.all(selectFarLeases, { far, limit });
  return [...expired, ...tooFar].map(({ id, lease_owner: owner }) => ({ id, owner: owner ?? "" }));
}

const pullRows = statement<{ endpointId: string; now: string; far: string; limit: number }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ next_at: p.now })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("deliveries")
        .select("id")
        .where("endpoint_id", "=", p.endpointId)
        .where("next_at", "is not", null)
        .where("next_at", ">", p.now)
        .where((where) => where.or([where("tries", "=", 0), where("next_at", ">", p.far)]))
        .limit(p.limit),
    ),
);

/**
 * Makes deliveries due that a clock running ahead has postponed: first attempts, which are never due later than now, and
 * those due after `far`, which no step of the schedule can be. Returns how many there were.
 */
export function rescheduleDeliveries(
  trx: Transaction,
  by: { endpointId: string; now: string; far: string; limit: number },
): Promise<number> {
  return trx.run(pullRows, by);
}
