/** Messages shown after an action, on the page that the action leads to. */
import type { Text } from "../../../../src/foundation/text.ts";
import { formatCount } from "../format.ts";

export const FLASH_MESSAGES = {
  signedIn: { en: "You are signed in.", el: "Μπήκατε στην κονσόλα." },
  saved: { en: "It was saved.", el: "Αποθηκεύτηκε." },
  revoked: { en: "The key was revoked.", el: "Το κλειδί καταργήθηκε." },
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
  retried: { en: "The document was queued again.", el: "Το παραστατικό μπήκε ξανά στην ουρά." },
  noneChosen: { en: "No document was chosen.", el: "Δεν επιλέξατε κανένα παραστατικό." },
  retriedSeveral: (count: number): Text => ({
    en: `Failed documents queued again: ${formatCount("en", count)}.`,
    el: `Αποτυχημένα που μπήκαν ξανά στην ουρά: ${formatCount("el", count)}.`,
  }),
  cancelled: { en: "The document was cancelled.", el: "Το παραστατικό ακυρώθηκε." },
  accepted: {
    en: "The document was accepted and is being issued: its MARK and PDF appear on this page.",
    el: "Το παραστατικό έγινε δεκτό και εκδίδεται: το ΜΑΡΚ και το PDF του εμφανίζονται σε αυτή τη σελίδα.",
  },
  credited: {
    en: "The credit note was accepted and is being issued.",
    el: "Το πιστωτικό έγινε δεκτό και εκδίδεται.",
  },
  mailQueued: {
    en: "The mail is being sent. The list of mails shows when it is.",
    el: "Το email στέλνεται. Θα φανεί στη λίστα των email μόλις σταλεί.",
  },
  verified: {
    en: "The provider accepted the credentials; the connection is active.",
    el: "Ο πάροχος δέχτηκε τα στοιχεία· η σύνδεση είναι ενεργή.",
  },
  stillInvalid: {
    en: "The provider still refuses the credentials.",
    el: "Ο πάροχος εξακολουθεί να μη δέχεται τα στοιχεία.",
  },
  booksClosed: {
    en: "The books are closed: documents of these days are refused.",
    el: "Τα βιβλία έκλεισαν: παραστατικά αυτών των ημερών δεν γίνονται δεκτά.",
  },
  booksReopened: { en: "The books are open again.", el: "Τα βιβλία άνοιξαν πάλι." },
  disconnected: { en: "The connection was disconnected.", el: "Η σύνδεση αποσυνδέθηκε." },
  enabled: { en: "The endpoint was enabled.", el: "Ο παραλήπτης ενεργοποιήθηκε." },
  disabled: { en: "The endpoint was disabled.", el: "Ο παραλήπτης απενεργοποιήθηκε." },
  replayed: (count: number): Text => ({
    en: `Queued for delivery: ${formatCount("en", count)}.`,
    el: `Μπήκαν στην ουρά για αποστολή: ${formatCount("el", count)}.`,
  }),
} as const;

export type FlashCode = keyof typeof FLASH_MESSAGES;

export function isFlashCode(code: string): code is FlashCode {
  return Object.hasOwn(FLASH_MESSAGES, code);
}
