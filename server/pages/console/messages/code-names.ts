/** Names for the codes of the API: statuses, stages, outcomes, event types, objects and errors. */
import type {
  StoredCallOutcome,
  ConnectionStatus,
  DocumentStage,
  DocumentStatus,
  EventType,
  DeliveryStatus,
  EndpointStatus,
} from "../../../../src/domain/vocabulary.ts";
import type { ErrorCode } from "../../../../src/foundation/errors.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { RESOURCE_MESSAGES } from "./resource-messages.ts";
import { DOCUMENT_MESSAGES } from "./document-messages.ts";

/** The statuses and stages that badges show. */
export type StatusCode =
  | DocumentStatus
  | DocumentStage
  | ConnectionStatus
  | DeliveryStatus
  | EndpointStatus
  | Exclude<StoredCallOutcome, "rejected">
  | "refused"
  | "archived"
  | "cancelled";

export const STATUS_NAMES: Readonly<Record<StatusCode, Text>> = {
  pending: { en: "Pending", el: "Σε εξέλιξη" },
  issued: { en: "Issued", el: "Εκδόθηκε" },
  rejected: { en: "Rejected", el: "Απορρίφθηκε" },
  failed: { en: "Failed", el: "Απέτυχε" },
  cancelled: { en: "Cancelled", el: "Ακυρώθηκε" },
  queued: { en: "queued", el: "στην ουρά" },
  submitting: { en: "being sent", el: "αποστέλλεται" },
  awaiting_mark: { en: "awaiting its MARK", el: "αναμένει ΜΑΡΚ" },
  reconciling: { en: "being checked with the provider", el: "ελέγχεται στον πάροχο" },
  active: { en: "Active", el: "Ενεργή" },
  invalid: { en: "Refused", el: "Μη αποδεκτή" },
  disconnected: { en: "Disconnected", el: "Καταργημένη" },
  enabled: { en: "Enabled", el: "Ενεργός" },
  disabled: { en: "Disabled", el: "Ανενεργός" },
  delivered: { en: "Delivered", el: "Παραδόθηκε" },
  held: { en: "Held", el: "Κρατείται" },
  archived: { en: "Archived", el: "Αρχειοθετημένη" },
  ok: { en: "Accepted", el: "Επιτυχία" },
  refused: { en: "Refused", el: "Άρνηση" },
  transient: { en: "Temporary failure", el: "Προσωρινή αποτυχία" },
  unknown: { en: "Unknown", el: "Άγνωστη" },
  not_supported: { en: "Not supported", el: "Δεν υποστηρίζεται" },
};

export const EVENT_NAMES: Readonly<Record<EventType, Text>> = {
  "document.created": { en: "Accepted", el: "Έγινε δεκτό" },
  "document.issued": { en: "Issued with a MARK", el: "Εκδόθηκε, έχει ΜΑΡΚ" },
  "document.rejected": { en: "Rejected", el: "Απορρίφθηκε" },
  "document.failed": { en: "Delivery failed", el: "Δεν παραδόθηκε" },
  "document.retried": { en: "Queued again", el: "Μπήκε ξανά στην ουρά" },
  "document.cancelled": { en: "Cancelled", el: "Ακυρώθηκε" },
  "merchant.created": { en: "Merchant created", el: "Νέα επιχείρηση" },
  "merchant.updated": { en: "Merchant changed", el: "Αλλαγή επιχείρησης" },
  "connection.created": { en: "Connection created", el: "Νέα σύνδεση" },
  "connection.verified": { en: "Connection verified", el: "Η σύνδεση επαληθεύτηκε" },
  "connection.invalid": { en: "Connection refused by the provider", el: "Ο πάροχος δεν δέχεται τη σύνδεση" },
  "connection.disconnected": { en: "Connection disconnected", el: "Η σύνδεση καταργήθηκε" },
  "connect_session.completed": { en: "Connected through a link", el: "Ολοκληρώθηκε μέσω συνδέσμου" },
  "webhook_endpoint.disabled": { en: "Endpoint disabled", el: "Ο παραλήπτης απενεργοποιήθηκε" },
};

/** By the `object` field of the API. */
export const OBJECT_NAMES: Readonly<Record<string, Text>> = {
  document: RESOURCE_MESSAGES.document,
  merchant: DOCUMENT_MESSAGES.merchant,
  connection: RESOURCE_MESSAGES.connection,
  connect_session: { en: "Connect link", el: "Σύνδεσμος σύνδεσης" },
  webhook_endpoint: { en: "Webhook endpoint", el: "Παραλήπτης webhook" },
};

export const ERROR_NAMES: Readonly<Record<ErrorCode, Text>> = {
  validation_failed: { en: "The data is not valid.", el: "Τα στοιχεία έχουν λάθος." },
  unauthorized: { en: "Not allowed.", el: "Δεν επιτρέπεται." },
  not_found: { en: "Not found.", el: "Δεν βρέθηκε." },
  idempotency_conflict: {
    en: "The idempotency key was already used.",
    el: "Το κλειδί επανάληψης έχει χρησιμοποιηθεί.",
  },
  idempotency_in_progress: { en: "It is already in progress.", el: "Εκτελείται ήδη." },
  already_exists: { en: "It already exists.", el: "Υπάρχει ήδη." },
  payload_too_large: { en: "It is too large.", el: "Είναι πολύ μεγάλο." },
  unsupported_media_type: { en: "It has the wrong format.", el: "Δεν έχει τη σωστή μορφή." },
  not_supported: { en: "The provider does not support it.", el: "Ο πάροχος δεν το υποστηρίζει." },
  connection_unavailable: {
    en: "There is no connection to a provider.",
    el: "Δεν υπάρχει σύνδεση με πάροχο.",
  },
  rate_limited: { en: "Too many requests.", el: "Πάρα πολλά αιτήματα." },
  internal_error: { en: "An error occurred.", el: "Παρουσιάστηκε σφάλμα." },
  service_unavailable: { en: "The service is not available right now.", el: "Η υπηρεσία δεν απαντά τώρα." },
  invalid_state: { en: "Not possible in the current state.", el: "Δεν γίνεται στην παρούσα κατάσταση." },
  regime_mismatch: {
    en: "A licensed provider is required.",
    el: "Απαιτείται πάροχος ηλεκτρονικής τιμολόγησης.",
  },
  provider_credentials_invalid: {
    en: "The provider refused the credentials.",
    el: "Ο πάροχος δεν δέχεται τα στοιχεία.",
  },
  provider_rejected: { en: "The provider rejected it.", el: "Ο πάροχος το απέρριψε." },
  balance_exceeded: {
    en: "The balance with the provider is used up.",
    el: "Το υπόλοιπο στον πάροχο εξαντλήθηκε.",
  },
  provider_unavailable: { en: "The provider is not responding.", el: "Ο πάροχος δεν απαντά." },
  pdf_not_ready: { en: "The PDF is not ready yet.", el: "Το PDF δεν είναι έτοιμο ακόμη." },
};
