/** The delivery queue: claims in one guarded statement an endpoint, leases, and what came of an attempt. */
import { sql } from "kysely";
import type { DeliveryRow } from "./deliveries.ts";
import { inOrderOfIds } from "./lists.ts";
import type { DeliveryStatus } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

/** Whether the rows named `due` may go: of one document the first attempt of an event waits for that of the one before. */
const isFirstOfDocument = sql<boolean>`not exists (
  select 1 from deliveries as earlier
  where earlier.endpoint_id = due.endpoint_id and earlier.document_id = due.document_id
    and earlier.status = 'pending' and earlier.tries = 0 and earlier.id < due.id
)`;
const mayGo = sql<boolean>`(due.tries > 0 or due.document_id is null or ${isFirstOfDocument})`;

const selectDue = statement<{ endpointId: string; due: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select("next_at")
    .where("endpoint_id", "=", p.endpointId)
    .where("next_at", "is not", null)
    .where("next_at", "<=", p.due)
    .limit(1),
);

/** Whether anything of the endpoint is due by the clock. */
export async function hasDueDelivery(session: Session, endpointId: string, due: string): Promise<boolean> {
  return (await session.first(selectDue, { endpointId, due })) !== undefined;
}

export interface DeliveryClaim {
  endpointId: string;
  due: string;
  limit: number;
  /** Names this claim: no other has the same. */
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
        .where(mayGo)
        .orderBy("due.next_at")
        .orderBy("due.id")
        .limit(p.limit),
    )
    .where("status", "=", "pending")
    .returningAll(),
);

/** Claims deliveries of an endpoint that are due and may go, in order of their events. */
export async function claimDeliveries(trx: Transaction, claim: DeliveryClaim): Promise<DeliveryRow[]> {
  return inOrderOfIds(await trx.all(claimRows, claim));
}

export interface DeliveryResult {
  id: string;
  owner: string;
  status: DeliveryStatus;
  tries: number;
  attempts: Uint8Array | null;
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

/** Writes what came of an attempt; false where the claim was lost meanwhile. */
export async function settleDelivery(trx: Transaction, result: DeliveryResult): Promise<boolean> {
  return (await trx.run(settleRow, result)) === 1;
}

const releaseRow = statement<{ id: string; owner: string; due: string }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ next_at: p.due, lease_owner: null, lease_until: null })
    .where("id", "=", p.id)
    .where("lease_owner", "=", p.owner),
);

/** Gives a claim back as it was: no attempt was made, or nobody knows of one. */
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

/** Claims whose process did not come back in time. */
export async function findExpiredDeliveries(
  session: Session,
  now: string,
  limit: number,
): Promise<{ id: string; owner: string }[]> {
  const rows = await session.all(selectExpired, { now, limit });
  return rows.map(({ id, lease_owner: owner }) => ({ id, owner: owner ?? "" }));
}
