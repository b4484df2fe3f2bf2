/** Webhook endpoints. The row of a removed endpoint is hidden, and stays until its deliveries are deleted. */
import type { Insertable, Selectable } from "kysely";
import { type Slice, applySlice } from "../database/lists.ts";
import type { WebhookEndpointTable } from "../database/schema.ts";
import type { Mode, EndpointStatus } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import { changeRows, firstRow } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

export type EndpointRow = Selectable<WebhookEndpointTable>;

export const findEndpointRow = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("webhook_endpoints").selectAll().where("id", "=", p.id).where("removed_at", "is", null),
);

/** The columns that determine which events an endpoint receives. */
export type EndpointInterest = Pick<EndpointRow, "id" | "status" | "enabled_events_json">;

const selectInUse = statement<{ mode: Mode }>()((db, p) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["id", "status", "enabled_events_json"])
    .where("mode", "=", p.mode)
    .where("removed_at", "is", null),
);

/** The endpoints of a mode, enabled or not. Needed for every event, and so remembered. */
export function findEndpointInterests(trx: Transaction, mode: Mode): Promise<EndpointInterest[]> {
  return trx.remember(`endpoints ${mode}`, () => trx.all(selectInUse, { mode }));
}

const selectDisabled = statement<object>()((db) =>
  db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("mode", "in", ["test", "live"])
    .where("removed_at", "is", null)
    .where("status", "=", "disabled"),
);

/** The ids of disabled endpoints, of both modes. */
export async function findDisabledEndpoints(session: Session): Promise<string[]> {
  return (await session.all(selectDisabled, {})).map(({ id }) => id);
}

const insertRow = rowStatement<Insertable<WebhookEndpointTable>>()((db, row) =>
  db.insertInto("webhook_endpoints").values(row).returningAll(),
);

/** Inserts an endpoint and returns its row; the columns left out are null. */
export async function insertEndpoint(
  trx: Transaction,
  row: Insertable<WebhookEndpointTable>,
): Promise<EndpointRow> {
  trx.outdate();
  return (await trx.first(insertRow, row))!;
}

/** The columns of an endpoint that can change. */
export type EndpointChange = Omit<EndpointRow, "mode" | "created_at" | "removed_at">;

const changeRow = rowStatement<EndpointChange>()((db, { id, ...changes }) =>
  db.updateTable("webhook_endpoints").set(changes).where("id", "=", id).where("removed_at", "is", null),
);

/** Updates an endpoint. Its row must have been read in the same write. */
export async function changeEndpoint(trx: Transaction, change: EndpointChange): Promise<void> {
  trx.outdate();
  await trx.run(changeRow, change);
}

const changeHealthRow = statement<EndpointHealth & { id: string }>()((db, p) =>
  db
    .updateTable("webhook_endpoints")
    .set({ failing_since: p.failing_since, failures: p.failures, gone_at: p.gone_at })
    .where("id", "=", p.id)
    .where("removed_at", "is", null),
);

/** How an endpoint has answered lately. */
export type EndpointHealth = Pick<EndpointRow, "failing_since" | "failures" | "gone_at">;

/** Updates what does not decide which events an endpoint receives. */
export async function changeEndpointHealth(
  trx: Transaction,
  { id, failing_since, failures, gone_at }: EndpointHealth & { id: string },
): Promise<void> {
  await trx.run(changeHealthRow, { id, failing_since, failures, gone_at });
}

const removeRow = statement<{ id: string; at: string; nothing: Uint8Array }>()((db, p) =>
  db
    .updateTable("webhook_endpoints")
    .set({ removed_at: p.at, status: "disabled", secrets: p.nothing })
    .where("id", "=", p.id)
    .where("removed_at", "is", null),
);

/** Marks an endpoint as removed, and deletes its secrets. */
export async function removeEndpoint(trx: Transaction, id: string, at: string): Promise<void> {
  trx.outdate();
  await trx.run(removeRow, { id, at, nothing: new Uint8Array() });
}

const selectRemoved = statement<object>()((db) =>
  db.selectFrom("webhook_endpoints").select("id").where("removed_at", "is not", null).orderBy("id").limit(1),
);

/** The id of the first removed endpoint whose row still exists. */
export async function findRemovedEndpoint(session: Session): Promise<string | undefined> {
  return (await session.first(selectRemoved, {}))?.id;
}

/** Deletes the row of a removed endpoint, which must have no deliveries left. */
export const deleteEndpoint = changeRows<{ id: string }>()((db, p) =>
  db.deleteFrom("webhook_endpoints").where("id", "=", p.id).where("removed_at", "is not", null),
);

export interface EndpointFilters {
  mode: Mode;
  status?: EndpointStatus | undefined;
}

export function findEndpointSlice(
  session: Session,
  { mode, status }: EndpointFilters,
  slice: Slice,
): Promise<EndpointRow[]> {
  return session.query((db) => {
    let query = db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where("mode", "=", mode)
      .where("removed_at", "is", null);
    if (status !== undefined) query = query.where("status", "=", status);
    return applySlice(query, slice);
  });
}
