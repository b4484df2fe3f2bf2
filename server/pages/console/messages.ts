/** The console's messages in both languages, and how a page picks its own. */
import type { Text } from "../../../src/foundation/text.ts";
import type { Language } from "../language.ts";
import { CREDIT_MESSAGES } from "./messages/credit-messages.ts";
import { DOCUMENT_MESSAGES } from "./messages/document-messages.ts";
import { NEW_MESSAGES } from "./messages/new-messages.ts";
import { FRAME_MESSAGES } from "./messages/frame-messages.ts";
import { REPORT_MESSAGES } from "./messages/report-messages.ts";
import { UPLOAD_MESSAGES } from "./messages/upload-messages.ts";
import { RESOURCE_MESSAGES } from "./messages/resource-messages.ts";

/** Messages of the mails of a document. */
const MAIL_MESSAGES = {
  mails: { en: "Email", el: "Email" },
  noMails: { en: "It was not sent to anybody yet.", el: "Δεν έχει σταλεί ακόμη σε κανέναν." },
  mailedAt: { en: "Time", el: "Ώρα" },
  mailedTo: { en: "To", el: "Προς" },
  mailAddress: { en: "Email address of the recipient", el: "Διεύθυνση email του παραλήπτη" },
  sendPdfs: { en: "Send the PDFs", el: "Αποστολή των PDF" },
  noAddress: {
    en: "No address is known: send one document to this customer first.",
    el: "Δεν υπάρχει γνωστή διεύθυνση: στείλτε πρώτα ένα παραστατικό σε αυτόν τον πελάτη.",
  },
  onlyIssuedMailed: { en: "Only issued documents are mailed.", el: "Στέλνονται μόνο όσα εκδόθηκαν." },
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

export const TEXTS = {
  ...FRAME_MESSAGES,
  ...DOCUMENT_MESSAGES,
  ...CREDIT_MESSAGES,
  ...MAIL_MESSAGES,
  ...REPORT_MESSAGES,
  ...NEW_MESSAGES,
  ...RESOURCE_MESSAGES,
  ...UPLOAD_MESSAGES,
} as const;

/** `text` in the visitor's language. */
export type Translate = (text: Text) => string;

export function translateTo(language: Language): Translate {
  return (text) => text[language];
}
