/** API keys (docs/contract.md#api-keys), and one-time links and sessions of the console. Of all of them only hashes are stored. */
import { sql } from "kysely";
import {
  allRows,
  changeRows,
  changesRow,
  deleteRow,
  findRow,
  firstRow,
  hasRow,
  updateRow,
} from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";
import type { Row } from "../database/schema.ts";

export type ApiKeyRow = Row<"api_keys">;

export const findKeyByHash = findRow("api_keys", ["hash"]);

/** All keys, including revoked ones, newest first. */
export const listKeyRows = allRows()((db) => db.selectFrom("api_keys").selectAll().orderBy("id", "desc"));

export const revokeKeyRow = changesRow<{ id: string; at: string }>()((db, p) =>
  db.updateTable("api_keys").set({ revoked_at: p.at }).where("id", "=", p.id).where("revoked_at", "is", null),
);

export const expireKeyRow = updateRow("api_keys", ["id"], ["expires_at"]);

export const touchKey = updateRow("api_keys", ["id"], ["last_used_at"]);

export const findConsoleLink = findRow("console_links", ["token_hash"]);

/** Marks the link as used. Returns false if it already was. */
export const useConsoleLink = changesRow<{ hash: string; at: string }>()((db, p) =>
  db
    .updateTable("console_links")
    .set({ used_at: p.at })
    .where("token_hash", "=", p.hash)
    .where("used_at", "is", null),
);

export const findConsoleSessionState = firstRow<{ hash: string }>()((db, p) =>
  db
    .selectFrom("console_sessions")
    .leftJoin("api_keys", "api_keys.id", "console_sessions.key_id")
    .select([
      "console_sessions.mode",
      "console_sessions.read_only",
      "console_sessions.key_id",
      "console_sessions.expires_at",
      "api_keys.expires_at as key_expires_at",
      "api_keys.revoked_at as key_revoked_at",
    ])
    .where("token_hash", "=", p.hash),
);

export const hasConsoleSessions = hasRow()((db) =>
  db.selectFrom("console_sessions").select("token_hash").limit(sql.lit(1)),
);

export const deleteConsoleSession = deleteRow("console_sessions", ["token_hash"]);

/** How long a session that is over is still known, so that what its browser had filled in is not lost. */
export const SESSION_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const deleteOldLinks = changeRows<{ before: string }>()((db, p) =>
  db.deleteFrom("console_links").where("expires_at", "<", p.before),
);
const deleteOldSessions = changeRows<{ before: string }>()((db, p) =>
  db.deleteFrom("console_sessions").where("expires_at", "<", p.before),
);

export async function deleteExpiredConsoleRows(trx: Transaction, before: string): Promise<number> {
  return (await deleteOldLinks(trx, { before })) + (await deleteOldSessions(trx, { before }));
}

const deleteAllLinks = changeRows()((db) => db.deleteFrom("console_links"));
const endOpenSessions = changeRows<{ at: string }>()((db, p) =>
  db.updateTable("console_sessions").set({ expires_at: p.at }).where("expires_at", ">", p.at),
);

/** Ends all sessions at `at` and deletes all links; returns the number of sessions that were open. */
export async function endConsoleSessions(trx: Transaction, at: string): Promise<number> {
  await deleteAllLinks(trx);
  return endOpenSessions(trx, { at });
}
