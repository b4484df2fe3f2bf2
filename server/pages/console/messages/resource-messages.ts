/** Messages of the pages of merchants, connections, webhook endpoints, events and logs. */
import type { Text } from "../../../../src/foundation/text.ts";

export const RESOURCE_MESSAGES = {
  taxNumber: { en: "Tax number", el: "ΑΦΜ" },
  branch: { en: "Branch", el: "Υποκατάστημα" },
  verify: { en: "Verify", el: "Επαλήθευση" },
  disconnect: { en: "Disconnect", el: "Κατάργηση" },
  disconnectQuestion: { en: "Disconnect this connection?", el: "Να καταργηθεί η σύνδεση;" },
  disconnectNote: {
    en: "Documents waiting for it will fail. Its credentials are deleted 30 days later.",
    el: "Όσα παραστατικά περιμένουν σε αυτήν θα αποτύχουν. Τα στοιχεία διαγράφονται 30 ημέρες αργότερα.",
  },
  createConnectLink: { en: "New connect link", el: "Νέος σύνδεσμος σύνδεσης" },
  createConnectLinkHint: {
    en: "Whoever opens it connects the merchant to a provider with their own credentials.",
    el: "Όποιος τον ανοίξει συνδέει την επιχείρηση με πάροχο, με δικά του στοιχεία.",
  },
  connectLink: { en: "The link", el: "Ο σύνδεσμος" },
  connectLinkNote: (until: string): Text => ({
    en: `It is shown only once and is valid until ${until}. Send it to the merchant.`,
    el: `Εμφανίζεται μόνο τώρα και ισχύει έως ${until}. Στείλτε τον στην επιχείρηση.`,
  }),
  itsDocuments: { en: "Its documents", el: "Τα παραστατικά της" },
  disabledBecauseFailing: {
    en: "Disabled because its deliveries failed for days.",
    el: "Απενεργοποιήθηκε επειδή οι παραδόσεις αποτύγχαναν για ημέρες.",
  },
  enable: { en: "Enable", el: "Ενεργοποίηση" },
  disable: { en: "Disable", el: "Απενεργοποίηση" },
  replay: { en: "Resend undelivered events", el: "Αποστολή όσων δεν παραδόθηκαν" },
  replayHint: {
    en: "Held and permanently failed deliveries are sent again.",
    el: "Στέλνονται ξανά όσα κρατούνται και όσα απέτυχαν οριστικά.",
  },
  nextAttempt: { en: "Next attempt", el: "Επόμενη προσπάθεια" },
  endpoint: { en: "Endpoint", el: "Παραλήπτης" },
  secretNote: {
    en: "The signing secret is shown only when it is created or rotated: fiscal webhooks rotate-secret.",
    el: "Το μυστικό υπογραφής εμφανίζεται μόνο στη δημιουργία και στην αλλαγή του: fiscal webhooks rotate-secret.",
  },
  event: { en: "Event", el: "Συμβάν" },
  when: { en: "When", el: "Πότε" },
  about: { en: "About", el: "Αφορά" },
  request: { en: "Request", el: "Αίτημα" },
  response: { en: "Response", el: "Απάντηση" },
  byTheService: { en: "by the service", el: "από την υπηρεσία" },
  idempotencyKey: { en: "Idempotency key", el: "Κλειδί επανάληψης" },
  call: { en: "Call", el: "Κλήση" },
  document: { en: "Document", el: "Παραστατικό" },
  connection: { en: "Connection", el: "Σύνδεση" },
  snapshot: { en: "Right after the event", el: "Εικόνα μετά το συμβάν" },
  previous: { en: "Before the event", el: "Τι ίσχυε πριν" },
  bodiesPurged: (when: string): Text => ({
    en: `The bodies were deleted on ${when}.`,
    el: `Το περιεχόμενο διαγράφηκε: ${when}.`,
  }),
  bodiesUnreadable: {
    en: "The bodies cannot be read: their key is lost.",
    el: "Το περιεχόμενο δεν διαβάζεται: το κλειδί του χάθηκε.",
  },
  bodiesWithheld: {
    en: "The bodies of a login with a provider are not stored.",
    el: "Το περιεχόμενο μιας εισόδου στον πάροχο δεν φυλάσσεται.",
  },
  noBodies: { en: "No bodies were stored.", el: "Δεν φυλάχτηκε περιεχόμενο." },
} as const;
