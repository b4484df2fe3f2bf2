/** Connections of merchants to providers, with their encrypted credentials, and the links with which merchants connect themselves. */
import { sql } from "kysely";
import type { NewRow, Row } from "../database/schema.ts";
import type { ConnectionStatus, Mode, Provider } from "../stored-values.ts";
import { fetchSlice, type Slice, sortById } from "../database/lists.ts";
import type { Session } from "../database/session.ts";
import {
  allRows,
  allValues,
  changeRows,
  changesRow,
  findRow,
  firstRow,
  insertRow,
  outdating,
} from "../database/queries.ts";

export type ConnectionRow = Row<"connections">;

/** The columns that change. Merchant, provider, mode and credentials of a connection never do. */
export type ConnectionChange = Pick<
  ConnectionRow,
  "id" | "status" | "verified_at" | "last_error_json" | "last_error_at" | "disconnected_at"
> & { from: ConnectionStatus };

/** Returns false if the status is no longer `from`. */
export const changeConnection = outdating(
  changesRow<ConnectionChange>()((db, p) =>
    db
      .updateTable("connections")
      .set({
        status: p.status,
        verified_at: p.verified_at,
        last_error_json: p.last_error_json,
        last_error_at: p.last_error_at,
        disconnected_at: p.disconnected_at,
      })
      .where("id", "=", p.id)
      .where("status", "=", p.from),
  ),
);

export const findConnectionRow = findRow("connections", ["id"]);

const selectActive = allRows<{ merchantId: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("mode", "=", p.mode)
    // A literal: with a parameter, SQLite would recompile the statement on every call to check the condition of a partial index.
    .where("status", "=", sql.lit("active")),
);

/** The merchant's connections of a mode that documents can be routed to. */
export async function findActiveConnections(
  session: Session,
  merchantId: string,
  mode: Mode,
): Promise<ConnectionRow[]> {
  return sortById(await selectActive(session, { merchantId, mode }));
}

/** The merchant's connection to the provider that is not disconnected; there is at most one. */
export const findConnectionInUse = firstRow<{ merchantId: string; provider: Provider; mode: Mode }>()(
  (db, p) =>
    db
      .selectFrom("connections")
      .selectAll()
      .where("merchant_id", "=", p.merchantId)
      .where("provider", "=", p.provider)
      .where("mode", "=", p.mode)
      .where("status", "<>", "disconnected"),
);

export type NewConnectionRow = NewRow<"connections">;

export const insertConnection = outdating(insertRow("connections"));

/** The connections of a mode that are not disconnected, of one merchant or of all. */
export function findConnectionsInUse(
  session: Session,
  { mode, merchantId }: { mode: Mode; merchantId: string | undefined },
): Promise<ConnectionRow[]> {
  return session.query((db) => {
    const query = db
      .selectFrom("connections")
      .selectAll()
      .where("mode", "=", mode)
      .where("status", "<>", "disconnected")
      .orderBy("id");
    return merchantId === undefined ? query : query.where("merchant_id", "=", merchantId);
  });
}

export function findConnectionSlice(
  session: Session,
  { mode, merchantId }: { mode: Mode; merchantId: string | undefined },
  slice: Slice,
): Promise<ConnectionRow[]> {
  return fetchSlice(session, "connections", { equal: { mode, merchant_id: merchantId } }, slice);
}

/** Deletes the credentials of connections that were disconnected before `before`; returns how many had some. */
export const deleteOldCredentials = outdating(
  changeRows<{ before: string }>()((db, p) =>
    db
      .updateTable("connections")
      .set({ credentials: null })
      .where("status", "=", "disconnected")
      .where("credentials", "is not", null)
      .where("disconnected_at", "<", p.before),
  ),
);

interface IssuedSearch {
  merchantId: string;
  mode: Mode;
  connectionId: string;
  limit: number;
}

/** The suppliers for which the connection has issued, among the merchant's `limit` newest documents. */
export const findIssuedSuppliers = allValues<IssuedSearch>()((db, p) =>
  db
    .selectFrom((newest) =>
      newest
        .selectFrom("documents")
        .select(["supplier", "connection_id", "phase"])
        .where("merchant_id", "=", p.merchantId)
        .where("mode", "=", p.mode)
        .orderBy("id", "desc")
        .limit(p.limit)
        .as("newest"),
    )
    .select("newest.supplier")
    .distinct()
    .where("newest.connection_id", "=", p.connectionId)
    .where("newest.phase", "=", sql.lit("issued")),
);

export type ConnectSessionRow = Row<"connect_sessions">;

export const findConnectSessionRow = findRow("connect_sessions", ["id"]);

export const findConnectSessionByHash = findRow("connect_sessions", ["token_hash"]);

export const countRefusal = changeRows<{ id: string; change: number }>()((db, p) =>
  db
    .updateTable("connect_sessions")
    .set((eb) => ({ refusals: eb("refusals", "+", p.change) }))
    .where("id", "=", p.id),
);

/** Marks the session as completed. Returns false if it already was. */
export const completeConnectSession = changesRow<{ id: string; connectionId: string; at: string }>()(
  (db, p) =>
    db
      .updateTable("connect_sessions")
      .set({ completed_at: p.at, connection_id: p.connectionId })
      .where("id", "=", p.id)
      .where("completed_at", "is", null),
);
