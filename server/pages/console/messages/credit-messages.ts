/** Messages of the form that credits a document. */
import type { Text } from "../../../../src/foundation/text.ts";

export const CREDIT_MESSAGES = {
  issueCreditNote: { en: "Issue credit note", el: "Έκδοση πιστωτικού" },
  creditNoteFor: (number: string): Text => ({
    en: `Credit note for ${number}`,
    el: `Πιστωτικό για το ${number}`,
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
  creditPreview: { en: "Preview of the credit note", el: "Προεπισκόπηση πιστωτικού" },
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
  notReserved: (number: string): Text => ({
    en: `${number}, not reserved`,
    el: `${number}, χωρίς δέσμευση`,
  }),
  givenByProvider: { en: "assigned by the provider", el: "τον δίνει ο πάροχος" },
  creditQuestion: (merchant: string, gross: string, day: string): Text => ({
    en: `Issue this credit note of ${gross}, dated ${day}, for ${merchant}? It cannot be undone.`,
    el: `Να εκδοθεί αυτό το πιστωτικό ${gross} με ημερομηνία ${day} για την επιχείρηση ${merchant}; Δεν αναιρείται.`,
  }),
  creditNotIssued: { en: "The credit note was not issued", el: "Το πιστωτικό δεν εκδόθηκε" },
  checkFields: { en: "Check these fields:", el: "Ελέγξτε αυτά τα πεδία:" },
  quantityMistake: {
    en: "must be a number with up to three decimals, such as 2 or 1.5",
    el: "πρέπει να είναι αριθμός με έως τρία δεκαδικά, όπως 2 ή 1,5",
  },
  everyLineLeftOut: {
    en: "Every line is left out, so there is nothing to credit.",
    el: "Όλες οι γραμμές έμειναν έξω, οπότε δεν υπάρχει τίποτα για πίστωση.",
  },
  alreadyCredited: {
    en: "This form has already issued a credit note. Check that one before you issue another.",
    el: "Η φόρμα αυτή έχει ήδη εκδώσει πιστωτικό. Ελέγξτε το πριν εκδώσετε άλλο.",
  },
} as const;
