/** Messages of the form for a new document. */
import type { Text } from "../../../../src/foundation/text.ts";

export const NEW_MESSAGES = {
  newDocument: { en: "New document", el: "Νέο παραστατικό" },
  issueMenu: { en: "Issue", el: "Έκδοση" },
  repeatDocument: { en: "Repeat", el: "Επανέκδοση" },
  chooseMerchant: { en: "Which merchant issues it?", el: "Ποια επιχείρηση το εκδίδει;" },
  otherMerchant: { en: "Choose another", el: "Άλλη επιχείρηση" },
  continue: { en: "Continue", el: "Συνέχεια" },
  noMerchants: {
    en: "There are no merchants yet; `fiscal merchants add` adds one.",
    el: "Δεν υπάρχει ακόμη επιχείρηση· την προσθέτει η `fiscal merchants add`.",
  },
  noTaxNumber: (merchant: string): Text => ({
    en: `${merchant} has no tax number; whoever runs the program must set it first`,
    el: `Η επιχείρηση ${merchant} δεν έχει ΑΦΜ· πρέπει πρώτα να τον ορίσει ο διαχειριστής του προγράμματος`,
  }),
  customerHint: {
    en: "Not for retail. With its country unless Greek: DE129273398. Name and address are filled in if they are known.",
    el: "Όχι στη λιανική. Με τη χώρα του αν δεν είναι ελληνικό: DE129273398. Η επωνυμία και η διεύθυνση συμπληρώνονται αν είναι γνωστές.",
  },
  findCustomer: { en: "Fill in name and address", el: "Συμπλήρωση στοιχείων" },
  notRegistered: {
    en: "The registry does not know this tax number as valid.",
    el: "Το ΑΦΜ του πελάτη δεν είναι έγκυρο στο μητρώο.",
  },
  prices: { en: "Prices are", el: "Οι τιμές είναι" },
  pricesNet: { en: "without VAT", el: "χωρίς ΦΠΑ" },
  pricesGross: { en: "with VAT", el: "με ΦΠΑ" },
  addLine: { en: "Add line", el: "Προσθήκη γραμμής" },
  lineKeys: {
    en: "In a line, Alt+↑ and Alt+↓ move it, and Alt+Enter adds one.",
    el: "Μέσα σε γραμμή, τα Alt+↑ και Alt+↓ τη μετακινούν και το Alt+Enter προσθέτει άλλη.",
  },
  lineMoved: { en: "Moved: it is now line", el: "Μετακινήθηκε: τώρα είναι η γραμμή" },
  moveUp: (line: number): Text => ({ en: `Move line ${line} up`, el: `Γραμμή ${line} προς τα πάνω` }),
  moveDown: (line: number): Text => ({ en: `Move line ${line} down`, el: `Γραμμή ${line} προς τα κάτω` }),
  removeLine: (line: number): Text => ({ en: `Remove line ${line}`, el: `Αφαίρεση γραμμής ${line}` }),
  moreFields: {
    en: "Withheld tax, notes, dates, reference, series, branch",
    el: "Παρακράτηση, παρατηρήσεις, ημερομηνίες, αναφορά, σειρά, εγκατάσταση",
  },
  newPreview: { en: "Preview of the document", el: "Προεπισκόπηση παραστατικού" },
  issueDocument: { en: "Issue document", el: "Έκδοση παραστατικού" },
  newQuestion: (merchant: string, gross: string, day: string): Text => ({
    en: `Issue 1 document of ${gross}, dated ${day}, for ${merchant}? It cannot be undone.`,
    el: `Να εκδοθεί 1 παραστατικό ${gross} με ημερομηνία ${day} για την επιχείρηση ${merchant}; Δεν αναιρείται.`,
  }),
  notIssued: { en: "The document was not issued", el: "Το παραστατικό δεν εκδόθηκε" },
  alreadyIssued: {
    en: "This form has already issued a document with other values. Check that one before you issue another.",
    el: "Η φόρμα αυτή έχει ήδη εκδώσει παραστατικό με άλλα στοιχεία. Ελέγξτε το πριν εκδώσετε άλλο.",
  },
  tooManyLines: {
    en: "It has more lines than the form; `fiscal documents repeat` repeats it.",
    el: "Έχει περισσότερες γραμμές από τη φόρμα· το επαναλαμβάνει η `fiscal documents repeat`.",
  },
  formTaxes: {
    en: "It has taxes besides VAT; this form takes only one that is withheld from the whole net amount.",
    el: "Έχει φόρους πέρα από τον ΦΠΑ· η φόρμα δέχεται μόνο έναν που παρακρατείται από όλη την καθαρή αξία.",
  },
  correction: { en: "Its correction", el: "Η διόρθωσή του" },
  correctDocument: { en: "Correct and issue again", el: "Διόρθωση και νέα έκδοση" },
  otherPayments: { en: "Paid in several ways", el: "Περισσότεροι τρόποι πληρωμής" },
  otherPaymentsHint: {
    en: "The payment above is what these leave of the whole amount.",
    el: "Η πληρωμή παραπάνω είναι για όσο μένει από το σύνολο μετά από αυτές.",
  },
  paymentNumber: (number: string): Text => ({ en: `Payment ${number}`, el: `Πληρωμή ${number}` }),
  paidNumber: (number: string): Text => ({ en: `Amount ${number}`, el: `Ποσό ${number}` }),
  paidTooMuch: {
    en: "the other payments are more than the whole amount",
    el: "οι άλλες πληρωμές ξεπερνούν το σύνολο",
  },
  formKept: { en: "Your entries are kept", el: "Όσα γράψατε διατηρούνται" },
  signInElsewhere: { en: "Sign in in a new tab", el: "Είσοδος σε νέα καρτέλα" },
  keptSignedOut: {
    en: "Your session has ended, and nothing was issued or sent. Sign in in a new tab, then continue here: the form comes back as you filled it in.",
    el: "Η είσοδός σας έληξε και δεν εκδόθηκε ούτε στάλθηκε τίποτα. Μπείτε ξανά σε νέα καρτέλα και μετά συνεχίστε εδώ: η φόρμα επιστρέφει όπως τη συμπληρώσατε.",
  },
  keptSignedIn: {
    en: "You have signed in again since this form was opened, and nothing was issued or sent. Continue: the form comes back as you filled it in.",
    el: "Μπήκατε ξανά αφότου ανοίξατε τη φόρμα και δεν εκδόθηκε ούτε στάλθηκε τίποτα. Συνεχίστε: η φόρμα επιστρέφει όπως τη συμπληρώσατε.",
  },
} as const;
