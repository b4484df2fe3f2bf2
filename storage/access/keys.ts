/** API keys, stored as hashes only (docs/contract.md#api-keys). */
import type { Selectable } from "kysely";
import type { ApiKeyTable } from "../database/schema.ts";
import { allRows, changeRows, changesRow, firstRow } from "../database/queries.ts";

export type ApiKeyRow = Selectable<ApiKeyTable>;

export const findKeyByHash = firstRow<{ hash: string }>()((db, p) =>
  db.selectFrom("api_keys").selectAll().where("hash", "=", p.hash),
);

/** All keys, including revoked ones, newest first. */
export const listKeyRows = allRows()((db) => db.selectFrom("api_keys").selectAll().orderBy("id", "desc"));

export const revokeKeyRow = changesRow<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ revoked_at: p.at }).where("id", "=", p.id).where("revoked_at", "is", null),
);

/** Sets when the key expires. */
export const expireKeyRow = changeRows<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ expires_at: p.at }).where("id", "=", p.id),
);

/** Sets when the key was used last. */
export const touchKey = changeRows<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ last_used_at: p.at }).where("id", "=", p.id),
);
