/**
 * The tables, typed as they are stored, and the words that stand in them. Integers are cents or milliseconds as the
 * name says, instants are UTC ISO text, columns named `..._json` hold JSON text that the owner of the row writes and
 * reads through its own schema. storage/migrations/ makes the tables; the two change together.
 */
import type { Generated } from "kysely";
import type {
  CallOperation,
  StoredCallOutcome,
  ConnectionStatus,
  DocumentPhase,
  DocumentStatus,
  EventType,
  Mode,
  NumberFate,
  Provider,
} from "./stored-values.ts";

/** One row: what the whole file agrees on. `last_id` keeps ids rising across processes and clock steps. */
export interface ApplianceTable {
  id: 1;
  last_id: string;
  /** `key-check` encrypted with the master key: tells a wrong key before anything is written with it. */
  key_check: Uint8Array;
  /** `held` after a restore: the appliance reads and sends nothing until `fiscal resume`. */
  state: "active" | "held";
  created_at: string;
  /** When the backup was made that this came back from; null where it never did. */
  backup_at: string | null;
  /** When it was let work again; null where it never was held. */
  resumed_at: string | null;
  /** The end of the journal's hash chain (event-chain.ts): its newest id, empty before the first, and its link. */
  chain_id: Generated<string>;
  chain: Generated<Uint8Array>;
}

export interface ApiKeyTable {
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
}

export interface MerchantTable {
  id: string;
  external_id: string;
  /** `external_id` folded for comparing: unique in the account ignoring case. */
  external_id_folded: string;
  name: string;
  tax_id: string | null;
  branch: number;
  metadata_json: string;
  settings_json: string;
  /** What its paper says now; null since it last changed, until a document is accepted. */
  letterhead_id: number | null;
  archived: 0 | 1;
  created_at: string;
}

export interface ConnectionTable {
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
}

/** A link by which a merchant connects by itself. */
export interface ConnectSessionTable {
  id: string;
  merchant_id: string;
  mode: Mode;
  /** Null leaves the choice to who opens the link. */
  provider: Provider | null;
  return_url: string | null;
  /** Hex SHA-256 of the link's token, which is kept nowhere. */
  token_hash: string;
  expires_at: string;
  /** How often the provider refused what was entered. */
  refusals: Generated<number>;
  completed_at: string | null;
  connection_id: string | null;
  created_at: string;
}

/** The small, changing part of a document. */
export interface DocumentTable {
  id: string;
  mode: Mode;
  merchant_id: string;
  provider: Provider;
  /** Null for the sandbox. */
  connection_id: string | null;
  type: string;
  phase: DocumentPhase;
  /** Follows from `phase`; kept beside it for the index of lists. */
  status: DocumentStatus;
  issue_date: string;
  net: number;
  vat: number;
  gross: number;
  /** The supplier's tax number and branch: with mode, type and series they name the counter (decisions 6). */
  supplier: string;
  branch: number;
  /** Null until the first send where the provider numbers the document. */
  series: string | null;
  /** Null until allotted, at the first send, or asked for with the document. */
  number: number | null;
  /** 1 where the provider gives series and number: they are in none of our counters. */
  provider_numbered: 0 | 1;
  /** 1 when the number was asked for with the document. */
  number_given: 0 | 1;
  mark: string | null;
  uid: string | null;
  qr_url: string | null;
  /** What the provider calls the document until it has a MARK; null when it gave nothing. */
  provider_ref: string | null;
  error_json: string | null;
  classification_source: string;
  warnings_json: string;
  external_reference: string | null;
  metadata_json: string;
  cancellation_mark: string | null;
  cancelled_at: string | null;
  created_at: string;
  updated_at: string;

  /** Sends made since it was last queued by a person; 0 before the first. */
  attempts: Generated<number>;
  /** Askings made in the present stage of awaiting_mark or reconciling. */
  polls: Generated<number>;
  /** Askings in `reconciling` that answered that the provider has it not. */
  absences: Generated<number>;
  /** When the present stage began; null outside awaiting_mark and reconciling. */
  stage_since: string | null;
  /** When the queue may next take it; null in a final phase. */
  next_at: string | null;
  /** Which worker holds it, and until when; null when nobody does. */
  lease_owner: string | null;
  lease_until: string | null;
  /** `first` where another appliance may have sent it: the provider is asked before it is sent; `done` once it was. */
  asking: "first" | "done" | null;
}

/** The large, unchanging part: the document as accepted, and what was decided about it then. */
export interface DocumentInputTable {
  document_id: string;
  /** The canonical document, normalised, as JSON. */
  input_json: string;
  /** `{lines: [{category, type}], payments: [{method, amount}], sentType}`. */
  decided_json: string;
  /** What the issuer's paper said then; null for documents accepted before schema 8. */
  letterhead_id: number | null;
}

/** What stands on a merchant's paper beside the documents: each content once, and never changed. */
export interface LetterheadTable {
  id: Generated<number>;
  /** SHA-256 of the content. */
  digest: Uint8Array;
  /** `{name, paper}`: the merchant's name, and its settings of that name. */
  content_json: string;
}

/** A counter: supplier + branch + type + series + mode. */
export interface SeriesTable {
  id: string;
  supplier: string;
  branch: number;
  type: string;
  series: string;
  mode: Mode;
  /** The first number that is ours to explain: those below were used elsewhere. */
  first_number: number;
  next_number: number;
  /** After a restore: how many of its numbers must still be found unused in a row before one is sent unasked. */
  asks_left: Generated<number>;
}

/** The fate of a number that no document carries. */
export interface NumberTable {
  series_id: string;
  number: number;
  /** The last of a range with the same fate; `number` itself where it is one. Only `passed` has longer ranges. */
  through: number;
  state: NumberFate;
  document_id: string | null;
  reason: string | null;
  at: string;
}

export interface EventTable {
  id: string;
  type: EventType;
  mode: Mode;
  /** The snapshot, exactly as it was rendered. */
  object_json: string;
  previous_json: string | null;
  request_id: string | null;
  idempotency_key: string | null;
  document_id: string | null;
  merchant_id: string | null;
  created_at: string;
  /** Its link in the chain of events (event-chain.ts), 32 bytes. */
  chain: Uint8Array;
}

/** What became of an event after it was told, a link of the chain itself: its id stands among those of the events. */
export interface EventNoteTable {
  id: string;
  /** `redacted`: a provider's words were taken out. `forgotten`: the row is gone. */
  kind: "redacted" | "forgotten";
  event_id: string;
  /** The digest of the event as it was before. */
  digest: Uint8Array;
  /** As it was afterwards; null where it is gone. */
  digest_after: Uint8Array | null;
  chain: Uint8Array;
}

export interface ProviderCallTable {
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
  /** 1 until the answer (or its lack) is recorded. */
  open: 0 | 1;
  /** Its row in `bodies`; calls of one batch share one. Null when no body was kept. */
  body_id: string | null;
  bodies_purged_at: string | null;
}

export interface RequestTable {
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
}

/** Bodies of provider calls and requests, encrypted, apart from their rows. */
export interface BodyTable {
  /** `pcl_...` or `rql_...`: the first row that it belongs to. */
  id: string;
  sealed: Uint8Array;
  created_at: string;
}

export interface IdempotencyTable {
  mode: Mode;
  operation: string;
  key: string;
  fingerprint: string;
  /** The event whose snapshot is the first answer's `data`; null while in progress or where `answer` holds it. */
  event_id: string | null;
  /** The first answer, encrypted, where it is not an event's snapshot. */
  answer: Uint8Array | null;
  /** While the first request runs: when its mark expires. Null once answered. */
  lease_until: string | null;
  created_at: string;
}

/** What the sandbox has been sent: its own ledger, as the authority keeps one. */
export interface SandboxFilingTable {
  /** Counts up; the MARK is made from it. */
  id: Generated<number>;
  uid: string;
  document_id: string;
  filed_at: string;
  /** When the MARK may be told. */
  mark_at: string;
  cancelled_at: string | null;
}

/** What the EU registry answered about a number, for as long as it may be answered again. */
export interface TaxAnswerTable {
  country: string;
  code: string;
  /** The answer as JSON. */
  sealed: Uint8Array;
  checked_at: string;
}

/** How far housekeeping has come: everything of `name` up to the id `through` is done. */
export interface WatermarkTable {
  name: string;
  through: string;
}

/** A document that was sent again after a send of it had not been found. */
export interface FilingCheckTable {
  document_id: string;
  /** The identity of the send that was not found: the document may have another by now. */
  series: string | null;
  number: number | null;
  uid: string | null;
  /** When the provider is asked once more; null until the document has its outcome. */
  due_at: string | null;
  looks: Generated<number>;
}

/** A MARK beside the one that a document is known by. */
export interface SurplusMarkTable {
  document_id: string;
  mark: string;
  /** When it is to be cancelled; null once it is, or once a person must see to it. */
  due_at: string | null;
  tries: Generated<number>;
  /** Null until it is cancelled. */
  cancellation_mark: string | null;
  found_at: string;
}

export const ENDPOINT_STATUSES = ["enabled", "disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export interface WebhookEndpointTable {
  id: string;
  mode: Mode;
  url: string;
  /** An array of event types, or `["*"]`. */
  enabled_events_json: string;
  description: string | null;
  status: EndpointStatus;
  /** `failing` where the service disabled it; null otherwise. */
  disabled_reason: string | null;
  /** The secrets that sign, newest first, as JSON; empty once removed. */
  secrets: Uint8Array;
  /** When the first of the failures began that no success has ended; null after a success. */
  failing_since: string | null;
  /** How many attempts failed since then. */
  failures: number;
  /** When it last answered 410. */
  gone_at: string | null;
  created_at: string;
  /** Removed: nobody sees it any more, and its deliveries are forgotten by night. */
  removed_at: string | null;
}

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "held"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One event for one endpoint. */
export interface DeliveryTable {
  id: string;
  endpoint_id: string;
  event_id: string;
  document_id: string | null;
  status: DeliveryStatus;
  /** How far along the schedule it is: attempts since it was queued, or queued again. */
  tries: Generated<number>;
  /** Every attempt, as sealed JSON; null before the first. */
  attempts: Uint8Array | null;
  /** When it is due; null while it is claimed, and when nothing is to come. */
  next_at: string | null;
  lease_owner: string | null;
  lease_until: string | null;
  created_at: string;
}

/** A one-time link into the console. */
export interface ConsoleLinkTable {
  /** Hex SHA-256 of the link's token, which is kept nowhere. */
  token_hash: string;
  mode: Mode;
  expires_at: string;
  used_at: string | null;
  created_at: string;
}

/** Somebody signed in to the console. */
export interface ConsoleSessionTable {
  /** Hex SHA-256 of the cookie's value, which is kept nowhere. */
  token_hash: string;
  mode: Mode;
  /** The key that it was opened with, and ends with; null where a link opened it. */
  key_id: string | null;
  expires_at: string;
  created_at: string;
}

/** What the columns of a merchant's files mean, as a person said once. */
export interface ColumnMapTable {
  merchant_id: string;
  map_json: string;
  updated_at: string;
}

export interface Tables {
  appliance: ApplianceTable;
  api_keys: ApiKeyTable;
  merchants: MerchantTable;
  connections: ConnectionTable;
  documents: DocumentTable;
  document_inputs: DocumentInputTable;
  letterheads: LetterheadTable;
  series: SeriesTable;
  numbers: NumberTable;
  events: EventTable;
  event_notes: EventNoteTable;
  provider_calls: ProviderCallTable;
  requests: RequestTable;
  bodies: BodyTable;
  idempotency: IdempotencyTable;
  sandbox_filings: SandboxFilingTable;
  connect_sessions: ConnectSessionTable;
  tax_answers: TaxAnswerTable;
  watermarks: WatermarkTable;
  filing_checks: FilingCheckTable;
  surplus_marks: SurplusMarkTable;
  webhook_endpoints: WebhookEndpointTable;
  deliveries: DeliveryTable;
  console_links: ConsoleLinkTable;
  console_sessions: ConsoleSessionTable;
  column_maps: ColumnMapTable;
}
