/** Webhook endpoints. The row of a removed endpoint is hidden, and stays until its deliveries are deleted. */
import { sql } from "kysely";
import { fetchSlice, type Slice } from "../database/lists.ts";
import { allRows, allValues, changeRows, firstRow, insertRow, outdating } from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import { rowStatement, type Session } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";
import type { EndpointStatus, Mode } from "../stored-values.ts";

export type EndpointRow = Row<"webhook_endpoints">;

export const findEndpointRow = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("webhook_endpoints").selectAll().where("id", "=", p.id).where("removed_at", "is", null),
);

/** The columns that determine which events an endpoint receives. */
export type EndpointInterest = Pick<EndpointRow, "id" | "status" | "enabled_events_json">;

const selectInUse = allRows<{ mode: Mode }>()((db, p) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["id", "status", "enabled_events_json"])
    .where("mode", "=", p.mode)
    .where("removed_at", "is", null),
);

/** The endpoints of a mode, enabled or not. Needed for every event, and so remembered. */
export function findEndpointInterests(trx: Transaction, mode: Mode): Promise<EndpointInterest[]> {
  return trx.remember(`endpoints ${mode}`, () => selectInUse(trx, { mode }));
}

export const findDisabledEndpoints = allValues()((db) =>
  db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("mode", "in", ["test", "live"])
    .where("removed_at", "is", null)
    .where("status", "=", "disabled"),
);

export const insertEndpoint = outdating(insertRow("webhook_endpoints"));

export type EndpointChange = Omit<EndpointRow, "mode" | "created_at" | "removed_at">;

const changeRow = rowStatement<EndpointChange>()((db, { id, ...changes }) =>
  db.updateTable("webhook_endpoints").set(changes).where("id", "=", id).where("removed_at", "is", null),
);

/** Updates an endpoint. Its row must have been read in the same write. */
export const changeEndpoint = outdating((trx, change: EndpointChange) => trx.run(changeRow, change));

export type EndpointHealth = Pick<EndpointRow, "failing_since" | "failures" | "gone_at">;

/** Updates what does not decide which events an endpoint receives. */
export const changeEndpointHealth = changeRows<EndpointHealth & { id: string }>()((db, p) =>
  db
    .updateTable("webhook_endpoints")
    .set({ failing_since: p.failing_since, failures: p.failures, gone_at: p.gone_at })
    .where("id", "=", p.id)
    .where("removed_at", "is", null),
);

/** Marks an endpoint as removed, and deletes its secrets. */
export const removeEndpoint = outdating(
  changeRows<{ id: string; at: string }>()((db, p) =>
    db
      .updateTable("webhook_endpoints")
      .set({ removed_at: p.at, status: "disabled", secrets: new Uint8Array() })
      .where("id", "=", p.id)
      .where("removed_at", "is", null),
  ),
);

/** Deletes the rows of removed endpoints that have no deliveries left. */
export const deleteRemovedEndpoints = changeRows()(
  () => sql`
    delete from webhook_endpoints where removed_at is not null
      and not exists (select 1 from deliveries where endpoint_id = webhook_endpoints.id)`,
);

export function findEndpointSlice(
  session: Session,
  equal: { mode: Mode; status?: EndpointStatus | undefined },
  slice: Slice,
): Promise<EndpointRow[]> {
  const isInUse = sql<boolean>`removed_at is null`;
  return fetchSlice(session, "webhook_endpoints", { equal, also: [isInUse] }, slice);
}
