/** Connections: which provider a merchant's documents can be routed to, and with which sealed credentials. */
import type { Selectable } from "kysely";
import type { ConnectionTable, Mode } from "./schema.ts";
import { inOrderOfIds } from "./lists.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type ConnectionRow = Selectable<ConnectionTable>;

const selectById = statement<{ id: string }>()((db, p) =>
  db.selectFrom("connections").selectAll().where("id", "=", p.id),
);
const selectActive = statement<{ merchantId: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("mode", "=", p.mode)
    .where("status", "=", "active"),
);
const markInvalidRow = statement<{ id: string; errorJson: string }>()((db, p) =>
  db
    .updateTable("connections")
    .set({ status: "invalid", last_error_json: p.errorJson })
    .where("id", "=", p.id)
    .where("status", "=", "active"),
);

export function findConnectionRow(session: Session, id: string): Promise<ConnectionRow | undefined> {
  return session.first(selectById, { id });
}

/** The connections of a merchant in a mode that documents can be routed to. */
export async function findActiveConnections(
  session: Session,
  merchantId: string,
  mode: Mode,
): Promise<ConnectionRow[]> {
  // Sorted here: an ORDER BY costs SQLite 10 µs, ten times the rest of this, on the way of every document.
  return inOrderOfIds(await session.all(selectActive, { merchantId, mode }));
}

/** False when it was not active: it is invalid already, or disconnected. */
export async function markConnectionInvalid(
  trx: Transaction,
  id: string,
  errorJson: string,
): Promise<boolean> {
  return (await trx.run(markInvalidRow, { id, errorJson })) === 1;
}
