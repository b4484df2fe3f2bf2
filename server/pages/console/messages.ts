/**
 * The console's messages in both languages, with the labels of the operations. Here are those around every page, of signing in, of
 * failures, and of what an action did.
 */
import type { Text } from "../../../src/foundation/text.ts";
import { DOCUMENT_MESSAGES } from "./messages/document-messages.ts";
import { FORM_MESSAGES } from "./messages/form-messages.ts";
import { RESOURCE_MESSAGES } from "./messages/resource-messages.ts";
import { LABELS } from "../../../src/operations/view.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { formatCount } from "./format.ts";

const FRAME_MESSAGES = {
  skip: { en: "Skip to content", el: "Μετάβαση στο περιεχόμενο" },
  mainMenu: { en: "Main menu", el: "Κύριο μενού" },
  menu: { en: "Menu", el: "Μενού" },
  workMenu: { en: "Work", el: "Εργασία" },
  setUpMenu: { en: "Set-up", el: "Ρυθμίσεις" },
  technicalMenu: { en: "Technical", el: "Τεχνικά" },
  allMerchants: { en: "All merchants", el: "Όλες οι επιχειρήσεις" },
  switchMerchant: { en: "Switch", el: "Αλλαγή" },
  signOut: { en: "Sign out", el: "Έξοδος" },
  applianceHeld: { en: "Held.", el: "Σε αναμονή." },
  applianceHeldNote: {
    en: "It was restored from a backup: it shows its data but accepts and sends nothing. Once the appliance that the backup came from is shut down for good, run:",
    el: "Επαναφέρθηκε από αντίγραφο ασφαλείας: δείχνει ό,τι περιέχει, δεν δέχεται και δεν στέλνει τίποτα. Όταν η προηγούμενη εγκατάσταση έχει κλείσει οριστικά, δώστε την εντολή:",
  },
  updated: { en: "The page was updated.", el: "Η σελίδα ενημερώθηκε." },
  connectionLost: {
    en: "The server is not responding; the page is not being updated.",
    el: "Ο διακομιστής δεν απαντά· η σελίδα δεν ενημερώνεται.",
  },
  pauseUpdates: { en: "Pause updates", el: "Παύση ενημερώσεων" },
  signedOutMeanwhile: {
    en: "Your session has ended; reload the page to sign in.",
    el: "Η είσοδός σας έληξε· φορτώστε ξανά τη σελίδα.",
  },
  overview: { en: "Overview", el: "Επισκόπηση" },
  documents: { en: "Documents", el: "Παραστατικά" },
  customers: { en: "Customers", el: "Πελάτες" },
  chooseAbove: {
    en: "Choose a merchant at the top: each has customers of its own.",
    el: "Επιλέξτε επιχείρηση επάνω: καθεμία έχει δικούς της πελάτες.",
  },
  customerSearchHint: { en: "part of the name, or number", el: "μέρος της επωνυμίας, ή ΑΦΜ" },
  statement: { en: "Statement", el: "Καρτέλα" },
  lastShown: (count: number): Text => ({
    en: `Only the last ${count} are shown.`,
    el: `Φαίνονται μόνο οι τελευταίες ${count} γραμμές.`,
  }),
  merchants: { en: "Merchants", el: "Επιχειρήσεις" },
  connections: { en: "Connections", el: "Συνδέσεις" },
  webhooks: { en: "Webhooks", el: "Webhooks" },
  requests: { en: "API requests", el: "Αιτήματα API" },
  calls: { en: "Provider calls", el: "Κλήσεις παρόχων" },
  signIn: { en: "Sign in", el: "Είσοδος" },
  signInIntro: {
    en: "With an API key, or with a one-time link from the command:",
    el: "Με κλειδί API, ή με σύνδεσμο μίας χρήσης από την εντολή:",
  },
  apiKey: { en: "API key", el: "Κλειδί API" },
  keyHint: {
    en: "It starts with fiscal_test_ or fiscal_live_, which determines the mode.",
    el: "Αρχίζει με fiscal_test_ ή fiscal_live_ και ορίζει το περιβάλλον.",
  },
  linkNote: {
    en: "The link works for one sign-in and expires ten minutes after it was created.",
    el: "Ο σύνδεσμος ισχύει για μία είσοδο και λήγει δέκα λεπτά μετά την έκδοσή του.",
  },
  linkIsClosed: {
    en: "This link is not valid: it has been used, has expired, or never existed. Create a new one with fiscal console, or sign in with an API key.",
    el: "Ο σύνδεσμος δεν ισχύει: έχει χρησιμοποιηθεί, έληξε ή δεν υπήρξε ποτέ. Ζητήστε νέο με την εντολή fiscal console, ή μπείτε με κλειδί.",
  },
  keyRefused: {
    en: "This key is not accepted: it is mistyped, expired or revoked.",
    el: "Το κλειδί δεν γίνεται δεκτό: είναι λάθος, έληξε ή ανακλήθηκε.",
  },
  tooMany: (seconds: number): Text => ({
    en: `Too many attempts. Try again in ${formatCount(seconds).en} seconds.`,
    el: `Πάρα πολλές προσπάθειες. Δοκιμάστε ξανά σε ${formatCount(seconds).el} δευτερόλεπτα.`,
  }),
  sessionOver: {
    en: "Your session has ended. Sign in and try again: nothing was changed.",
    el: "Η είσοδός σας έληξε. Μπείτε ξανά και επαναλάβετε την ενέργεια: δεν έγινε τίποτα.",
  },
  formRefused: { en: "The form was not accepted", el: "Η φόρμα δεν έγινε δεκτή" },
  formRefusedNote: {
    en: "It did not come from this page, or cookies are disabled. Open the page again and repeat: nothing was changed.",
    el: "Δεν προέρχεται από αυτή τη σελίδα, ή τα cookies είναι κλειστά. Ανοίξτε ξανά τη σελίδα και επαναλάβετε: δεν έγινε τίποτα.",
  },
  readOnly: { en: "Read-only", el: "Μόνο ανάγνωση" },
  readOnlyNote: {
    en: "This session only shows; nothing was changed. To make changes, sign in with a link that is not read-only, or with an API key.",
    el: "Η είσοδος αυτή είναι μόνο για ανάγνωση· δεν άλλαξε τίποτα. Για αλλαγές μπείτε με σύνδεσμο που δεν είναι μόνο για ανάγνωση, ή με κλειδί API.",
  },
  notFound: { en: "Not found", el: "Δεν βρέθηκε" },
  notFoundNote: { en: "It does not exist in this mode.", el: "Δεν υπάρχει σε αυτό το περιβάλλον." },
  actionFailed: { en: "The action failed", el: "Δεν έγινε" },
  nextStep: { en: "Open the page for it", el: "Άνοιγμα της σελίδας για αυτό" },
  unexpected: {
    en: "An unexpected error occurred. Its id in the log:",
    el: "Παρουσιάστηκε σφάλμα. Ο κωδικός του στο αρχείο καταγραφής:",
  },
} as const;

/** With a capital letter. */
export function capitalised(label: Text): Text {
  // A code such as `x-request-id` or `category1_1` stays as it is.
  return inEach(label, (text) =>
    /^(?:x-|[a-z]+\d*_)/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1),
  );
}

export function inEach({ en, el }: Text, change: (text: string) => string): Text {
  return { en: change(en), el: change(el) };
}

/** The labels of the operations, such as `TEXTS.status`. */
const LABEL_MESSAGES = Object.fromEntries(
  Object.entries(LABELS).map(([name, label]) => [name, capitalised(label)]),
) as Readonly<Record<keyof typeof LABELS, Text>>;

export const TEXTS = {
  ...LABEL_MESSAGES,
  ...FRAME_MESSAGES,
  ...DOCUMENT_MESSAGES,
  ...FORM_MESSAGES,
  ...RESOURCE_MESSAGES,
} as const;

export const MODE_NAMES: Readonly<Record<Mode, Text>> = {
  test: { en: "TEST", el: "ΔΟΚΙΜΗ · TEST" },
  live: { en: "LIVE", el: "ΠΑΡΑΓΩΓΗ · LIVE" },
};

export const MODE_NOTES: Readonly<Record<Mode, Text>> = {
  test: {
    en: "Test mode: these documents are not legally valid.",
    el: "Δοκιμαστικό περιβάλλον: τα παραστατικά δεν έχουν φορολογική ισχύ.",
  },
  live: {
    en: "Live mode: these documents are legally valid.",
    el: "Πραγματικό περιβάλλον: τα παραστατικά έχουν φορολογική ισχύ.",
  },
};

export const FLASH_MESSAGES = {
  signedIn: { en: "You are signed in.", el: "Μπήκατε στην κονσόλα." },
  saved: { en: "It was saved.", el: "Αποθηκεύτηκε." },
  mailTested: {
    en: "The mail server accepted the test mail.",
    el: "Ο διακομιστής δέχτηκε το δοκιμαστικό email.",
  },
  testSent: {
    en: "The newest event is being sent. The deliveries show the response.",
    el: "Το νεότερο συμβάν στέλνεται. Η απάντηση φαίνεται στις παραδόσεις.",
  },
  noEvent: {
    en: "There is no event of its types yet: issue a test document first.",
    el: "Δεν υπάρχει ακόμη συμβάν αυτών των τύπων: εκδώστε πρώτα ένα δοκιμαστικό παραστατικό.",
  },
  signedOut: { en: "You are signed out.", el: "Βγήκατε από την κονσόλα." },
  noneChosen: { en: "No document was chosen.", el: "Δεν επιλέξατε κανένα παραστατικό." },
  retried: (count: number): Text => ({
    en: `Failed documents queued again: ${formatCount(count).en}.`,
    el: `Αποτυχημένα που μπήκαν ξανά στην ουρά: ${formatCount(count).el}.`,
  }),
  cancelled: { en: "The document was cancelled.", el: "Το παραστατικό ακυρώθηκε." },
  accepted: {
    en: "The document was accepted and is being issued: its MARK and PDF appear on this page.",
    el: "Το παραστατικό έγινε δεκτό και εκδίδεται: το ΜΑΡΚ και το PDF του εμφανίζονται σε αυτή τη σελίδα.",
  },
  mailQueued: {
    en: "The mail is being sent. The list of mails shows when it is.",
    el: "Το email στέλνεται. Θα φανεί στη λίστα των email μόλις σταλεί.",
  },
  verified: {
    en: "The provider accepted the credentials; the connection is active.",
    el: "Ο πάροχος δέχτηκε τα στοιχεία· η σύνδεση είναι ενεργή.",
  },
  refused: {
    en: "The provider does not accept the credentials.",
    el: "Ο πάροχος δεν δέχεται τα στοιχεία.",
  },
  newKey: {
    en: "This is the key. It is shown only now: store it where the program that uses it reads it.",
    el: "Αυτό είναι το κλειδί. Εμφανίζεται μόνο τώρα: φυλάξτε το εκεί όπου το διαβάζει το πρόγραμμα που το χρησιμοποιεί.",
  },
  newSecret: {
    en: "This secret signs what is sent to the endpoint. It is shown only now: give it to the receiver.",
    el: "Με αυτό το μυστικό υπογράφεται ό,τι στέλνεται στον παραλήπτη. Εμφανίζεται μόνο τώρα: δώστε το στον παραλήπτη.",
  },
  newLink: {
    en: "This is the link. It is shown only now and is valid for 30 minutes: send it to the merchant.",
    el: "Αυτός είναι ο σύνδεσμος. Εμφανίζεται μόνο τώρα και ισχύει για 30 λεπτά: στείλτε τον στην επιχείρηση.",
  },
  replayed: (count: number): Text => ({
    en: `Queued for delivery: ${formatCount(count).en}.`,
    el: `Μπήκαν στην ουρά για αποστολή: ${formatCount(count).el}.`,
  }),
} as const;

export type FlashCode = keyof typeof FLASH_MESSAGES;

export function isFlashCode(code: string): code is FlashCode {
  return Object.hasOwn(FLASH_MESSAGES, code);
}
