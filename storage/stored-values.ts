/** The fixed sets of strings that columns hold, with their types. Pure: this file imports nothing. */

export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

/** spec.md, provider values, in this order. */
export const PROVIDERS = [
  "sandbox",
  "registry_direct",
  "provider_a",
  "provider_b",
  "provider_c",
  "provider_d",
  "provider_e",
] as const;
export type Provider = (typeof PROVIDERS)[number];

export const DOCUMENT_STATUSES = ["pending", "issued", "rejected", "failed"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

export const DOCUMENT_STAGES = ["queued", "submitting", "awaiting_mark", "reconciling"] as const;
export type DocumentStage = (typeof DOCUMENT_STAGES)[number];

/** A stage while `pending`, otherwise the status: the one column that the moves of a document are guarded by. */
export type DocumentPhase = DocumentStage | Exclude<DocumentStatus, "pending">;

/** spec.md, Event types, and the two of decisions 5.11. */
export const EVENT_TYPES = [
  "document.created",
  "document.issued",
  "document.rejected",
  "document.failed",
  "document.retried",
  "document.cancelled",
  "merchant.created",
  "merchant.updated",
  "connection.created",
  "connection.verified",
  "connection.invalid",
  "connection.disconnected",
  "connect_session.completed",
  "webhook_endpoint.disabled",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const CONNECTION_STATUSES = ["active", "invalid", "disconnected"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export const CALL_OPERATIONS = [
  "issue",
  "status",
  "fetchPdf",
  "lookup",
  "verify",
  "cancel",
  "onboard",
] as const;
export type CallOperation = (typeof CALL_OPERATIONS)[number];

export const CALL_OUTCOMES = ["ok", "rejected", "transient", "unknown", "not_supported"] as const;
export type StoredCallOutcome = (typeof CALL_OUTCOMES)[number];

/** What became of a number that is on no document: decisions 6. */
export const NUMBER_FATES = ["released", "abandoned", "passed"] as const;
export type NumberFate = (typeof NUMBER_FATES)[number];
