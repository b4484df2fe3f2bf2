/** API keys, stored as hashes only (docs/contract.md#api-keys). */
import type { Insertable, Selectable } from "kysely";
import type { ApiKeyTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type ApiKeyRow = Selectable<ApiKeyTable>;

const insertRow = rowStatement<Insertable<ApiKeyTable>>()((db, row) => db.insertInto("api_keys").values(row));
const selectByHash = statement<{ hash: string }>()((db, p) =>
  db.selectFrom("api_keys").selectAll().where("hash", "=", p.hash),
);
const selectAll = statement<object>()((db) => db.selectFrom("api_keys").selectAll().orderBy("id", "desc"));
const revokeRow = statement<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ revoked_at: p.at }).where("id", "=", p.id).where("revoked_at", "is", null),
);
const expireRow = statement<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ expires_at: p.at }).where("id", "=", p.id),
);
const touchRow = statement<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ last_used_at: p.at }).where("id", "=", p.id),
);

export async function insertKey(trx: Transaction, row: ApiKeyRow): Promise<void> {
  await trx.run(insertRow, row);
}

export function findKeyByHash(session: Session, hash: string): Promise<ApiKeyRow | undefined> {
  return session.first(selectByHash, { hash });
}

/** All keys, including revoked ones, newest first. */
export function listKeyRows(session: Session): Promise<ApiKeyRow[]> {
  return session.all(selectAll, {});
}

export async function revokeKeyRow(trx: Transaction, id: string, at: string): Promise<boolean> {
  return (await trx.run(revokeRow, { id, at })) === 1;
}

/** Sets when the key expires. */
export async function expireKeyRow(trx: Transaction, id: string, at: string): Promise<void> {
  await trx.run(expireRow, { id, at });
}

/** Sets when the key was used last. */
export async function touchKey(trx: Transaction, id: string, at: string): Promise<void> {
  await trx.run(touchRow, { id, at });
}
