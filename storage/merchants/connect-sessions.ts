/** Connect sessions: links with which merchants connect themselves. Only the hashes of their tokens are stored. */
import type { Insertable, Selectable } from "kysely";
import type { ConnectSessionTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type ConnectSessionRow = Selectable<ConnectSessionTable>;

const insertRow = rowStatement<Insertable<ConnectSessionTable>>()((db, row) =>
  db.insertInto("connect_sessions").values(row),
);
const selectById = statement<{ id: string }>()((db, p) =>
  db.selectFrom("connect_sessions").selectAll().where("id", "=", p.id),
);
const selectByHash = statement<{ hash: string }>()((db, p) =>
  db.selectFrom("connect_sessions").selectAll().where("token_hash", "=", p.hash),
);

export async function insertConnectSession(
  trx: Transaction,
  row: Insertable<ConnectSessionTable>,
): Promise<void> {
  await trx.run(insertRow, row);
}

export function findConnectSessionRow(session: Session, id: string): Promise<ConnectSessionRow | undefined> {
  return session.first(selectById, { id });
}

/** `hash`: hex SHA-256 of the link's token. */
export function findConnectSessionByHash(
  session: Session,
  hash: string,
): Promise<ConnectSessionRow | undefined> {
  return session.first(selectByHash, { hash });
}

const addRefusals = statement<{ id: string; change: number }>()((db, p) =>
  db
    .updateTable("connect_sessions")
    .set((eb) => ({ refusals: eb("refusals", "+", p.change) }))
    .where("id", "=", p.id),
);

/** Adds `change` to the number of refusals. */
export async function countRefusal(trx: Transaction, id: string, change: 1 | -1): Promise<void> {
  await trx.run(addRefusals, { id, change });
}

const completeRow = statement<{ id: string; connectionId: string; at: string }>()((db, p) =>
  db
    .updateTable("connect_sessions")
    .set({ completed_at: p.at, connection_id: p.connectionId })
    .where("id", "=", p.id)
    .where("completed_at", "is", null),
);

/** Marks the session as completed. Returns false if it already was. */
export async function completeConnectSession(
  trx: Transaction,
  completion: { id: string; connectionId: string; at: string },
): Promise<boolean> {
  return (await trx.run(completeRow, completion)) === 1;
}
