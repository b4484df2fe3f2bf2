/** Deliveries, each of one event to one endpoint: which are due and can be sent, lists, holding and deletion. */
import { sql } from "kysely";
import { unindexed } from "../database/dialect.ts";
import { type IdPrefix, idBodyAt } from "../database/ids.ts";
import { type CreatedRange, fetchSlice, type Slice } from "../database/lists.ts";
import {
  allRows,
  changeRows,
  changesRow,
  findRow,
  firstRow,
  hasRow,
  inPortion,
  type Portion,
  updateRow,
} from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { workTable } from "../database/work.ts";
import type { DeliveryStatus, Mode } from "../stored-values.ts";

export type DeliveryRow = Row<"deliveries">;

export type NewDelivery = Pick<
  DeliveryRow,
  "id" | "endpoint_id" | "event_id" | "document_id" | "status" | "due_at" | "created_at"
>;

/** Whether no earlier event of the same document still waits for its first attempt. */
const isFirstOfDocument = sql<boolean>`not exists (
  select 1 from deliveries as earlier
  where earlier.endpoint_id = due.endpoint_id and earlier.document_id = due.document_id
    and earlier.status = 'pending' and earlier.tries = 0 and earlier.id < due.id
)`;
/** Whether the row aliased as `due` can be sent now: first attempts of a document are made in the order of its events. */
const canBeSent = sql<boolean>`(due.tries > 0 or due.document_id is null or ${isFirstOfDocument})`;

export interface DueEndpoint {
  id: string;
  mode: Mode;
  /** Failed attempts since the last success. */
  failures: number;
}

/**
 * The enabled endpoints of both modes that have a due delivery, sorted by id; none while the appliance is held. The limit makes both
 * engines look into the index once for each endpoint, however many deliveries are due.
 */
export const findDueEndpoints = allRows<{ due: string }>()(
  (_, p) => sql<DueEndpoint>`
    select id, mode, failures from webhook_endpoints as endpoint
    where mode in ('test', 'live') and removed_at is null and status = 'enabled'
      and (select id from deliveries where endpoint_id = endpoint.id and due_at is not null and due_at <= ${p.due}
        limit 1) is not null
      and (select state from appliance where id = 1) <> 'held'
    order by id`,
);

export interface DeliveryScope {
  endpointId: string;
  /** First attempts that are due by then, after a short delay, are made now. */
  firstDue: string;
}

export const deliveryWork = workTable<DeliveryRow, DeliveryScope>("deliveries", {
  key: ["id"],
  among: ({ endpointId, firstDue }) =>
    sql<boolean>`due.endpoint_id = ${endpointId} and (due.tries > 0 or due.due_at <= ${firstDue}) and ${canBeSent}`,
  repeatsLost: true,
});

/** The delivery as it is now, if its claim is still valid. */
export const findClaimedDelivery = firstRow<{ id: string; lease_owner: string | null }>()((db, p) =>
  db.selectFrom("deliveries").selectAll().where("id", "=", p.id).where("lease_owner", "=", p.lease_owner),
);

export function findDeliverySlice(
  session: Session,
  { endpointId, status }: { endpointId: string; status?: DeliveryStatus | undefined },
  slice: Slice,
): Promise<DeliveryRow[]> {
  return fetchSlice(session, "deliveries", { equal: { endpoint_id: endpointId, status } }, slice);
}

export interface UnsentQuery {
  endpointId: string;
  after: string;
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

export const hasWaitingDelivery = hasRow<{ endpointId: string; now: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select("id")
    .where("endpoint_id", "=", p.endpointId)
    .where("due_at", "is not", null)
    .where(isUnclaimed(p.now))
    .limit(1),
);

export const findDeliveryOfEvent = firstRow<{ endpointId: string; eventId: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("event_id", "=", p.eventId)
    // The plus keeps SQLite to the index of events; an endpoint has far more deliveries.
    .where(unindexed<string>("endpoint_id"), "=", p.endpointId)
    .orderBy("id", "desc")
    .limit(1),
);

export const findDelivery = findRow("deliveries", ["id"]);

/** Deliveries of the range with at least one attempt, oldest first. */
export const findAttemptedIn = allRows<Portion>()((db, p) =>
  inPortion(
    db.selectFrom("deliveries").select(["id", "document_id", "attempts"]).where("attempts", "is not", null),
    p,
  ),
);

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

export const rewriteAttempts = updateRow("deliveries", ["id"], ["attempts"]);

/** Restarts the schedule of a delivery. Returns false if an attempt is in progress. */
export const requeueDelivery = changesRow<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ status: "pending", tries: 0, due_at: p.due })
    .where("id", "=", p.id)
    .where("lease_owner", "is", null),
);

/** Holds up to `limit` pending deliveries of a disabled endpoint; returns how many. */
export const holdDeliveries = changeRows<{ endpointId: string; now: string; limit: number }>()(
  (_, p) => sql`
    update deliveries set status = 'held', due_at = null, lease_owner = null where id in (
      select id from deliveries where endpoint_id = ${p.endpointId} and status = 'pending' and ${isUnclaimed(p.now)}
      limit ${p.limit} + 0)`,
);

/** Deletes up to `limit` finished deliveries with ids below `before`; returns how many. */
export const deleteDeliveriesBefore = changeRows<{ before: string; limit: number }>()(
  // Deliveries queued again are still to be sent.
  (_, p) => sql`
    delete from deliveries where id in (
      select id from deliveries where id < ${p.before} and status <> 'pending' order by id limit ${p.limit} + 0)`,
);

/** Deletes up to `limit` deliveries of removed endpoints; returns how many. */
export const deleteDeliveriesOfRemoved = changeRows<{ limit: number }>()(
  (_, p) => sql`
    delete from deliveries where id in (
      select deliveries.id from webhook_endpoints join deliveries on endpoint_id = webhook_endpoints.id
      where removed_at is not null limit ${p.limit} + 0)`,
);
