/** Deliveries, each of one event to one endpoint: lists, queueing, holding and deletion. Claims are in delivery-queue.ts. */
import { type Selectable, sql } from "kysely";
import { type IdPrefix, idBodyAt } from "../database/ids.ts";
import { type CreatedRange, type Slice, applySlice } from "../database/lists.ts";
import type { DeliveryTable } from "../database/schema.ts";
import type { DeliveryStatus } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { allRows, changeRows, changesRow, firstRow, inPortion, type Portion } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

export type DeliveryRow = Selectable<DeliveryTable>;

export type NewDelivery = Pick<
  DeliveryRow,
  "id" | "endpoint_id" | "event_id" | "document_id" | "status" | "due_at" | "created_at"
>;

export interface DeliveryFilters {
  endpointId: string;
  status?: DeliveryStatus | undefined;
}

export function findDeliverySlice(
  session: Session,
  { endpointId, status }: DeliveryFilters,
  slice: Slice,
): Promise<DeliveryRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpointId);
    if (status !== undefined) query = query.where("status", "=", status);
    return applySlice(query, slice);
  });
}

export interface UnsentQuery {
  endpointId: string;
  /** Only deliveries of events with higher ids. */
  after: string;
  /** When their events were created. */
  created: CreatedRange;
  limit: number;
}

/** The condition of a partial index, which SQLite uses only for the same condition. */
const isUnsent = sql<boolean>`status in ('held', 'failed')`;

function eventIdAt(ms: number): string {
  const prefix: IdPrefix = "evt";
  return `${prefix}_${idBodyAt(Math.max(0, ms))}`;
}

/** Held and failed deliveries, in the order of their events. */
export function findUnsentDeliveries(
  session: Session,
  { endpointId, after, created, limit }: UnsentQuery,
): Promise<Pick<DeliveryRow, "id" | "event_id">[]> {
  const { fromMs, throughMs } = created;
  return session.query((db) => {
    let query = db
      .selectFrom("deliveries")
      .select(["id", "event_id"])
      .where("endpoint_id", "=", endpointId)
      .where(isUnsent)
      .where("event_id", ">", after);
    if (fromMs !== undefined) query = query.where("event_id", ">=", eventIdAt(fromMs));
    if (throughMs !== undefined) query = query.where("event_id", "<", eventIdAt(throughMs + 1));
    return query.orderBy("event_id").limit(limit);
  });
}

/** An attempt in progress checks the endpoint itself. One whose claim expired has died. */
const isUnclaimed = (now: string) => sql<boolean>`(lease_owner is null or due_at <= ${now})`;

const selectWaiting = statement<{ endpointId: string; now: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("endpoint_id", "=", p.endpointId)
    .where("due_at", "is not", null)
    .where(isUnclaimed(p.now))
    .limit(1),
);

/** Whether any delivery to the endpoint is queued. */
export async function hasWaitingDelivery(
  session: Session,
  by: { endpointId: string; now: string },
): Promise<boolean> {
  return (await session.first(selectWaiting, by)) !== undefined;
}

const selectOfEvent = statement<{ endpointId: string; eventId: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("event_id", "=", p.eventId)
    .where("endpoint_id", "=", p.endpointId),
);

/** The newest delivery of the event to the endpoint. */
export async function findDeliveryOfEvent(
  session: Session,
  by: { endpointId: string; eventId: string },
): Promise<DeliveryRow | undefined> {
  const rows = await session.all(selectOfEvent, by);
  return rows.reduce<DeliveryRow | undefined>(
    (newest, row) => (newest === undefined || row.id > newest.id ? row : newest),
    undefined,
  );
}

/** Deliveries about the document with at least one attempt. */
export const findAttemptedDeliveries = allRows<{ documentId: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select(["id", "attempts"])
    .where("attempts", "is not", null)
    .where("event_id", "in", (eb) =>
      eb.selectFrom("events").select("id").where("document_id", "=", p.documentId),
    ),
);

/** The attempts of a delivery, if it still exists. */
export const findAttempts = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("deliveries").select(["id", "attempts"]).where("id", "=", p.id),
);

/** Deliveries of the range with at least one attempt, oldest first. */
export const findAttemptedIn = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("deliveries").select(["id", "attempts"]).where("attempts", "is not", null), p),
);

/** The newest deliveries about the document. */
export const listDeliveriesOfDocument = allRows<{ documentId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("event_id", "in", (eb) =>
      eb.selectFrom("events").select("id").where("document_id", "=", p.documentId),
    )
    .orderBy("id", "desc")
    .limit(p.limit),
);

export const rewriteAttempts = changeRows<{ id: string; attempts: Uint8Array }>()((db, p) =>
  db.updateTable("deliveries").set({ attempts: p.attempts }).where("id", "=", p.id),
);

/** Restarts the schedule of a delivery. Returns false if an attempt is in progress. */
export const requeueDelivery = changesRow<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ status: "pending", tries: 0, due_at: p.due })
    .where("id", "=", p.id)
    .where("lease_owner", "is", null),
);

const holdRows = statement<{ endpointId: string; now: string; limit: number }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ status: "held", due_at: null, lease_owner: null })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("deliveries")
        .select("id")
        .where("endpoint_id", "=", p.endpointId)
        .where("status", "=", sql.lit("pending"))
        .where(isUnclaimed(p.now))
        .limit(p.limit),
    ),
);

/** Holds up to `limit` pending deliveries of a disabled endpoint; returns how many. */
export function holdDeliveries(trx: Transaction, endpointId: string, limit: number): Promise<number> {
  return trx.run(holdRows, { endpointId, now: new Date(trx.clockMs).toISOString(), limit });
}

/** Deletes up to `limit` finished deliveries with ids below `before`; returns how many. */
export const deleteDeliveriesBefore = changeRows<{ before: string; limit: number }>()((db, p) =>
  db.deleteFrom("deliveries").where("id", "in", (eb) =>
    eb
      .selectFrom("deliveries")
      .select("id")
      .where("id", "<", p.before)
      // Deliveries queued again are still to be sent.
      .where("status", "<>", "pending")
      .orderBy("id")
      .limit(p.limit),
  ),
);

/** Deletes up to `limit` deliveries of an endpoint; returns how many. */
export const deleteDeliveriesOf = changeRows<{ endpointId: string; limit: number }>()((db, p) =>
  db
    .deleteFrom("deliveries")
    .where("id", "in", (eb) =>
      eb.selectFrom("deliveries").select("id").where("endpoint_id", "=", p.endpointId).limit(p.limit),
    ),
);
