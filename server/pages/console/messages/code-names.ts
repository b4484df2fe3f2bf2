/** The names of events. The words of statuses are those of the operations. */
import type { EventType } from "../../../../src/domain/vocabulary.ts";
import type { Text } from "../../../../src/foundation/text.ts";

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
  "connection.disconnected": { en: "Connection disconnected", el: "Η σύνδεση αποσυνδέθηκε" },
  "connect_session.completed": { en: "Connected through a link", el: "Ολοκληρώθηκε μέσω συνδέσμου" },
  "webhook_endpoint.disabled": { en: "Endpoint disabled", el: "Ο παραλήπτης απενεργοποιήθηκε" },
};
