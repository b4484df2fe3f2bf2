/** Messages of what issues documents: the form for a new one, the form that credits one, and the upload of a file. */
import { joinTexts, type Text } from "../../../../src/foundation/text.ts";

export const FORM_MESSAGES = {
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
  issueDocument: { en: "Issue document", el: "Έκδοση παραστατικού" },
  issueQuestion: (merchant: string, gross: Text, day: Text): Text => ({
    en: `Issue 1 document of ${gross.en}, dated ${day.en}, for ${merchant}? It cannot be undone.`,
    el: `Να εκδοθεί 1 παραστατικό ${gross.el} με ημερομηνία ${day.el} για την επιχείρηση ${merchant}; Δεν αναιρείται.`,
  }),
  notIssued: { en: "Nothing was issued", el: "Δεν εκδόθηκε τίποτα" },
  alreadyIssued: {
    en: "This form has already issued a document. Check that one before you issue another.",
    el: "Η φόρμα αυτή έχει ήδη εκδώσει παραστατικό. Ελέγξτε το πριν εκδώσετε άλλο.",
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
  keptNote: {
    en: "The session of this form has ended, and nothing was issued or sent. Sign in in a new tab unless you have, then continue here: the form comes back as you filled it in.",
    el: "Η είσοδος με την οποία ανοίξατε τη φόρμα έληξε και δεν εκδόθηκε ούτε στάλθηκε τίποτα. Μπείτε ξανά σε νέα καρτέλα, αν δεν το έχετε κάνει, και συνεχίστε εδώ: η φόρμα επιστρέφει όπως τη συμπληρώσατε.",
  },
  keptWithoutFile: { en: "The file is chosen again there.", el: "Το αρχείο το επιλέγετε εκεί ξανά." },

  issueCreditNote: { en: "Issue credit note", el: "Έκδοση πιστωτικού" },
  creditNoteFor: (number: Text): Text => ({
    en: `Credit note for ${number.en}`,
    el: `Πιστωτικό για το ${number.el}`,
  }),
  creditElsewhere: {
    en: "Credit an invoice of another program",
    el: "Πίστωση τιμολογίου άλλου προγράμματος",
  },
  creditElsewhereNote: {
    en: "For an invoice that was not issued here. Its lines are read from the tax authority; nothing is issued yet.",
    el: "Για τιμολόγιο που δεν εκδόθηκε εδώ. Οι γραμμές του διαβάζονται από την ΑΑΔΕ· δεν εκδίδεται ακόμη τίποτα.",
  },
  readLines: { en: "Read the lines", el: "Ανάγνωση γραμμών" },
  line: { en: "Line", el: "Γραμμή" },
  lineNumber: (line: number): Text => ({ en: `Line ${line}`, el: `Γραμμή ${line}` }),
  quantityLeft: { en: "Quantity left", el: "Ποσότητα που απομένει" },
  netLeft: { en: "Net left", el: "Καθαρή αξία που απομένει" },
  quantityToCredit: { en: "Quantity to credit", el: "Ποσότητα προς πίστωση" },
  quantityOfLine: (line: number): Text => ({
    en: `Quantity to credit of line ${line}`,
    el: `Ποσότητα προς πίστωση, γραμμή ${line}`,
  }),
  quantityHint: {
    en: "Leave a field empty to credit all that is left of the line. Enter 0 to leave the line out.",
    el: "Αφήστε κενό το πεδίο για να πιστωθεί ό,τι απομένει από τη γραμμή. Γράψτε 0 για να μην πιστωθεί η γραμμή.",
  },
  creditedInFull: { en: "credited in full", el: "πιστώθηκε ολόκληρη" },
  preview: { en: "Preview", el: "Προεπισκόπηση" },
  change: { en: "Change", el: "Αλλαγή" },
  creditedDocument: { en: "Credited document", el: "Παραστατικό που πιστώνεται" },
  checkFields: { en: "Check these fields:", el: "Ελέγξτε αυτά τα πεδία:" },
  quantityMistake: {
    en: "must be a number with up to three decimals, such as 2 or 1.5",
    el: "πρέπει να είναι αριθμός με έως τρία δεκαδικά, όπως 2 ή 1,5",
  },
  everyLineLeftOut: {
    en: "Every line is left out, so there is nothing to credit.",
    el: "Όλες οι γραμμές έμειναν έξω, οπότε δεν υπάρχει τίποτα για πίστωση.",
  },

  upload: { en: "Upload", el: "Μεταφόρτωση" },
  uploadTitle: { en: "Upload a file of documents", el: "Μεταφόρτωση αρχείου παραστατικών" },
  uploadNote: {
    en: "A CSV file or a workbook (.xlsx). It is shown as it was read first; nothing is issued yet. The server keeps the file in memory for at most an hour.",
    el: "Αρχείο CSV ή βιβλίο εργασίας (.xlsx). Πρώτα φαίνεται όπως διαβάστηκε· δεν εκδίδεται ακόμη τίποτα. Ο διακομιστής κρατά το αρχείο στη μνήμη το πολύ μία ώρα.",
  },
  uploadFile: { en: "File", el: "Αρχείο" },
  uploadRead: { en: "Read the file", el: "Ανάγνωση αρχείου" },
  uploadNoFile: {
    en: "Choose a file that ends in .csv or .xlsx",
    el: "Επιλέξτε αρχείο που τελειώνει σε .csv ή .xlsx",
  },
  uploadGone: {
    en: "This upload is no longer kept: an hour has passed, later ones replaced it, or the server was started again. Choose the file again; nothing is issued twice.",
    el: "Αυτή η μεταφόρτωση δεν κρατείται πια: πέρασε μία ώρα, την αντικατέστησαν νεότερες ή ο διακομιστής ξεκίνησε ξανά. Επιλέξτε πάλι το αρχείο· τίποτα δεν εκδίδεται δύο φορές.",
  },
  uploadKept: { en: "Kept here until", el: "Κρατείται εδώ έως" },
  uploadForm: { en: "Form", el: "Μορφή" },
  uploadWorkbook: { en: "workbook", el: "βιβλίο εργασίας" },
  uploadColumns: { en: "Columns", el: "Στήλες" },
  uploadColumnsNote: {
    en: "The file has columns with other names. Choose what each means; the choice is remembered for the merchant.",
    el: "Το αρχείο έχει στήλες με άλλα ονόματα. Επιλέξτε τι σημαίνει η καθεμία· η επιλογή κρατείται για την επιχείρηση.",
  },
  uploadColumn: { en: "Column of the file", el: "Στήλη του αρχείου" },
  uploadExamples: { en: "First values", el: "Πρώτες τιμές" },
  uploadMeaning: { en: "Meaning", el: "Σημασία" },
  uploadLeaveOut: { en: "nothing: leave it out", el: "τίποτα: παραλείπεται" },
  uploadAllTypes: { en: "Type of all documents", el: "Τύπος όλων των παραστατικών" },
  uploadAllRates: { en: "VAT rate of all lines", el: "Συντελεστής ΦΠΑ όλων των γραμμών" },
  uploadRemember: { en: "Read the file like this", el: "Ανάγνωση με αυτές τις στήλες" },
  uploadForget: { en: "Choose the columns again", el: "Νέα επιλογή στηλών" },
  uploadTwice: { en: "Two columns have the same meaning", el: "Δύο στήλες έχουν την ίδια σημασία" },
  uploadMissing: (columns: readonly Text[]): Text => {
    const { en, el } = joinTexts(columns, ", ");
    return { en: `Choose the column of: ${en}`, el: `Επιλέξτε τη στήλη για: ${el}` };
  },
  uploadDocuments: { en: "Documents of the file", el: "Παραστατικά του αρχείου" },
  uploadPlace: { en: "Place", el: "Θέση" },
  uploadResult: { en: "Result", el: "Αποτέλεσμα" },
  uploadValid: { en: "valid", el: "χωρίς σφάλματα" },
  uploadCounts: (valid: Text, invalid: Text): Text => ({
    en: `Can be issued: ${valid.en}. With errors: ${invalid.en}.`,
    el: `Μπορούν να εκδοθούν: ${valid.el}. Με σφάλματα: ${invalid.el}.`,
  }),
  uploadDates: { en: "Issue dates", el: "Ημερομηνίες έκδοσης" },
  uploadConfirm: (merchant: string, documents: Text, { sum, days }: Record<"sum" | "days", Text>): Text => ({
    en: `Yes, issue ${documents.en} of ${merchant} with a sum of ${sum.en}, dated ${days.en}. A tax document cannot be unsent.`,
    el: `Ναι, να γίνει έκδοση για ${documents.el} της ${merchant} με σύνολο ${sum.el} και ημερομηνία ${days.el}. Ένα παραστατικό που στάλθηκε δεν παίρνεται πίσω.`,
  }),
  uploadDocumentCount: (count: number, shown: Text): Text => ({
    en: count === 1 ? "1 document" : `${shown.en} documents`,
    el: count === 1 ? "1 παραστατικό" : `${shown.el} παραστατικά`,
  }),
  uploadChanged: {
    en: "Nothing was issued, because the documents are no longer as your page showed them. Check them again: this is how they are read now.",
    el: "Δεν εκδόθηκε τίποτα, επειδή τα παραστατικά δεν είναι πια όπως τα έδειχνε η σελίδα σας. Ελέγξτε τα ξανά: έτσι διαβάζονται τώρα.",
  },
  uploadNotConfirmed: { en: "Confirm before issuing", el: "Επιβεβαιώστε πριν από την έκδοση" },
  uploadIssue: ({ en, el }: Text): Text => ({ en: `Issue ${en}`, el: `Έκδοση: ${el}` }),
  uploadOther: { en: "Upload another file", el: "Άλλο αρχείο" },
  uploadTooLarge: {
    en: "The file has more than 8 MB or 2,000 documents. Larger files are issued on the command line: fiscal documents issue",
    el: "Το αρχείο έχει πάνω από 8 MB ή 2.000 παραστατικά. Τα μεγαλύτερα εκδίδονται από τη γραμμή εντολών: fiscal documents issue",
  },
  uploadProgress: (done: Text, count: Text): Text => ({
    en: `Finished: ${done.en} of ${count.en}.`,
    el: `Ολοκληρώθηκαν: ${done.el} από ${count.el}.`,
  }),
  uploadRefused: (count: Text): Text => ({
    en: `Not issued: ${count.en}, for the reasons below. Once they are corrected, in the file or in what changed since it was shown (a merchant was archived, books were closed), upload the file again: nothing is issued twice.`,
    el: `Δεν εκδόθηκαν: ${count.el}, για τους λόγους που φαίνονται παρακάτω. Μόλις διορθωθούν, στο αρχείο ή σε ό,τι άλλαξε αφότου εμφανίστηκε (η επιχείρηση αρχειοθετήθηκε, τα βιβλία έκλεισαν), ανεβάστε ξανά το αρχείο: τίποτα δεν εκδίδεται δύο φορές.`,
  }),
  uploadReport: { en: "Download the report (CSV)", el: "Λήψη αναφοράς (CSV)" },
  uploadBefore: { en: "was accepted before", el: "έγινε δεκτό από πριν" },
} as const;
