/** The words around every page, of signing in, and what is told after something was done: Greek, English. */
export const FRAME_WORDS = {
  skip: ["Μετάβαση στο περιεχόμενο", "Skip to the content"],
  "main menu": ["Κύριο μενού", "Main menu"],
  "sign out": ["Έξοδος", "Sign out"],
  "test mode": ["ΔΟΚΙΜΗ · TEST", "TEST"],
  "live mode": ["ΠΑΡΑΓΩΓΗ · LIVE", "LIVE"],
  "test note": [
    "Δοκιμαστικό περιβάλλον: τα παραστατικά δεν έχουν φορολογική ισχύ.",
    "Test mode: these documents are not legally valid.",
  ],
  "live note": [
    "Πραγματικό περιβάλλον: τα παραστατικά έχουν φορολογική ισχύ.",
    "Live mode: these documents are legally valid.",
  ],
  "appliance held": ["Σε αναμονή.", "Held."],
  "appliance held lead": [
    "Επαναφέρθηκε από αντίγραφο ασφαλείας: δείχνει ό,τι περιέχει, δεν δέχεται και δεν στέλνει τίποτα. Όταν η προηγούμενη εγκατάσταση έχει κλείσει οριστικά, δώστε την εντολή:",
    "It was restored from a backup: it shows what it holds, and takes and sends nothing. When the appliance that the backup was taken of is off for good, run:",
  ],
  updated: ["Η σελίδα ενημερώθηκε.", "The page was updated."],
  "connection lost": [
    "Ο διακομιστής δεν απαντά· η σελίδα δεν ενημερώνεται.",
    "The server does not answer; the page is not being updated.",
  ],
  "pause updates": ["Παύση ενημερώσεων", "Pause updates"],
  "signed out meanwhile": [
    "Η είσοδός σας έληξε· φορτώστε ξανά τη σελίδα.",
    "Your session has ended; reload the page to sign in.",
  ],

  overview: ["Επισκόπηση", "Overview"],
  documents: ["Παραστατικά", "Documents"],
  merchants: ["Επιχειρήσεις", "Merchants"],
  connections: ["Συνδέσεις", "Connections"],
  webhooks: ["Webhooks", "Webhooks"],
  events: ["Συμβάντα", "Events"],
  requests: ["Αιτήματα API", "API requests"],
  calls: ["Κλήσεις παρόχων", "Provider calls"],

  "sign in": ["Είσοδος", "Sign in"],
  "sign in lead": [
    "Με κλειδί API, ή με σύνδεσμο μίας χρήσης από την εντολή:",
    "With an API key, or with a one-time link from the command:",
  ],
  "API key": ["Κλειδί API", "API key"],
  "key hint": [
    "Αρχίζει με fiscal_test_ ή fiscal_live_ και ορίζει το περιβάλλον.",
    "It begins with fiscal_test_ or fiscal_live_, which decides the mode.",
  ],
  "link lead": [
    "Ο σύνδεσμος ισχύει για μία είσοδο και λήγει δέκα λεπτά μετά την έκδοσή του.",
    "The link is good for one sign-in and ends ten minutes after it was made.",
  ],
  "link is used": ["Ο σύνδεσμος έχει χρησιμοποιηθεί.", "This link has been used already."],
  "link is expired": ["Ο σύνδεσμος έληξε.", "This link has expired."],
  "link is unknown": ["Ο σύνδεσμος δεν ισχύει.", "This link is not valid."],
  "link again": [
    "Ζητήστε νέο με την εντολή fiscal console, ή μπείτε με κλειδί.",
    "Ask for a new one with fiscal console, or sign in with a key.",
  ],
  "key refused": [
    "Το κλειδί δεν γίνεται δεκτό: είναι λάθος, έληξε ή ανακλήθηκε.",
    "This key is not accepted: it is mistyped, expired or revoked.",
  ],
  "too many": [
    "Πάρα πολλές αποτυχημένες προσπάθειες. Δοκιμάστε ξανά σε {seconds} δευτερόλεπτα.",
    "Too many failed attempts. Try again in {seconds} seconds.",
  ],
  "too many pages": [
    "Πάρα πολλά αιτήματα. Δοκιμάστε ξανά σε {seconds} δευτερόλεπτα.",
    "Too many requests. Try again in {seconds} seconds.",
  ],
  "session over": [
    "Η είσοδός σας έληξε. Μπείτε ξανά και επαναλάβετε την ενέργεια: δεν έγινε τίποτα.",
    "Your session has ended. Sign in and do it again: nothing was changed.",
  ],
  "form refused": ["Η φόρμα δεν έγινε δεκτή", "The form was not accepted"],
  "form refused lead": [
    "Δεν προέρχεται από αυτή τη σελίδα, ή τα cookies είναι κλειστά. Ανοίξτε ξανά τη σελίδα και επαναλάβετε: δεν έγινε τίποτα.",
    "It does not come from this page, or cookies are switched off. Open the page again and repeat: nothing was changed.",
  ],

  "flash signed in": ["Μπήκατε στην κονσόλα.", "You are signed in."],
  "flash signed out": ["Βγήκατε από την κονσόλα.", "You are signed out."],
  "flash retried": ["Το παραστατικό μπήκε ξανά στην ουρά.", "The document was queued again."],
  "flash cancelled": ["Το παραστατικό ακυρώθηκε.", "The document was cancelled."],
  "flash verified": [
    "Ο πάροχος δέχτηκε τα στοιχεία· η σύνδεση είναι ενεργή.",
    "The provider accepted the credentials; the connection is active.",
  ],
  "flash still invalid": [
    "Ο πάροχος εξακολουθεί να μη δέχεται τα στοιχεία.",
    "The provider still refuses the credentials.",
  ],
  "flash disconnected": ["Η σύνδεση καταργήθηκε.", "The connection was disconnected."],
  "flash enabled": ["Ο παραλήπτης ενεργοποιήθηκε.", "The endpoint was enabled."],
  "flash disabled": ["Ο παραλήπτης απενεργοποιήθηκε.", "The endpoint was disabled."],
  "flash replayed": ["Μπήκαν στην ουρά για αποστολή: {count}.", "Queued for delivery: {count}."],

  "not found": ["Δεν βρέθηκε", "Not found"],
  "not found lead": ["Δεν υπάρχει σε αυτό το περιβάλλον.", "There is no such thing in this mode."],
  "it failed": ["Δεν έγινε", "It was not done"],
  unexpected: [
    "Παρουσιάστηκε σφάλμα. Ο κωδικός του στο αρχείο καταγραφής:",
    "An unexpected error happened. In the log it has the id:",
  ],
} as const;
