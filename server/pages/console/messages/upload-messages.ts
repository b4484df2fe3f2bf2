/** Messages of the upload of a file of documents. */
import { joinTexts, type Text } from "../../../../src/foundation/text.ts";

export const UPLOAD_MESSAGES = {
  upload: { en: "Upload", el: "Μεταφόρτωση" },
  uploadTitle: { en: "Upload a file of documents", el: "Μεταφόρτωση αρχείου παραστατικών" },
  uploadNote: {
    en: "A CSV file or a workbook (.xlsx). It is shown as it was read first; nothing is issued yet. The server keeps the file in memory for at most an hour.",
    el: "Αρχείο CSV ή βιβλίο εργασίας (.xlsx). Πρώτα φαίνεται όπως διαβάστηκε· δεν εκδίδεται ακόμη τίποτα. Ο διακομιστής κρατά το αρχείο στη μνήμη το πολύ μία ώρα.",
  },
  uploadMerchant: { en: "Merchant", el: "Επιχείρηση" },
  uploadFile: { en: "File", el: "Αρχείο" },
  uploadRead: { en: "Read the file", el: "Ανάγνωση αρχείου" },
  uploadNoFile: {
    en: "Choose a file that ends in .csv or .xlsx",
    el: "Επιλέξτε αρχείο που τελειώνει σε .csv ή .xlsx",
  },
  uploadNoMerchant: { en: "Choose a merchant", el: "Επιλέξτε επιχείρηση" },
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
  uploadReference: { en: "Reference", el: "Αναφορά" },
  uploadResult: { en: "Result", el: "Αποτέλεσμα" },
  uploadValid: { en: "valid", el: "χωρίς σφάλματα" },
  uploadInvalid: { en: "not valid", el: "με σφάλματα" },
  uploadCounts: (valid: string, invalid: string): Text => ({
    en: `Can be issued: ${valid}. With errors: ${invalid}.`,
    el: `Μπορούν να εκδοθούν: ${valid}. Με σφάλματα: ${invalid}.`,
  }),
  uploadDates: { en: "Issue dates", el: "Ημερομηνίες έκδοσης" },
  uploadConfirm: (merchant: string, documents: Text, { sum, days }: { sum: string; days: string }): Text => ({
    en: `Yes, issue ${documents.en} of ${merchant} with a sum of ${sum}, dated ${days}. A tax document cannot be unsent.`,
    el: `Ναι, να γίνει έκδοση για ${documents.el} της ${merchant} με σύνολο ${sum} και ημερομηνία ${days}. Ένα παραστατικό που στάλθηκε δεν παίρνεται πίσω.`,
  }),
  uploadDocumentCount: (count: number, shown: string): Text => ({
    en: count === 1 ? "1 document" : `${shown} documents`,
    el: count === 1 ? "1 παραστατικό" : `${shown} παραστατικά`,
  }),
  uploadNotConfirmed: { en: "Confirm before issuing", el: "Επιβεβαιώστε πριν από την έκδοση" },
  uploadIssue: ({ en, el }: Text): Text => ({ en: `Issue ${en}`, el: `Έκδοση: ${el}` }),
  uploadOther: { en: "Upload another file", el: "Άλλο αρχείο" },
  uploadTooMany: (count: string): Text => ({
    en: `The file has more than ${count} documents. Larger files are issued on the command line: fiscal documents issue`,
    el: `Το αρχείο έχει πάνω από ${count} παραστατικά. Τα μεγαλύτερα εκδίδονται από τη γραμμή εντολών: fiscal documents issue`,
  }),
  uploadTooLarge: {
    en: "The file is larger than 8 MB. Larger files are issued on the command line: fiscal documents issue",
    el: "Το αρχείο είναι μεγαλύτερο από 8 MB. Τα μεγαλύτερα εκδίδονται από τη γραμμή εντολών: fiscal documents issue",
  },
  uploadProgress: (done: string, count: string): Text => ({
    en: `Finished: ${done} of ${count}.`,
    el: `Ολοκληρώθηκαν: ${done} από ${count}.`,
  }),
  uploadRefresh: { en: "Refresh", el: "Ανανέωση" },
  uploadReport: { en: "Download the report (CSV)", el: "Λήψη αναφοράς (CSV)" },
  uploadNotIssued: { en: "No document was issued", el: "Δεν εκδόθηκε κανένα παραστατικό" },
  uploadBefore: { en: "was accepted before", el: "έγινε δεκτό από πριν" },
} as const;
