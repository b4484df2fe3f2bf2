/**
 * The types of the tables that storage/migrations/ creates. Amounts are integer cents, instants are UTC ISO text, and columns
 * named `..._json` contain JSON text, which the owner of the row writes and parses.
 */
import type { Generated, Insertable, Selectable } from "kysely";
import type {
  CallOperation,
  ConnectionStatus,
  DeliveryStatus,
  DocumentPhase,
  DocumentStatus,
  EndpointStatus,
  EventNoteKind,
  EventType,
  Mode,
  NumberFate,
  Provider,
  StoredCallOutcome,
  SurplusState,
} from "../stored-values.ts";

/** Of a row of due work (work.ts). */
export interface WorkColumns {
  /** When it is attempted next; while it is claimed, when the claim expires; null if no attempt will follow. */
  due_at: string | null;
  /** The unique name of the claim, whose process may have died; null if there is none. */
  lease_owner: string | null;
  /** Attempts since it was last queued. */
  tries: Generated<number>;
}

/** `waiting`: still to be sent, or sent without a known outcome. */
export type MailStatus = "waiting" | "sent" | "refused" | "failed" | "erased";

/** Why the last attempt did not send the mail. */
export type MailReason =
  | "unavailable"
  | "login"
  | "certificate"
  | "sender"
  | "recipient"
  | "content"
  | "document"
  | "unknown";

export interface Tables {
  /** One row about the whole database. `last_id` keeps ids increasing across processes and clock changes. */
  appliance: {
    id: 1;
    last_id: string;
    /** A known text encrypted with the master key, by which a wrong key is detected (key-ring.ts). */
    key_check: Uint8Array;
    /** The key of the chain of events, sealed (key-ring.ts). */
    audit_key: Uint8Array;
    /** `held` after a restore: the appliance reads and sends nothing until `fiscal resume`. */
    state: "active" | "held";
    created_at: string;
    /** When the backup was made from which the database was restored; null if it never was. */
    backup_at: string | null;
    /** When the last hold ended; null if there was none. */
    resumed_at: string | null;
    /**
     * The latest time of the clock at a commit of any process, until a correction of the clock is noticed; empty before the first commit.
     * While the clock is behind it, due times may lie too far in the future.
     */
    clock_at: Generated<string>;
    /** Whether an erasure has replaced an idempotency key, so that a lookup also looks for its hash. */
    erased_keys: Generated<0 | 1>;
    /** The end of the chain of events (event-chain.ts): its newest id, empty before the first, and its link. */
    chain_id: Generated<string>;
    chain: Generated<Uint8Array>;
    /** Authenticates the two columns before it. */
    chain_seal: Uint8Array;
    /** Rises with each change of what processes remember (Transaction.remember). */
    epoch: Generated<number>;
  };

  api_keys: {
    id: string;
    mode: Mode;
    name: string;
    /** Hex SHA-256 of the whole key. */
    hash: string;
    last4: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    last_used_at: string | null;
  };

  merchants: {
    id: string;
    external_id: string;
    /** `external_id` with its letter case folded. Unique. */
    external_id_folded: string;
    name: string;
    tax_id: string | null;
    branch: number;
    metadata_json: string;
    archived: 0 | 1;
    created_at: string;
  };

  /** A merchant's settings for one mode. There is no row until settings are saved or a document is accepted. */
  merchant_settings: {
    merchant_id: string;
    mode: Mode;
    settings_json: string;
    /** The current letterhead; null after a change until the next document is accepted. */
    letterhead_id: number | null;
  };

  connections: {
    id: string;
    merchant_id: string;
    provider: Provider;
    mode: Mode;
    status: ConnectionStatus;
    /** Null once deleted, 30 days after the disconnection. */
    credentials: Uint8Array | null;
    verified_at: string | null;
    last_error_json: string | null;
    /** When `last_error_json` was written; null without one. */
    last_error_at: string | null;
    created_at: string;
    disconnected_at: string | null;
  };

  /** A link with which a merchant connects to a provider. */
  connect_sessions: {
    id: string;
    merchant_id: string;
    mode: Mode;
    /** Null if the merchant chooses the provider. */
    provider: Provider | null;
    return_url: string | null;
    /** Hex SHA-256 of the link's token, which is not stored. */
    token_hash: string;
    expires_at: string;
    /** How often the provider refused the credentials entered. */
    refusals: Generated<number>;
    completed_at: string | null;
    connection_id: string | null;
    created_at: string;
  };

  /** The small, changing part of a document. */
  documents: {
    id: string;
    mode: Mode;
    merchant_id: string;
    provider: Provider;
    /** Null for the sandbox. */
    connection_id: string | null;
    type: string;
    phase: DocumentPhase;
    /** Follows from `phase`; stored for the indexes of lists. */
    status: DocumentStatus;
    issue_date: string;
    net: number;
    vat: number;
    gross: number;
    /** Null on retail documents, with the hash of the customer's number (`hashNumber`). */
    customer_country: string | null;
    customer_hash: string | null;
    /** What it adds to the books once it is issued (`Shares`); null in a document of an earlier version that cannot be decrypted. */
    shares_json: string | null;
    /** The supplier's tax number and branch. With mode, type and series they identify the counter (docs/contract.md#numbers). */
    supplier: string;
    branch: number;
    /** Null if the provider numbers the document and has not done so yet. */
    series: string | null;
    /** Allocated at the first send, unless the request gave it. */
    number: number | null;
    /** 1 if the provider assigns series and number, outside our counters. */
    provider_numbered: 0 | 1;
    /** 1 if the request gave the number. */
    number_given: 0 | 1;
    mark: string | null;
    uid: string | null;
    qr_url: string | null;
    /** A licensed provider's own code of the document, printed on paper; null if there is none. */
    authentication_code: string | null;
    /** The provider's reference of the document until it has a MARK; null if there is none. */
    provider_ref: string | null;
    /** 1 if `filings` has what filed the document; the audit then expects it there. */
    has_filing: Generated<0 | 1>;
    error_json: string | null;
    classification_source: string;
    warnings_json: string;
    external_reference: string | null;
    metadata_json: string;
    cancellation_mark: string | null;
    cancelled_at: string | null;
    created_at: string;
    updated_at: string;

    /** Sends since a person last queued it. */
    attempts: Generated<number>;
    /** Polls in the current stage of awaiting_mark or reconciling. */
    polls: Generated<number>;
    /** Polls in `reconciling` that did not find the document at the provider. */
    absences: Generated<number>;
    /** When the current stage began; null outside awaiting_mark and reconciling. */
    stage_since: string | null;
    /** When the queue may next claim it; null if it is claimed, parked or final. */
    next_at: string | null;
    /** The claim that has leased it, and until when; null if none has. */
    lease_owner: string | null;
    lease_until: string | null;
    /** `first` if another appliance may have sent it, so that the provider is queried before it is sent; `done` after that. */
    asking: "first" | "done" | null;
  };

  /** The large, unchanging part of a document: as accepted, with the decisions made then. */
  document_inputs: {
    document_id: string;
    /** The canonical document, normalised, as JSON; encrypted. */
    sealed: Uint8Array;
    /** `{sentType, classifications: [{category, type}], payments: [{method, amount}], vatPaymentSuspension?: true}`. */
    decided_json: string;
    /** The letterhead when it was accepted. */
    letterhead_id: number | null;
  };

  /** What was sent to file a document; sandbox documents are filed nowhere. */
  filings: {
    document_id: string;
    sealed: Uint8Array;
  };

  /** The provider's own PDF of an issued document. */
  provider_pdfs: WorkColumns & {
    document_id: string;
    /** Null until it is stored. */
    sealed: Uint8Array | null;
  };

  /** A document's PDF, sent or to be sent to one address. */
  mails: WorkColumns & {
    id: string;
    document_id: string;
    /** The address, encrypted; null once it is erased. */
    sealed: Uint8Array | null;
    status: MailStatus;
    /** Null before the first attempt, and once the mail is sent. */
    reason: MailReason | null;
    /** The mail server's reply code; null if it gave none. */
    smtp_code: number | null;
    /** Of the console's form that ordered it, so that a form submitted twice sends once; null from the command line. */
    form_key: string | null;
    created_at: string;
    tried_at: string | null;
  };

  /** A document and a MARK that it credits: one row for each of its `original_marks`. */
  document_originals: {
    mark: string;
    document_id: string;
  };

  /** What a credit note takes of a line of the document that it credits. None for one that does not name the lines. */
  credited_lines: {
    document_id: string;
    /** From 1, in the credited document. */
    line: number;
    /** In thousandths; 0 for an amount without a quantity. */
    quantity: number;
    net: number;
    vat: number;
  };

  /** A merchant's details printed on documents. Each content is stored once and never changed. */
  letterheads: {
    id: Generated<number>;
    /** SHA-256 of the content. */
    digest: Uint8Array;
    /** `{name, paper}`: the merchant's name and its `paper` settings. */
    content_json: string;
  };

  /** A counter: supplier + branch + type + series + mode. */
  series: {
    id: string;
    supplier: string;
    branch: number;
    type: string;
    series: string;
    mode: Mode;
    /** The first number that the numbering audit must account for. Lower ones were used elsewhere. */
    first_number: number;
    next_number: number;
    /** After a restore, how many numbers in a row must still be found unused before numbers are used without a query. */
    asks_left: Generated<number>;
  };

  /** The fate of a number that no document has. */
  numbers: {
    series_id: string;
    number: number;
    /** The last number of a range with the same fate. Equals `number` except for ranges that were `passed`. */
    through: number;
    state: NumberFate;
    document_id: string | null;
    reason: string | null;
    at: string;
  };

  events: {
    id: string;
    type: EventType;
    mode: Mode;
    /** The snapshot of the object, exactly as delivered. */
    object_json: string;
    previous_json: string | null;
    request_id: string | null;
    idempotency_key: string | null;
    document_id: string | null;
    merchant_id: string | null;
    created_at: string;
    /** What the event vouches for besides its snapshot (journal/events.ts); null unless it is about a document. */
    document_digest: Uint8Array | null;
    /** The link in the chain of events (event-chain.ts), 32 bytes. */
    chain: Uint8Array;
  };

  /** The later fate of an event. Notes are part of the chain, and share the sequence of event ids. */
  event_notes: {
    id: string;
    /**
     * `object_words`, `previous_words`: a provider's words were removed from that snapshot. `request`: the request id or the
     * idempotency key was replaced. `forgotten`: the row was deleted.
     */
    kind: EventNoteKind;
    event_id: string;
    /** The digest of what was removed or replaced (event-chain.ts); of the whole event if it was deleted. */
    digest: Uint8Array;
    /** The digest of what replaced it; null unless `kind` is `request`. */
    digest_after: Uint8Array | null;
    chain: Uint8Array;
  };

  provider_calls: {
    id: string;
    mode: Mode;
    provider: Provider;
    operation: CallOperation;
    purpose: "operation" | "auth";
    outcome: StoredCallOutcome;
    settled_at: string | null;
    http_status: number | null;
    duration_ms: number;
    error_json: string | null;
    url: string | null;
    merchant_id: string;
    document_id: string | null;
    connection_id: string | null;
    started_at: string;
    /** The row in `bodies`, which the calls of a batch share. Null if no body was stored. */
    body_id: string | null;
    bodies_purged_at: string | null;
  };

  requests: {
    id: string;
    request_id: string;
    mode: Mode;
    source: "api" | "mcp";
    method: string;
    path: string;
    operation_id: string | null;
    status: number;
    duration_ms: number;
    idempotency_key: string | null;
    merchant_id: string | null;
    document_id: string | null;
    created_at: string;
    bodies_purged_at: string | null;
    /** The row in `bodies`, which the requests of a commit share. Null in rows of version 0.2.0, which have one each, under their own ids. */
    body_id: string | null;
  };

  /** Encrypted bodies of provider calls and requests. */
  bodies: {
    /** `pcl_...` or `rql_...`: the first row that the bodies belong to. */
    id: string;
    sealed: Uint8Array;
    created_at: string;
  };

  idempotency: {
    mode: Mode;
    operation: string;
    key: string;
    fingerprint: string;
    /** The event whose snapshot is the `data` of the first response; null while in progress, or if `answer` is set. */
    event_id: string | null;
    /** The first response, encrypted, if it is not the snapshot of an event. */
    answer: Uint8Array | null;
    /** When the lease of the first request expires; null once it has its response. */
    lease_until: string | null;
    created_at: string;
  };

  /** The ledger of the sandbox. */
  sandbox_filings: {
    /** Increasing; the MARK is derived from it. */
    id: Generated<number>;
    uid: string;
    document_id: string;
    filed_at: string;
    /** When the MARK becomes available. */
    mark_at: string;
    cancelled_at: string | null;
    /** The issuer's tax number. */
    supplier: string;
    /** The authority's type. */
    sent_type: string;
    /** Cents. */
    net: number;
  };

  /** A filing of the sandbox and a MARK that it credits. */
  sandbox_credits: {
    mark: string;
    filing_id: number;
  };

  /** A part of a provider's lists that a comparison has read. It is deleted once the comparison is complete. */
  listing_windows: {
    /** The account and the range of issue dates, as JSON. */
    name: string;
    content_json: string;
    read_at: string;
  };

  /** A cached answer of the EU registry about a number. */
  tax_answers: {
    country: string;
    /** Of the number (`hashNumber`). */
    hash: string;
    /** The answer as encrypted JSON. */
    sealed: Uint8Array;
    checked_at: string;
  };

  /** A customer of a merchant, as documents named it. */
  customers: {
    merchant_id: string;
    mode: Mode;
    country: string;
    /** Of the number (`hashNumber`). */
    hash: string;
    /** Number, name and address as encrypted JSON. */
    sealed: Uint8Array;
    /** The day in Athens. */
    last_used: string;
    /** The newest mail of a document for the customer, whose address is suggested for the next one; null if there is none. */
    mail_id: string | null;
  };

  /** A problem that was reported by mail and has not ended. */
  alerts: {
    /** What it is about, shortened (src/upkeep/alerts.ts). */
    id: string;
    check_name: string;
    mode: Mode | null;
    message_en: string;
    message_el: string;
    began_at: string;
  };

  /** How far the job `name` has got: it is done up to `through`. */
  watermarks: {
    name: string;
    through: string;
  };

  /** A document that was sent again after an earlier send was not found. It is due once the document has its outcome. */
  filing_checks: WorkColumns & {
    document_id: string;
    /** The identity of the send that was not found, which may differ from the current one. */
    series: string | null;
    number: number | null;
    uid: string | null;
  };

  /** The number of the document's EU customer, which is looked up after acceptance. Due until the registry has answered. */
  vies_checks: WorkColumns & {
    document_id: string;
    /** The registry's answer, 0 or 1. */
    valid: number | null;
    checked_at: string | null;
  };

  /** A MARK that the provider has for a document beside the document's own. */
  surplus_marks: WorkColumns & {
    document_id: string;
    mark: string;
    state: SurplusState;
    /** Null until it is cancelled. */
    cancellation_mark: string | null;
    found_at: string;
  };

  webhook_endpoints: {
    id: string;
    mode: Mode;
    url: string;
    /** An array of event types, or `["*"]`. */
    enabled_events_json: string;
    description: string | null;
    status: EndpointStatus;
    /** `failing` if it was disabled because of failures; null otherwise. */
    disabled_reason: string | null;
    /** The signing secrets as encrypted JSON, newest first; empty once removed. */
    secrets: Uint8Array;
    /** When the first failure since the last success occurred; null after a success. */
    failing_since: string | null;
    /** Failed attempts since then. */
    failures: number;
    /** When it last responded with 410. */
    gone_at: string | null;
    created_at: string;
    /** When it was removed. It is hidden then, and retention deletes its deliveries. */
    removed_at: string | null;
  };

  /** One event for one endpoint. */
  deliveries: WorkColumns & {
    id: string;
    endpoint_id: string;
    event_id: string;
    document_id: string | null;
    status: DeliveryStatus;
    /** All attempts as encrypted JSON; null before the first. */
    attempts: Uint8Array | null;
    created_at: string;
  };

  /** A one-time link into the console. */
  console_links: {
    /** Hex SHA-256 of the link's token, which is not stored. */
    token_hash: string;
    mode: Mode;
    /** 1 where it only shows. */
    read_only: number;
    expires_at: string;
    used_at: string | null;
    created_at: string;
  };

  /** A session of the console. */
  console_sessions: {
    /** Hex SHA-256 of the cookie's value, which is not stored. */
    token_hash: string;
    mode: Mode;
    /** 1 where it only shows. */
    read_only: number;
    /** The key that opened it, and whose end also ends it; null if a link opened it. */
    key_id: string | null;
    expires_at: string;
    created_at: string;
  };

  /** The meaning of the columns in a merchant's import files. */
  column_maps: {
    merchant_id: string;
    map_json: string;
    updated_at: string;
  };
}

/** A row as it is stored. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** A row to insert: columns with a default may be missing. */
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;

/** The schema version of this program: the number of its newest migration. */
export const SCHEMA_VERSION = 3;
