/** Messages of the mails of a document. */
import type { Text } from "../../../../src/foundation/text.ts";

export const MAIL_MESSAGES = {
  mails: { en: "Email", el: "Email" },
  noMails: { en: "It was not sent to anybody yet.", el: "Δεν έχει σταλεί ακόμη σε κανέναν." },
  mailedAt: { en: "Time", el: "Ώρα" },
  mailedTo: { en: "To", el: "Προς" },
  mailAddress: { en: "Email address of the recipient", el: "Διεύθυνση email του παραλήπτη" },
  sendPdf: { en: "Send the PDF", el: "Αποστολή του PDF" },
  sendAgain: { en: "Send it again", el: "Αποστολή ξανά" },
  mailFor: (number: string): Text => ({ en: `Email ${number}`, el: `Αποστολή του ${number} με email` }),
  sentBefore: {
    en: "The document was already sent to this address:",
    el: "Το παραστατικό έχει ήδη σταλεί σε αυτή τη διεύθυνση:",
  },
  mailNotConfigured: {
    en: "To send documents by email, set the mail server in the configuration: [mail], see docs/mail.md.",
    el: "Για αποστολή με email ορίστε τον διακομιστή αλληλογραφίας στις ρυθμίσεις: [mail], δείτε το docs/mail.md.",
  },
} as const;
