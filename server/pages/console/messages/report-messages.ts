/** Messages of the reports page. */
import type { Text } from "../../../../src/foundation/text.ts";

export const REPORT_MESSAGES = {
  reports: { en: "Reports", el: "Αναφορές" },
  thisMonth: { en: "this month", el: "αυτός ο μήνας" },
  lastMonth: { en: "last month", el: "ο προηγούμενος μήνας" },
  thisQuarter: { en: "this quarter", el: "αυτό το τρίμηνο" },
  lastQuarter: { en: "last quarter", el: "το προηγούμενο τρίμηνο" },
  thisYear: { en: "this year", el: "αυτό το έτος" },
  periods: { en: "Periods", el: "Διαστήματα" },
  endBeforeStart: { en: "is before the first day", el: "είναι πριν από την πρώτη ημέρα" },
  periodTooLong: (months: number): Text => ({
    en: `must be at most ${months} months after the first day; use \`fiscal reports\` for longer periods`,
    el: `πρέπει να απέχει το πολύ ${months} μήνες από την πρώτη ημέρα· για μεγαλύτερα διαστήματα υπάρχει η \`fiscal reports\``,
  }),
  nothingIssued: {
    en: "No issued documents in this period.",
    el: "Δεν υπάρχουν παραστατικά που εκδόθηκαν σε αυτό το διάστημα.",
  },
  reportNote: {
    en: "In euro, by issue date. Credit notes are negative; cancelled documents are not included. Have an accountant check the boxes of exempt sales.",
    el: "Σε ευρώ, με την ημερομηνία έκδοσης. Τα πιστωτικά είναι αρνητικά, τα ακυρωμένα δεν μετρούν. Τους κωδικούς των απαλλασσόμενων να τους ελέγξει λογιστής.",
  },
  issuedCount: { en: "Issued", el: "Εκδόθηκαν" },
  waitingCount: { en: "Waiting", el: "Εκκρεμούν" },
  failedCount: { en: "failed", el: "απέτυχαν" },
  rejectedCount: { en: "Rejected", el: "Απορρίφθηκαν" },
  reconciled: { en: "Reconciled", el: "Συμφωνία" },
  booksClosedHead: { en: "Closed", el: "Έκλεισε" },
  vatReturn: { en: "VAT return due", el: "Δήλωση ΦΠΑ έως" },
  moreMerchants: {
    en: "Only the first merchants are shown; `fiscal reports overview` shows all.",
    el: "Φαίνονται μόνο οι πρώτες επιχειρήσεις· όλες δείχνει η `fiscal reports overview`.",
  },
  books: { en: "Closed books", el: "Κλείσιμο βιβλίων" },
  booksOpen: (merchant: string): Text => ({
    en: `The books of ${merchant} are open.`,
    el: `Τα βιβλία της ${merchant} είναι ανοιχτά.`,
  }),
  booksClosed: (merchant: string, day: string): Text => ({
    en: `The books of ${merchant} are closed until ${day}.`,
    el: `Τα βιβλία της ${merchant} έχουν κλείσει έως ${day}.`,
  }),
  booksHint: {
    en: "Documents dated on a closed day are refused.",
    el: "Παραστατικά με ημερομηνία που έχει κλείσει δεν γίνονται δεκτά.",
  },
  closeBooks: (day: string): Text => ({
    en: `Close the books until ${day}`,
    el: `Κλείσιμο βιβλίων έως ${day}`,
  }),
  reopenBooks: { en: "Reopen the books", el: "Άνοιγμα βιβλίων" },
  vatReport: { en: "VAT", el: "ΦΠΑ" },
  incomeReport: { en: "Income classifications (Ε3)", el: "Χαρακτηρισμοί εσόδων (Ε3)" },
  vatByMonth: { en: "VAT by month and rate", el: "ΦΠΑ ανά μήνα και συντελεστή" },
  vatByMonthSummary: (total: string, most: string, month: string): Text => ({
    en: `${total} in total; the most in ${month}: ${most}.`,
    el: `${total} συνολικά· τα περισσότερα: ${most} (${month}).`,
  }),
  month: { en: "Month", el: "Μήνας" },
  total: { en: "Total", el: "Σύνολο" },
  download: { en: "Download", el: "Λήψη" },
  pdfFiles: { en: "All PDFs as a ZIP", el: "Όλα τα PDF σε ZIP" },
  vatFile: { en: "VAT as Excel", el: "ΦΠΑ σε Excel" },
  vatCsv: { en: "VAT as CSV", el: "ΦΠΑ σε CSV" },
  incomeFile: { en: "Income as Excel", el: "Έσοδα σε Excel" },
  incomeCsv: { en: "Income as CSV", el: "Έσοδα σε CSV" },
} as const;
