/** Creates the schema of the first release. Never edit a released migration: add a new one instead. */
import { type Kysely, sql } from "kysely";

/** Grouped by table, each followed by its indexes. Ids are primary keys, so listing the newest rows reads from the end. */
export const STATEMENTS = [
  `create table appliance (
    id integer primary key check (id = 1),
    last_id text not null,
    key_check blob not null,
    audit_key blob not null,
    state text not null check (state in ('active', 'held')),
    created_at text not null,
    backup_at text,
    resumed_at text,
    clock_at text not null default '',
    erased_keys integer not null default 0 check (erased_keys in (0, 1)),
    chain_id text not null default '',
    chain blob not null default x'${"00".repeat(32)}',
    chain_seal blob not null
  ) strict`,

  `create table api_keys (
    id text primary key,
    mode text not null check (mode in ('test', 'live')),
    name text not null,
    hash text not null unique,
    last4 text not null,
    created_at text not null,
    expires_at text,
    revoked_at text,
    last_used_at text
  ) strict, without rowid`,

  `create table letterheads (
    id integer primary key,
    digest blob not null unique,
    content_json text not null
  ) strict`,

  `create table merchants (
    id text primary key,
    external_id text not null,
    external_id_folded text not null unique,
    name text not null,
    tax_id text,
    branch integer not null,
    metadata_json text not null,
    archived integer not null check (archived in (0, 1)),
    created_at text not null
  ) strict`,
  `create index merchants_by_tax_id on merchants (tax_id, id) where tax_id is not null`,
  `create index merchants_by_archived on merchants (archived, id)`,

  // Apart from the merchant, because the logo is large and lists of merchants do not show it.
  `create table merchant_settings (
    merchant_id text not null references merchants (id),
    mode text not null check (mode in ('test', 'live')),
    settings_json text not null,
    letterhead_id integer references letterheads (id),
    primary key (merchant_id, mode)
  ) strict`,

  `create table column_maps (
    merchant_id text primary key references merchants (id),
    map_json text not null,
    updated_at text not null
  ) strict, without rowid`,

  `create table connections (
    id text primary key,
    merchant_id text not null references merchants (id),
    provider text not null,
    mode text not null check (mode in ('test', 'live')),
    status text not null check (status in ('active', 'invalid', 'disconnected')),
    credentials blob,
    verified_at text,
    last_error_json text,
    last_error_at text,
    created_at text not null,
    disconnected_at text
  ) strict`,
  `create index connections_by_merchant on connections (merchant_id, mode, id)`,
  `create unique index connections_one_in_use on connections (merchant_id, provider, mode) where status <> 'disconnected'`,
  `create index connections_by_mode on connections (mode, id)`,
  `create index connections_to_forget on connections (disconnected_at)
    where status = 'disconnected' and credentials is not null`,
  `create index connections_invalid on connections (mode, id) where status = 'invalid'`,

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

  `create table documents (
    id text primary key,
    mode text not null check (mode in ('test', 'live')),
    merchant_id text not null references merchants (id),
    provider text not null,
    connection_id text references connections (id),
    type text not null,
    phase text not null check (phase in ('queued', 'submitting', 'awaiting_mark', 'reconciling', 'issued', 'rejected', 'failed')),
    status text not null check (status in ('pending', 'issued', 'rejected', 'failed')),
    issue_date text not null,
    net integer not null,
    vat integer not null,
    gross integer not null,
    supplier text not null,
    branch integer not null,
    series text,
    number integer,
    number_given integer not null check (number_given in (0, 1)),
    provider_numbered integer not null default 0 check (provider_numbered in (0, 1)),
    mark text,
    uid text,
    qr_url text,
    authentication_code text,
    provider_ref text,
    has_filing integer not null default 0 check (has_filing in (0, 1)),
    error_json text,
    classification_source text not null,
    warnings_json text not null,
    external_reference text,
    metadata_json text not null,
    cancellation_mark text,
    cancelled_at text,
    created_at text not null,
    updated_at text not null,
    attempts integer not null default 0,
    polls integer not null default 0,
    absences integer not null default 0,
    stage_since text,
    next_at text,
    lease_owner text,
    lease_until text,
    asking text check (asking in ('first', 'done')),
    check (phase <> 'issued' or mark is not null),
    check ((status = 'pending') = (phase in ('queued', 'submitting', 'awaiting_mark', 'reconciling')))
  ) strict`,
  `create index documents_by_mode on documents (mode, id)`,
  `create index documents_by_merchant on documents (merchant_id, mode, id)`,
  `create index documents_by_status on documents (mode, status, id)`,
  `create index documents_by_type on documents (mode, type, id)`,
  `create index documents_by_provider on documents (mode, provider, id)`,
  `create index documents_by_mark on documents (mark) where mark is not null`,
  `create index documents_by_reference on documents (external_reference, mode, id) where external_reference is not null`,
  `create index documents_by_issue_date on documents (mode, issue_date, id)`,
  `create index documents_due on documents (provider, phase, next_at, id) where next_at is not null`,
  `create index documents_leased on documents (lease_until) where lease_until is not null`,
  `create index documents_by_connection on documents (connection_id, phase) where connection_id is not null`,
  `create index documents_in_flight on documents (supplier, branch, type, series, mode) where phase = 'submitting'`,
  // The authority silently registers the same number twice; this index prevents it. Numbers that a provider allocates
  // are exempt: its series may share names with ours.
  `create unique index documents_one_number on documents (supplier, branch, type, series, number, mode)
    where number is not null and provider_numbered = 0`,
  // Covers the daily totals.
  `create index documents_by_day on documents (mode, issue_date, type, vat, cancellation_mark)
    where phase = 'issued'`,
  // People search by number, sometimes with the series.
  `create index documents_by_number on documents (mode, number, id) where number is not null`,

  `create table document_inputs (
    document_id text primary key references documents (id),
    sealed blob not null,
    decided_json text not null,
    letterhead_id integer references letterheads (id)
  ) strict`,

  `create table filings (
    document_id text primary key references documents (id),
    sealed blob not null
  ) strict`,

  `create table provider_pdfs (
    document_id text primary key references documents (id),
    sealed blob,
    due_at text,
    tries integer not null default 0
  ) strict`,
  `create index provider_pdfs_due on provider_pdfs (due_at) where due_at is not null`,
  `create index provider_pdfs_given_up on provider_pdfs (document_id) where due_at is null and sealed is null`,

  // Only the address is encrypted; null once it is erased. The reason is that of the last attempt.
  `create table mails (
    id text primary key,
    document_id text not null references documents (id),
    sealed blob,
    status text not null check (status in ('waiting', 'sent', 'refused', 'failed', 'erased')),
    reason text check (reason in ('unavailable', 'login', 'certificate', 'sender', 'recipient', 'content', 'document', 'unknown')),
    smtp_code integer,
    tries integer not null default 0,
    form_key text,
    due_at text,
    created_at text not null,
    tried_at text,
    check (due_at is null or status = 'waiting')
  ) strict`,
  `create index mails_of_document on mails (document_id, id)`,
  `create index mails_due on mails (due_at) where due_at is not null`,
  // What doctor reports.
  `create index mails_in_trouble on mails (reason, id) where status = 'waiting' and reason is not null`,

  // Only for documents that name originals, which are credit notes.
  `create table document_originals (
    mark text not null,
    document_id text not null references documents (id),
    primary key (mark, document_id)
  ) strict, without rowid`,

  // What a credit note takes of each line of the one document that it credits. Quantities are in thousandths.
  `create table credited_lines (
    document_id text not null references documents (id),
    line integer not null check (line >= 1),
    quantity integer not null check (quantity >= 0),
    net integer not null check (net >= 0),
    vat integer not null check (vat >= 0),
    primary key (document_id, line)
  ) strict, without rowid`,

  `create table series (
    id text primary key,
    supplier text not null,
    branch integer not null,
    type text not null,
    series text not null,
    mode text not null,
    first_number integer not null check (first_number >= 1),
    next_number integer not null check (next_number >= first_number),
    asks_left integer not null default 0,
    unique (supplier, branch, type, series, mode)
  ) strict, without rowid`,

  `create table numbers (
    series_id text not null references series (id),
    number integer not null,
    through integer not null check (through >= number),
    state text not null check (state in ('released', 'abandoned', 'passed')),
    document_id text,
    reason text,
    at text not null,
    primary key (series_id, number)
  ) strict, without rowid`,
  `create index numbers_released on numbers (series_id, number) where state = 'released'`,

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
    state text not null check (state in ('cancelling', 'cancelled', 'stuck', 'later', 'counts', 'taken')),
    due_at text,
    tries integer not null default 0,
    cancellation_mark text,
    found_at text not null,
    primary key (document_id, mark)
  ) strict, without rowid`,
  `create index surplus_marks_due on surplus_marks (due_at) where due_at is not null`,
  // What a person must see to; doctor and the console's overview list it.
  `create index surplus_marks_for_person on surplus_marks (document_id) where state in ('stuck', 'later', 'taken')`,

  `create table events (
    id text primary key,
    type text not null,
    mode text not null check (mode in ('test', 'live')),
    object_json text not null,
    previous_json text,
    request_id text,
    idempotency_key text,
    document_id text,
    merchant_id text,
    created_at text not null,
    document_digest blob,
    chain blob not null
  ) strict`,
  `create index events_by_mode on events (mode, id)`,
  `create index events_by_type on events (mode, type, id)`,
  `create index events_by_document on events (document_id, id, type, created_at) where document_id is not null`,
  `create index events_by_merchant on events (merchant_id, mode, id) where merchant_id is not null`,
  `create index events_by_merchant_type on events (merchant_id, mode, type, id) where merchant_id is not null`,

  `create table event_notes (
    id text primary key,
    kind text not null check (kind in ('object_words', 'previous_words', 'request', 'forgotten')),
    event_id text not null,
    digest blob not null,
    digest_after blob,
    chain blob not null,
    check ((digest_after is not null) = (kind = 'request'))
  ) strict`,
  `create index event_notes_of_event on event_notes (event_id, id)`,

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
  // Read for every event.
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
  // Used to replay deliveries in the order of events.
  `create index deliveries_unsent on deliveries (endpoint_id, event_id, id) where status in ('held', 'failed')`,
  `create index deliveries_of_event on deliveries (event_id, endpoint_id)`,
  `create index deliveries_due on deliveries (endpoint_id, next_at, id) where next_at is not null`,
  `create index deliveries_leased on deliveries (lease_until) where lease_until is not null`,
  // Finds untried events of the same document, which must be delivered in order.
  `create index deliveries_untried on deliveries (endpoint_id, document_id, id)
    where status = 'pending' and tries = 0 and document_id is not null`,

  `create table provider_calls (
    id text primary key,
    mode text not null check (mode in ('test', 'live')),
    provider text not null,
    operation text not null,
    purpose text not null check (purpose in ('operation', 'auth')),
    outcome text not null,
    settled_at text,
    http_status integer,
    duration_ms integer not null,
    error_json text,
    url text,
    merchant_id text not null,
    document_id text,
    connection_id text,
    started_at text not null,
    open integer not null check (open in (0, 1)),
    body_id text,
    bodies_purged_at text
  ) strict`,
  `create index provider_calls_by_mode on provider_calls (mode, id)`,
  `create index provider_calls_by_document on provider_calls (document_id, id) where document_id is not null`,
  `create index provider_calls_open on provider_calls (document_id) where open = 1`,
  // Calls of one exchange share a row in bodies, whose id is that of the first call.
  `create index provider_calls_sharing on provider_calls (body_id) where body_id <> id`,

  `create table requests (
    id text primary key,
    request_id text not null,
    mode text not null check (mode in ('test', 'live')),
    source text not null check (source in ('api', 'mcp')),
    method text not null,
    path text not null,
    operation_id text,
    status integer not null,
    duration_ms integer not null,
    idempotency_key text,
    merchant_id text,
    document_id text,
    created_at text not null,
    bodies_purged_at text
  ) strict`,
  `create index requests_by_mode on requests (mode, id)`,
  // Each filter of the request log has its own index.
  `create index requests_by_status on requests (mode, status, id)`,
  `create index requests_by_operation on requests (mode, operation_id, id) where operation_id is not null`,
  `create index requests_by_document on requests (document_id, id) where document_id is not null`,
  `create index requests_by_request_id on requests (request_id, id)`,

  `create table bodies (
    id text primary key,
    sealed blob not null,
    created_at text not null
  ) strict`,

  `create table idempotency (
    mode text not null,
    operation text not null,
    key text not null,
    fingerprint text not null,
    event_id text,
    answer blob,
    lease_until text,
    created_at text not null,
    primary key (mode, operation, key)
  ) strict, without rowid`,
  // The keys of documents never expire.
  `create index idempotency_to_forget on idempotency (created_at) where operation not in ('issueDocument', 'creditDocument')`,

  `create table watermarks (
    name text primary key,
    through text not null
  ) strict, without rowid`,

  `create table alerts (
    id text primary key,
    check_name text not null,
    mode text check (mode in ('test', 'live')),
    message_en text not null,
    message_el text not null,
    began_at text not null
  ) strict, without rowid`,

  `create table tax_answers (
    country text not null,
    code text not null,
    sealed blob not null,
    checked_at text not null,
    primary key (country, code)
  ) strict, without rowid`,
  `create index tax_answers_by_age on tax_answers (checked_at)`,

  `create table customers (
    merchant_id text not null references merchants (id),
    mode text not null check (mode in ('test', 'live')),
    country text not null,
    code text not null,
    sealed blob not null,
    last_used text not null,
    mail_id text references mails (id),
    primary key (merchant_id, mode, country, code)
  ) strict, without rowid`,
  `create index customers_by_use on customers (merchant_id, mode, last_used, code)`,
  // For erasing a number and for completion.
  `create index customers_by_code on customers (code, mode, country)`,

  `create table sandbox_filings (
    id integer primary key autoincrement,
    uid text not null,
    document_id text not null,
    filed_at text not null,
    mark_at text not null,
    cancelled_at text,
    supplier text not null,
    customer_country text,
    customer_code text,
    sent_type text not null,
    net integer not null
  ) strict`,
  `create index sandbox_filings_by_uid on sandbox_filings (uid, id)`,

  // Only for filings that credit others.
  `create table sandbox_credits (
    mark text not null,
    filing_id integer not null references sandbox_filings (id),
    primary key (mark, filing_id)
  ) strict, without rowid`,
  `create index sandbox_credits_by_filing on sandbox_credits (filing_id)`,

  // What an interrupted comparison with a provider had read (docs/contract.md#reconcile).
  `create table listing_windows (
    name text primary key,
    content_json text not null,
    read_at text not null
  ) strict, without rowid`,
  `create index listing_windows_by_age on listing_windows (read_at)`,

  `create table console_links (
    token_hash text primary key,
    mode text not null check (mode in ('test', 'live')),
    read_only integer not null check (read_only in (0, 1)),
    expires_at text not null,
    used_at text,
    created_at text not null
  ) strict, without rowid`,
  `create index console_links_by_age on console_links (expires_at)`,

  `create table console_sessions (
    token_hash text primary key,
    mode text not null check (mode in ('test', 'live')),
    read_only integer not null check (read_only in (0, 1)),
    key_id text references api_keys (id),
    expires_at text not null,
    created_at text not null
  ) strict, without rowid`,
  `create index console_sessions_by_age on console_sessions (expires_at)`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of STATEMENTS) await sql.raw(text).execute(db);
}
