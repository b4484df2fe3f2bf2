/** Connect sessions, what is known of tax numbers, and what reading and keeping the logs needs. */
import { type Kysely, sql } from "kysely";

const CHANGES = [
  `alter table documents add column connection_lost integer not null default 0 check (connection_lost in (0, 1))`,
  // A provider's numbers are its own: its series may have the names of ours, and its numbers ours again.
  `alter table documents add column provider_numbered integer not null default 0 check (provider_numbered in (0, 1))`,
  `drop index documents_one_number`,
  `create unique index documents_one_number on documents (supplier, branch, type, series, number, mode)
    where number is not null and provider_numbered = 0`,

  `alter table connections add column last_error_at text`,
  `create index connections_by_mode on connections (mode, id)`,
  `create index connections_to_forget on connections (disconnected_at)
    where status = 'disconnected' and credentials is not null`,

  `create table connect_sessions (
    id text primary key,
    merchant_id text not null references merchants (id),
    mode text not null check (mode in ('test', 'live')),
    provider text,
    return_url text,
    token_hash text not null unique,
    expires_at text not null,
    refusals integer not null default 0,
    completed_at text,
    connection_id text references connections (id),
    created_at text not null,
    check ((completed_at is null) = (connection_id is null))
  ) strict`,

  // Every filter of the two logs walks an index of its own, from its end.
  `create index requests_by_status on requests (mode, status, id)`,
  `create index requests_by_operation on requests (mode, operation_id, id) where operation_id is not null`,
  `create index requests_by_document on requests (document_id, id) where document_id is not null`,
  `create index requests_by_request_id on requests (request_id, id)`,

  // Calls of one exchange share its bodies, which are kept under the first.
  `create index provider_calls_sharing on provider_calls (body_id) where body_id <> id`,

  `create table tax_answers (
    country text not null,
    code text not null,
    sealed blob not null,
    checked_at text not null,
    primary key (country, code)
  ) strict, without rowid`,
  `create index tax_answers_by_age on tax_answers (checked_at)`,

  // Documents keep their keys for ever: they are not looked at when keys are forgotten.
  `create index idempotency_to_forget on idempotency (created_at) where operation <> 'issueDocument'`,

  `create table filing_checks (
    document_id text primary key references documents (id),
    series text,
    number integer,
    uid text,
    due_at text,
    looks integer not null default 0
  ) strict, without rowid`,
  `create index filing_checks_due on filing_checks (due_at) where due_at is not null`,
  `create table surplus_marks (
    document_id text not null references documents (id),
    mark text not null,
    due_at text,
    tries integer not null default 0,
    cancellation_mark text,
    found_at text not null,
    primary key (document_id, mark)
  ) strict, without rowid`,
  `create index surplus_marks_due on surplus_marks (due_at) where due_at is not null`,

  `create table watermarks (
    name text primary key,
    through text not null
  ) strict, without rowid`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
}
