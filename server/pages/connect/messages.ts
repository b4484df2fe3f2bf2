/** The messages of the connect pages. */
import type { Text } from "../../../src/foundation/text.ts";

export const title = (merchant: string): Text => ({
  en: `Connect ${merchant}`,
  el: `Σύνδεση της επιχείρησης ${merchant}`,
});

export const heading = (merchant: string): Text => ({
  en: `Connect ${merchant}`,
  el: `Σύνδεση: ${merchant}`,
});

export const taxId = (code: string): Text => ({ en: `Greek tax number ${code}`, el: `ΑΦΜ ${code}` });

export const purpose = (providers: Text): Text => ({
  en: `Once you connect, documents are issued on behalf of this business through ${providers.en}.`,
  el: `Με τη σύνδεση αυτή τα παραστατικά της επιχείρησης θα εκδίδονται για λογαριασμό της μέσω: ${providers.el}.`,
});

export const SAFETY: Text = {
  en: "The provider checks your entries immediately. They are stored encrypted and never shown again.",
  el: "Τα στοιχεία ελέγχονται αμέσως στον πάροχο, φυλάσσονται κρυπτογραφημένα και δεν εμφανίζονται ποτέ ξανά.",
};

export const returnsTo = (host: string): Text => ({
  en: `Afterwards you return to ${host}.`,
  el: `Στο τέλος επιστρέφετε στο ${host}.`,
});

export const MODE_NAMES: Readonly<Record<"test" | "live", Text>> = {
  test: { en: "TEST MODE", el: "ΔΟΚΙΜΑΣΤΙΚΗ ΛΕΙΤΟΥΡΓΙΑ" },
  live: { en: "LIVE MODE", el: "ΚΑΝΟΝΙΚΗ ΛΕΙΤΟΥΡΓΙΑ" },
};

export const MODE_NOTES: Readonly<Record<"test" | "live", Text>> = {
  test: {
    en: "Enter the credentials for the provider’s test environment. Nothing issued this way is legally valid.",
    el: "Χρειάζονται τα στοιχεία του δοκιμαστικού περιβάλλοντος του παρόχου. Τίποτα από όσα εκδίδονται έτσι δεν έχει φορολογική ισχύ.",
  },
  live: {
    en: "Enter the credentials for the provider’s live environment. Documents issued this way are legally valid.",
    el: "Χρειάζονται τα στοιχεία του κανονικού περιβάλλοντος του παρόχου. Τα παραστατικά έχουν φορολογική ισχύ.",
  },
};

export const WHERE_TO_FIND: Text = { en: "Where to find them", el: "Πού θα βρείτε τα στοιχεία" };

export const EXACTLY_ONE: Text = {
  en: "Fill in exactly one of these",
  el: "Συμπληρώστε ακριβώς ένα από αυτά",
};

export const SUBMIT: Text = { en: "Check and connect", el: "Έλεγχος και σύνδεση" };

export const BUSY_BUTTON: Text = { en: "Checking…", el: "Γίνεται έλεγχος…" };

export const BUSY: Text = {
  en: "The provider is checking your entries. This may take up to half a minute; do not close the page.",
  el: "Ο πάροχος ελέγχει τα στοιχεία. Μπορεί να χρειαστεί έως μισό λεπτό· μην κλείσετε τη σελίδα.",
};

export const PATIENCE: Text = {
  en: "The check may take up to half a minute. Press the button only once.",
  el: "Ο έλεγχος μπορεί να χρειαστεί έως μισό λεπτό. Πατήστε μία φορά.",
};

export const NO_PROVIDER: Text = {
  en: "No provider is available. Tell the person who sent you the link.",
  el: "Δεν υπάρχει διαθέσιμος πάροχος. Ενημερώστε όποιον σας έστειλε τον σύνδεσμο.",
};

export const problemTitle = (pageTitle: Text): Text => ({
  en: `Problem: ${pageTitle.en}`,
  el: `Πρόβλημα: ${pageTitle.el}`,
});

export const INVALID: Text = { en: "Check your entries", el: "Ελέγξτε τα στοιχεία" };

export const REFUSED: Text = {
  en: "The provider did not accept the credentials",
  el: "Ο πάροχος δεν δέχτηκε τα στοιχεία",
};

export const REFUSED_ADVICE: Text = {
  en: "Check that you copied them completely, that they belong to this business, and that they are for the right environment (test or live).",
  el: "Ελέγξτε ότι αντιγράφηκαν ολόκληρα, ότι ανήκουν στην επιχείρηση και ότι είναι του σωστού περιβάλλοντος (δοκιμαστικό ή κανονικό).",
};

export const REFUSED_FIELD: Text = {
  en: "The provider did not accept it. Check it again.",
  el: "Ο πάροχος δεν το δέχτηκε. Ελέγξτε το ξανά.",
};

export const providerSaid = (words: string): Text => ({
  en: `The provider’s message: ${words}`,
  el: `Η απάντηση του παρόχου: ${words}`,
});

export const triesLeft = (count: number): Text => ({
  en: `Attempts left: ${count}.`,
  el: `Προσπάθειες που απομένουν: ${count}.`,
});

export const UNAVAILABLE: Text = { en: "The provider is not responding", el: "Ο πάροχος δεν απαντά" };

export const UNAVAILABLE_ADVICE: Text = {
  en: "Nothing was saved, and this did not count as an attempt. Try again in a little while, before the link expires.",
  el: "Τίποτα δεν αποθηκεύτηκε και καμία προσπάθεια δεν μετρήθηκε. Δοκιμάστε ξανά σε λίγο, όσο ισχύει ο σύνδεσμος.",
};

export const TAKEN: Text = {
  en: "The business is already connected",
  el: "Η επιχείρηση είναι ήδη συνδεδεμένη",
};

export const TAKEN_ADVICE: Text = {
  en: "There is already an active connection to this provider. There is nothing else to do.",
  el: "Υπάρχει ήδη ενεργή σύνδεση με αυτόν τον πάροχο. Δεν χρειάζεται να κάνετε τίποτα.",
};

export const FOREIGN_FORM: Text = { en: "The form was not accepted", el: "Η φόρμα δεν έγινε δεκτή" };

export const FOREIGN_FORM_ADVICE: Text = {
  en: "It was sent from another site. Open the link you received, and fill in the form there.",
  el: "Στάλθηκε από άλλον ιστότοπο. Ανοίξτε τον ίδιο τον σύνδεσμο που λάβατε και συμπληρώστε τη φόρμα εκεί.",
};

export const UNREADABLE_FORM: Text = { en: "The form could not be read", el: "Η φόρμα δεν διαβάστηκε" };

export const UNREADABLE_FORM_ADVICE: Text = {
  en: "Open the link you received again, and fill in the form.",
  el: "Ανοίξτε ξανά τον σύνδεσμο που λάβατε και συμπληρώστε τη φόρμα.",
};

export const CLOSED: Text = { en: "This link is not valid", el: "Ο σύνδεσμος δεν ισχύει" };

export const UNKNOWN_LINK: Text = { en: "There is no such link.", el: "Δεν υπάρχει τέτοιος σύνδεσμος." };

export const CLOSED_BECAUSE: Readonly<Record<"expired" | "used" | "refused", Text>> = {
  expired: {
    en: "It has expired: a link is valid for 30 minutes.",
    el: "Έληξε: κάθε σύνδεσμος ισχύει για 30 λεπτά.",
  },
  used: {
    en: "It has already been used to connect the business.",
    el: "Έχει ήδη χρησιμοποιηθεί: η επιχείρηση συνδέθηκε με αυτόν.",
  },
  refused: {
    en: "It was closed after too many wrong credentials.",
    el: "Έκλεισε μετά από πολλά λανθασμένα στοιχεία.",
  },
};

export const ASK_FOR_ANOTHER: Text = {
  en: "If you need another one, ask the person who sent it to you.",
  el: "Αν χρειάζεστε άλλον, ζητήστε τον από όποιον σας τον έστειλε.",
};

export const CONNECTED: Text = { en: "Connected", el: "Η σύνδεση έγινε" };

export const connectedTo = (merchant: string, provider: Text): Text => ({
  en: `${merchant} is connected: ${provider.en}.`,
  el: `Η επιχείρηση ${merchant} συνδέθηκε: ${provider.el}.`,
});

export const CONNECTED_ADVICE: Text = {
  en: "From now on its documents are issued through this connection; those that were waiting for it are issued now. There is nothing else to do.",
  el: "Από εδώ και πέρα τα παραστατικά της εκδίδονται με αυτή τη σύνδεση. Όσα περίμεναν συνεχίζουν τώρα. Δεν χρειάζεται να κάνετε κάτι άλλο.",
};

export const backTo = (host: string): Text => ({ en: `Back to ${host}`, el: `Επιστροφή στο ${host}` });

export const CLOSE_PAGE: Text = { en: "You can close this page.", el: "Μπορείτε να κλείσετε τη σελίδα." };

export const TOO_MANY: Text = { en: "Too many requests", el: "Πάρα πολλά αιτήματα" };

export function tooManyAdvice(seconds: number): Text {
  return {
    en: `Open the page again in ${seconds} seconds.`,
    el: `Ανοίξτε ξανά τη σελίδα σε ${seconds} δευτερόλεπτα.`,
  };
}
