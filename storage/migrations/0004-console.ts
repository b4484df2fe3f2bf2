/** The console: its links and sessions, and the indexes behind its overview and its search. */
import { type Kysely, sql } from "kysely";

const CHANGES = [
  `create table console_links (
    token_hash text primary key,
    mode text not null check (mode in ('test', 'live')),
    expires_at text not null,
    used_at text,
    created_at text not null
  ) strict, without rowid`,
  `create index console_links_by_age on console_links (expires_at)`,
  `create table console_sessions (
    token_hash text primary key,
    mode text not null check (mode in ('test', 'live')),
    key_id text references api_keys (id),
    expires_at text not null,
    created_at text not null
  ) strict, without rowid`,
  `create index console_sessions_by_age on console_sessions (expires_at)`,

  // A day's sums are read from this index alone.
  `create index documents_by_day on documents (mode, issue_date, type, vat, cancellation_mark)
    where phase = 'issued'`,
  // People know a number, and sometimes its series.
  `create index documents_by_number on documents (mode, number, id) where number is not null`,
  `create index connections_invalid on connections (mode, id) where status = 'invalid'`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
}
