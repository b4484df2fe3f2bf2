/** Connect sessions: links with which merchants connect themselves. Only the hashes of their tokens are stored. */
import type { Selectable } from "kysely";
import type { ConnectSessionTable } from "../database/schema.ts";
import { changeRows, changesRow, firstRow } from "../database/queries.ts";

export type ConnectSessionRow = Selectable<ConnectSessionTable>;

export const findConnectSessionRow = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("connect_sessions").selectAll().where("id", "=", p.id),
);

/** `hash`: hex SHA-256 of the link's token. */
export const findConnectSessionByHash = firstRow<{ hash: string }>()((db, p) =>
  db.selectFrom("connect_sessions").selectAll().where("token_hash", "=", p.hash),
);

/** Adds `change` to the number of refusals. */
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
