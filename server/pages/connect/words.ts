/** The words of the connect page, in both languages. */
import type { Provider } from "../../../storage/stored-values.ts";
import type { Sentence } from "../language.ts";

export const WORDS = {
  title: { el: "Σύνδεση της επιχείρησης {merchant}", en: "Connect {merchant}" },
  heading: { el: "Σύνδεση: {merchant}", en: "Connect {merchant}" },
  taxId: { el: "ΑΦΜ {code}", en: "Greek tax number {code}" },
  purpose: {
    el: "Με τη σύνδεση αυτή τα παραστατικά της επιχείρησης θα εκδίδονται για λογαριασμό της μέσω: {providers}.",
    en: "Once connected, documents are issued on behalf of this business through {providers}.",
  },
  safety: {
    el: "Τα στοιχεία ελέγχονται αμέσως στον πάροχο, φυλάσσονται κρυπτογραφημένα και δεν εμφανίζονται ποτέ ξανά.",
    en: "What you enter is checked with the provider at once, kept encrypted, and never shown again.",
  },
  returns: { el: "Στο τέλος επιστρέφετε στο {host}.", en: "Afterwards you return to {host}." },
  test: { el: "ΔΟΚΙΜΑΣΤΙΚΗ ΛΕΙΤΟΥΡΓΙΑ", en: "TEST MODE" },
  live: { el: "ΚΑΝΟΝΙΚΗ ΛΕΙΤΟΥΡΓΙΑ", en: "LIVE MODE" },
  testNote: {
    el: "Χρειάζονται τα στοιχεία του δοκιμαστικού περιβάλλοντος του παρόχου. Τίποτα από όσα εκδίδονται έτσι δεν έχει φορολογική ισχύ.",
    en: "Enter the credentials of the provider’s test environment. Nothing that is issued this way is legally valid.",
  },
  liveNote: {
    el: "Χρειάζονται τα στοιχεία του κανονικού περιβάλλοντος του παρόχου. Τα παραστατικά έχουν φορολογική ισχύ.",
    en: "Enter the credentials of the provider’s live environment. Documents that are issued this way are legally valid.",
  },
  steps: { el: "Πού θα βρείτε τα στοιχεία", en: "Where to find them" },
  exactlyOne: { el: "Συμπληρώστε ακριβώς ένα από αυτά", en: "Fill in exactly one of these" },
  submit: { el: "Έλεγχος και σύνδεση", en: "Check and connect" },
  busyButton: { el: "Γίνεται έλεγχος…", en: "Checking…" },
  busy: {
    el: "Ο πάροχος ελέγχει τα στοιχεία. Μπορεί να χρειαστεί έως μισό λεπτό· μην κλείσετε τη σελίδα.",
    en: "The provider is checking what you entered. This may take up to half a minute; keep the page open.",
  },
  patience: {
    el: "Ο έλεγχος μπορεί να χρειαστεί έως μισό λεπτό. Πατήστε μία φορά.",
    en: "The check may take up to half a minute. Press once.",
  },
  noProvider: {
    el: "Δεν υπάρχει διαθέσιμος πάροχος. Ενημερώστε όποιον σας έστειλε τον σύνδεσμο.",
    en: "No provider is available. Tell whoever sent you the link.",
  },
} as const satisfies Record<string, Sentence>;

export const PROBLEM_WORDS = {
  titlePrefix: { el: "Πρόβλημα: ", en: "Problem: " },
  invalid: { el: "Ελέγξτε τα στοιχεία", en: "Check what you entered" },
  refused: { el: "Ο πάροχος δεν δέχτηκε τα στοιχεία", en: "The provider did not accept the credentials" },
  refusedWhy: {
    el: "Ελέγξτε ότι αντιγράφηκαν ολόκληρα, ότι ανήκουν στην επιχείρηση και ότι είναι του σωστού περιβάλλοντος (δοκιμαστικό ή κανονικό).",
    en: "Check that they were copied whole, belong to this business, and are those of the right environment (test or live).",
  },
  said: { el: "Η απάντηση του παρόχου: {words}", en: "The provider’s answer: {words}" },
  triesLeft: { el: "Προσπάθειες που απομένουν: {count}.", en: "Tries left: {count}." },
  refusedField: {
    el: "Ο πάροχος δεν το δέχτηκε. Ελέγξτε το ξανά.",
    en: "The provider did not accept it. Check it again.",
  },
  unavailable: { el: "Ο πάροχος δεν απαντά", en: "The provider does not answer" },
  unavailableWhy: {
    el: "Τίποτα δεν αποθηκεύτηκε και καμία προσπάθεια δεν μετρήθηκε. Δοκιμάστε ξανά σε λίγο, όσο ισχύει ο σύνδεσμος.",
    en: "Nothing was kept and no try was counted. Try again in a little while, as long as the link is valid.",
  },
  taken: { el: "Η επιχείρηση είναι ήδη συνδεδεμένη", en: "The business is connected already" },
  takenWhy: {
    el: "Υπάρχει ήδη ενεργή σύνδεση με αυτόν τον πάροχο. Δεν χρειάζεται να κάνετε τίποτα.",
    en: "There is an active connection to this provider. There is nothing left to do.",
  },
  foreign: { el: "Η φόρμα δεν έγινε δεκτή", en: "The form was not accepted" },
  foreignWhy: {
    el: "Στάλθηκε από άλλον ιστότοπο. Ανοίξτε τον ίδιο τον σύνδεσμο που λάβατε και συμπληρώστε τη φόρμα εκεί.",
    en: "It was sent from another site. Open the link that you received itself, and fill in the form there.",
  },
  unreadable: { el: "Η φόρμα δεν διαβάστηκε", en: "The form could not be read" },
  unreadableWhy: {
    el: "Ανοίξτε ξανά τον σύνδεσμο που λάβατε και συμπληρώστε τη φόρμα.",
    en: "Open the link that you received again, and fill in the form.",
  },
} as const satisfies Record<string, Sentence>;

export const END_WORDS = {
  closed: { el: "Ο σύνδεσμος δεν ισχύει", en: "This link is not valid" },
  unknown: { el: "Δεν υπάρχει τέτοιος σύνδεσμος.", en: "There is no such link." },
  expired: {
    el: "Έληξε: κάθε σύνδεσμος ισχύει για 30 λεπτά.",
    en: "It has expired: a link is valid for 30 minutes.",
  },
  used: {
    el: "Έχει ήδη χρησιμοποιηθεί: η επιχείρηση συνδέθηκε με αυτόν.",
    en: "It has been used already: the business was connected by it.",
  },
  exhausted: {
    el: "Έκλεισε μετά από πολλά λανθασμένα στοιχεία.",
    en: "It was closed after too many wrong credentials.",
  },
  askAgain: {
    el: "Αν χρειάζεστε άλλον, ζητήστε τον από όποιον σας τον έστειλε.",
    en: "If you need another one, ask whoever sent it to you.",
  },
  done: { el: "Η σύνδεση έγινε", en: "Connected" },
  doneWhat: {
    el: "Η επιχείρηση {merchant} συνδέθηκε: {provider}.",
    en: "{merchant} is connected: {provider}.",
  },
  doneNext: {
    el: "Από εδώ και πέρα τα παραστατικά της εκδίδονται με αυτή τη σύνδεση. Όσα περίμεναν συνεχίζουν τώρα. Δεν χρειάζεται να κάνετε κάτι άλλο.",
    en: "From now on its documents are issued through this connection, and those that waited for it go on. There is nothing else to do.",
  },
  back: { el: "Επιστροφή στο {host}", en: "Back to {host}" },
  close: { el: "Μπορείτε να κλείσετε τη σελίδα.", en: "You can close this page." },
} as const satisfies Record<string, Sentence>;

/** Providers as a person knows them; others go by their name on the wire. */
export const PROVIDER_NAMES: Partial<Record<Provider, Sentence>> = {
  registry_direct: { el: "ΑΑΔΕ myDATA", en: "AADE myDATA (the Greek tax authority)" },
  provider_a: { el: "Wrapp", en: "Wrapp" },
};
