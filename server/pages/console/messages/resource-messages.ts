/** Messages of the pages of merchants, connections, webhook endpoints, events and logs, and the names of events. */
import type { Text } from "../../../../src/foundation/text.ts";
import type { EventType } from "../../../../src/domain/vocabulary.ts";

export const RESOURCE_MESSAGES = {
  create: { en: "Create", el: "Δημιουργία" },
  save: { en: "Save", el: "Αποθήκευση" },
  name: { en: "Name", el: "Όνομα" },
  keys: { en: "API keys", el: "Κλειδιά API" },
  newKey: { en: "New API key", el: "Νέο κλειδί API" },
  keyNote: {
    en: "This is the key. It is shown only now: store it where the program that uses it reads it.",
    el: "Αυτό είναι το κλειδί. Εμφανίζεται μόνο τώρα: φυλάξτε το εκεί όπου το διαβάζει το πρόγραμμα που το χρησιμοποιεί.",
  },
  revoke: { en: "Revoke", el: "Κατάργηση" },
  revokeQuestion: { en: "Revoke this key?", el: "Να καταργηθεί το κλειδί;" },
  revokeNote: {
    en: "Programs that use it are refused from then on, and sessions that it opened end.",
    el: "Όσα προγράμματα το χρησιμοποιούν δεν θα γίνονται πια δεκτά, και όσες είσοδοι έγιναν με αυτό λήγουν.",
  },
  newMerchant: { en: "New merchant", el: "Νέα επιχείρηση" },
  changeDetails: { en: "Change its details", el: "Αλλαγή στοιχείων" },
  paper: { en: "Paper and logo", el: "Έντυπο και λογότυπο" },
  issuingSettings: { en: "Series and classification", el: "Σειρές και χαρακτηρισμοί" },
  readyForLive: { en: "Ready for live mode?", el: "Έτοιμη για την παραγωγική λειτουργία;" },
  logo: { en: "Logo", el: "Λογότυπο" },
  removeImage: { en: "remove it", el: "αφαίρεση" },
  samplePdf: { en: "Sample PDF", el: "Δείγμα PDF" },
  sampleHint: {
    en: "A made-up invoice on the saved paper.",
    el: "Ένα φανταστικό τιμολόγιο στο αποθηκευμένο έντυπο.",
  },
  testMail: (address: string): Text => ({
    en: `Send a test mail to ${address}`,
    el: `Δοκιμαστικό email στο ${address}`,
  }),
  noMailAddress: {
    en: "Save an email address above to send a test mail to it.",
    el: "Αποθηκεύστε παραπάνω μια διεύθυνση email για να σταλεί εκεί ένα δοκιμαστικό.",
  },
  newEndpoint: { en: "New webhook endpoint", el: "Νέος παραλήπτης webhook" },
  endpointSecretNote: {
    en: "This secret signs what is sent to the endpoint. It is shown only now: give it to the receiver.",
    el: "Με αυτό το μυστικό υπογράφεται ό,τι στέλνεται στον παραλήπτη. Εμφανίζεται μόνο τώρα: δώστε το στον παραλήπτη.",
  },
  sendTest: { en: "Send the newest event", el: "Αποστολή του νεότερου συμβάντος" },
  branches: { en: "Branches", el: "Εγκαταστάσεις" },
  branchesHint: {
    en: "What the documents of a branch show instead of the head office’s address and contact.",
    el: "Τι δείχνουν τα παραστατικά μιας εγκατάστασης αντί για τη διεύθυνση και την επικοινωνία της έδρας.",
  },
  branchNumber: { en: "Branch number", el: "Αριθμός εγκατάστασης" },
  open: { en: "Open", el: "Άνοιγμα" },
  connectTo: (provider: Text): Text => ({
    en: `Connect to ${provider.en}`,
    el: `Σύνδεση: ${provider.el}`,
  }),
  checkAndConnect: { en: "Check and connect", el: "Έλεγχος και σύνδεση" },
  verify: { en: "Verify", el: "Επαλήθευση" },
  disconnect: { en: "Disconnect", el: "Αποσύνδεση" },
  disconnectQuestion: { en: "Disconnect this connection?", el: "Να αποσυνδεθεί η σύνδεση;" },
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
  connectLinkNote: (until: Text): Text => ({
    en: `It is shown only once and is valid until ${until.en}. Send it to the merchant.`,
    el: `Εμφανίζεται μόνο τώρα και ισχύει έως ${until.el}. Στείλτε τον στην επιχείρηση.`,
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
  rotateSecret: { en: "New signing secret", el: "Νέο μυστικό υπογραφής" },
  archive: { en: "Archive", el: "Αρχειοθέτηση" },
  archiveQuestion: { en: "Archive this merchant?", el: "Να αρχειοθετηθεί η επιχείρηση;" },
  archiveNote: {
    en: "Nothing new is issued for it. Documents accepted before continue.",
    el: "Δεν εκδίδεται πια τίποτα νέο για αυτήν. Όσα παραστατικά έγιναν ήδη δεκτά συνεχίζουν.",
  },
  unarchive: { en: "Issue for it again", el: "Νέα έναρξη έκδοσης" },
  request: { en: "Request", el: "Αίτημα" },
  response: { en: "Response", el: "Απάντηση" },
  call: { en: "Call", el: "Κλήση" },
  connection: { en: "Connection", el: "Σύνδεση" },
  snapshot: { en: "Right after the event", el: "Εικόνα μετά το συμβάν" },
  previous: { en: "Before the event", el: "Τι ίσχυε πριν" },
  bodiesPurged: (when: Text): Text => ({
    en: `The bodies were deleted on ${when.en}.`,
    el: `Το περιεχόμενο διαγράφηκε: ${when.el}.`,
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
