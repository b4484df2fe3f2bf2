/** The fixed sets of strings that columns hold, with their types. Pure: this file imports nothing. */

export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

/** In the order of docs/contract.md#providers. */
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

/** The stage while `pending`, otherwise the status. Every move of a document checks this column. */
export type DocumentPhase = DocumentStage | Exclude<DocumentStatus, "pending">;

/** docs/contract.md#event-types */
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

/**
 * What happens to a MARK that is not its document's (docs/contract.md#surplus-marks):
 * - `cancelling`: it will be cancelled at the provider.
 * - `cancelled`: it is cancelled there.
 * - `stuck`: it could not be cancelled. A person must.
 * - `later`: it is higher than the MARK that was reported, so it may be the valid one. A person must decide.
 * - `counts`: it is higher than the MARK that was reported, and a person had that one cancelled: this one is the valid one.
 * - `taken`: the provider reported it, but another document here has it. A person must find out why.
 */
export const SURPLUS_STATES = ["cancelling", "cancelled", "stuck", "later", "counts", "taken"] as const;
export type SurplusState = (typeof SURPLUS_STATES)[number];

/** The states of a number that no document has (docs/contract.md#number-states). */
export const NUMBER_FATES = ["released", "abandoned", "passed"] as const;
export type NumberFate = (typeof NUMBER_FATES)[number];

export const ENDPOINT_STATUSES = ["enabled", "disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "held"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type EventNoteKind = "object_words" | "previous_words" | "request" | "forgotten";
