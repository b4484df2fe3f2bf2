/** The delivery queue: which deliveries are due, and which of them can be sent. */
import { sql } from "kysely";
import type { DeliveryRow } from "./deliveries.ts";
import type { Mode } from "../stored-values.ts";
import { allRows, firstRow } from "../database/queries.ts";
import { workTable } from "../database/work.ts";

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
export const findDueEndpoints = allRows<{ due: string }>()((db, p) =>
  db
    .selectFrom("webhook_endpoints as endpoint")
    .select(["endpoint.id", "endpoint.mode", "endpoint.failures"])
    .where("endpoint.mode", "in", ["test", "live"])
    .where("endpoint.removed_at", "is", null)
    .where("endpoint.status", "=", "enabled")
    .where(
      (eb) =>
        eb
          .selectFrom("deliveries")
          .select("deliveries.id")
          .whereRef("deliveries.endpoint_id", "=", "endpoint.id")
          .where("deliveries.due_at", "is not", null)
          .where("deliveries.due_at", "<=", p.due)
          .limit(sql.lit(1)),
      "is not",
      null,
    )
    .where((eb) => eb.selectFrom("appliance").select("state").where("id", "=", sql.lit(1)), "<>", "held")
    .orderBy("endpoint.id"),
);

/** Which deliveries are claimed. */
export interface DeliveryScope {
  endpointId: string;
  /** First attempts that are due by then, after a short delay, are made now. */
  firstDue: string;
}

/** Claims those of an endpoint that can be sent. */
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
