/** Webhook endpoints and what is to be, and was, posted to them. */
import { type Kysely, sql } from "kysely";

const CHANGES = [
  `create table webhook_endpoints (
    id text primary key,
    mode text not null check (mode in ('test', 'live')),
    url text not null,
    enabled_events_json text not null,
    description text,
    status text not null check (status in ('enabled', 'disabled')),
    disabled_reason text,
    secrets blob not null,
    failing_since text,
    failures integer not null default 0,
    gone_at text,
    created_at text not null,
    removed_at text
  ) strict`,
  // Asked with every event.
  `create index webhook_endpoints_in_use on webhook_endpoints (mode, id) where removed_at is null`,
  `create index webhook_endpoints_removed on webhook_endpoints (id) where removed_at is not null`,

  `create table deliveries (
    id text primary key,
    endpoint_id text not null references webhook_endpoints (id),
    event_id text not null,
    document_id text,
    status text not null check (status in ('pending', 'delivered', 'failed', 'held')),
    tries integer not null default 0,
    attempts blob,
    next_at text,
    lease_owner text,
    lease_until text,
    created_at text not null
  ) strict`,
  `create index deliveries_of_endpoint on deliveries (endpoint_id, id)`,
  `create index deliveries_by_status on deliveries (endpoint_id, status, id)`,
  // What a replay goes through, in the order of events.
  `create index deliveries_unsent on deliveries (endpoint_id, event_id, id) where status in ('held', 'failed')`,
  `create index deliveries_of_event on deliveries (event_id, endpoint_id)`,
  `create index deliveries_due on deliveries (endpoint_id, next_at, id) where next_at is not null`,
  `create index deliveries_leased on deliveries (lease_until) where lease_until is not null`,
  // Whether an event of the same document has not been tried yet: decisions 10.
  `create index deliveries_untried on deliveries (endpoint_id, document_id, id)
    where status = 'pending' and tries = 0 and document_id is not null`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
}
