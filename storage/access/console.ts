/** One-time links and sessions of the console. Only the hashes of their tokens are stored. */
import { type Insertable, type Selectable, sql } from "kysely";
import type { ConsoleLinkTable, ConsoleSessionTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type ConsoleLinkRow = Selectable<ConsoleLinkTable>;
export type ConsoleSessionRow = Selectable<ConsoleSessionTable>;

const insertLink = statement<Insertable<ConsoleLinkTable>>()((db, p) =>
  db.insertInto("console_links").values({
    token_hash: p.token_hash,
    mode: p.mode,
    read_only: p.read_only,
    expires_at: p.expires_at,
    used_at: sql.lit(null),
    created_at: p.created_at,
  }),
);
const selectLink = statement<{ hash: string }>()((db, p) =>
  db.selectFrom("console_links").selectAll().where("token_hash", "=", p.hash),
);
const useLink = statement<{ hash: string; at: string }>()((db, p) =>
  db
    .updateTable("console_links")
    .set({ used_at: p.at })
    .where("token_hash", "=", p.hash)
    .where("used_at", "is", null),
);

export async function insertConsoleLink(
  trx: Transaction,
  row: Omit<ConsoleLinkRow, "used_at">,
): Promise<void> {
  await trx.run(insertLink, row);
}

/** `hash`: hex SHA-256 of the link's token. */
export function findConsoleLink(session: Session, hash: string): Promise<ConsoleLinkRow | undefined> {
  return session.first(selectLink, { hash });
}

/** Marks the link as used. Returns false if it already was. */
export async function useConsoleLink(trx: Transaction, hash: string, at: string): Promise<boolean> {
  return (await trx.run(useLink, { hash, at })) === 1;
}

const insertSession = rowStatement<Insertable<ConsoleSessionTable>>()((db, row) =>
  db.insertInto("console_sessions").values(row),
);
const selectSession = statement<{ hash: string }>()((db, p) =>
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
const deleteSession = statement<{ hash: string }>()((db, p) =>
  db.deleteFrom("console_sessions").where("token_hash", "=", p.hash),
);

export async function insertConsoleSession(trx: Transaction, row: ConsoleSessionRow): Promise<void> {
  await trx.run(insertSession, row);
}

/** A session with the state of the key that opened it. */
export interface ConsoleSessionState {
  mode: ConsoleSessionRow["mode"];
  read_only: ConsoleSessionRow["read_only"];
  key_id: string | null;
  expires_at: string;
  key_expires_at: string | null;
  key_revoked_at: string | null;
}

export function findConsoleSessionState(
  session: Session,
  hash: string,
): Promise<ConsoleSessionState | undefined> {
  return session.first(selectSession, { hash });
}

const selectAnySession = statement<object>()((db) =>
  db.selectFrom("console_sessions").select("token_hash").limit(sql.lit(1)),
);

export async function hasConsoleSessions(session: Session): Promise<boolean> {
  return (await session.first(selectAnySession, {})) !== undefined;
}

export async function deleteConsoleSession(trx: Transaction, hash: string): Promise<void> {
  await trx.run(deleteSession, { hash });
}

/** How long a session that is over is still known, so that what its browser had filled in is not lost. */
export const SESSION_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const deleteOldLinks = statement<{ before: string }>()((db, p) =>
  db.deleteFrom("console_links").where("expires_at", "<", p.before),
);
const deleteOldSessions = statement<{ before: string }>()((db, p) =>
  db.deleteFrom("console_sessions").where("expires_at", "<", p.before),
);

/** Deletes sessions and links that expired before `before`; returns the number of rows. */
export async function deleteExpiredConsoleRows(trx: Transaction, before: string): Promise<number> {
  return (await trx.run(deleteOldLinks, { before })) + (await trx.run(deleteOldSessions, { before }));
}

const deleteAllLinks = statement<object>()((db) => db.deleteFrom("console_links"));
const endOpenSessions = statement<{ at: string }>()((db, p) =>
  db.updateTable("console_sessions").set({ expires_at: p.at }).where("expires_at", ">", p.at),
);

/** Ends all sessions at `at` and deletes all links; returns the number of sessions that were open. */
export async function endConsoleSessions(trx: Transaction, at: string): Promise<number> {
  await trx.run(deleteAllLinks, {});
  return trx.run(endOpenSessions, { at });
}
