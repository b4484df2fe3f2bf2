/** Says what a person can do about each of the authority's error codes (docs/authority.md#error-codes, docs/authority.md#error-classes). */
import type { Text } from "../foundation/text.ts";
import { meaningOf, verdictOf } from "./authority-codes.ts";

interface Step {
  codes: readonly string[];
  text: Text;
}

const STEPS: readonly Step[] = [
  {
    codes: ["102", "202"],
    text: {
      en: "If it is the merchant's own tax number, correct the merchant. Otherwise ask the customer for the correct one, and check it before you issue the document again.",
      el: "Αν είναι το ΑΦΜ της ίδιας της επιχείρησης, διορθώστε την επιχείρηση. Αλλιώς ζητήστε από τον πελάτη το σωστό, και ελέγξτε το πριν εκδώσετε ξανά το παραστατικό.",
      next: { operation: "lookUpTaxId" },
    },
  },
  {
    codes: ["104", "301", "252"],
    text: {
      en: "Check the MARK that the document refers to: it must be that of an invoice of the same business that is not cancelled.",
      el: "Ελέγξτε το ΜΑΡΚ στο οποίο αναφέρεται το παραστατικό: πρέπει να είναι τιμολογίου της ίδιας επιχείρησης που δεν έχει ακυρωθεί.",
    },
  },
  {
    // The authority's document words it as an error of a line's classification (docs/authority.md#unsure-codes).
    codes: ["330"],
    text: {
      en: "Check the income classification of the lines; if it is right, issue the document again later. The authority's own words are in the log of calls.",
      el: "Ελέγξτε τον χαρακτηρισμό εσόδων των γραμμών· αν είναι σωστός, εκδώστε ξανά το παραστατικό αργότερα. Τι ακριβώς απάντησε η ΑΑΔΕ το δείχνει το αρχείο κλήσεων.",
      next: { operation: "listCalls" },
    },
  },
  {
    codes: ["323"],
    text: {
      en: "Ask the accountant of the business whether it must use a licensed provider or the authority's own application, then connect that provider.",
      el: "Ρωτήστε τον λογιστή της επιχείρησης αν πρέπει να χρησιμοποιεί πάροχο ή την εφαρμογή της ΑΑΔΕ, και συνδέστε τον πάροχο.",
      next: { operation: "createConnection" },
    },
  },
  {
    codes: ["105", "245"],
    text: {
      en: "The merchant gives the account the right at the authority's site. Its documents wait until you then verify the connection.",
      el: "Η επιχείρηση δίνει στον λογαριασμό το δικαίωμα στην ΑΑΔΕ. Τα παραστατικά της περιμένουν ώσπου να επαληθεύσετε μετά τη σύνδεση.",
      next: { operation: "verifyConnection" },
    },
  },
  {
    codes: ["201"],
    text: {
      en: "Check the user name and the subscription key. The documents wait until you then verify the connection.",
      el: "Ελέγξτε το όνομα χρήστη και το κλειδί συνδρομής. Τα παραστατικά περιμένουν ώσπου να επαληθεύσετε μετά τη σύνδεση.",
      next: { operation: "verifyConnection" },
    },
  },
  {
    codes: ["215", "216", "217", "218", "234", "271"],
    text: {
      en: "Check the VAT category of each line and, on lines without VAT, the exemption cause; then issue the document again.",
      el: "Ελέγξτε την κατηγορία ΦΠΑ κάθε γραμμής και, στις γραμμές χωρίς ΦΠΑ, την αιτία εξαίρεσης· μετά εκδώστε ξανά το παραστατικό.",
    },
  },
  {
    codes: ["235", "242", "243", "244", "287"],
    text: {
      en: "Check the customer's country and tax number: they decide which type of invoice the authority expects.",
      el: "Ελέγξτε τη χώρα και το ΑΦΜ του πελάτη: από αυτά εξαρτάται ο τύπος τιμολογίου που περιμένει η ΑΑΔΕ.",
    },
  },
  {
    codes: ["237", "239", "240", "241"],
    text: {
      en: "Correct the taxes: neither a base nor a tax may exceed the net total, nor a tax its base; then issue the document again.",
      el: "Διορθώστε τους φόρους: ούτε η υποκείμενη αξία ούτε ο φόρος ξεπερνά τη συνολική καθαρή αξία, ούτε ο φόρος την υποκείμενη αξία του· μετά εκδώστε ξανά το παραστατικό.",
    },
  },
  {
    codes: ["238", "253", "260"],
    text: {
      en: "Issue the document again with a date that the authority accepts, usually today's.",
      el: "Εκδώστε ξανά το παραστατικό με ημερομηνία που δέχεται η ΑΑΔΕ, συνήθως τη σημερινή.",
    },
  },
  {
    codes: ["249", "250", "257"],
    text: {
      en: "It cannot be cancelled: issue a credit note for it instead (5.1 for an invoice, 11.4 for a retail receipt).",
      el: "Δεν ακυρώνεται: εκδώστε για αυτό πιστωτικό (5.1 για τιμολόγιο, 11.4 για απόδειξη λιανικής).",
    },
  },
  {
    codes: ["248", "251", "279"],
    text: {
      en: "Nothing is left to cancel here. Look at the document in the authority's records.",
      el: "Δεν μένει κάτι να ακυρωθεί εδώ. Δείτε το παραστατικό στα βιβλία της ΑΑΔΕ.",
    },
  },
  {
    codes: ["255"],
    text: {
      en: "Cancel the document that refers to it first.",
      el: "Ακυρώστε πρώτα το παραστατικό που αναφέρεται σε αυτό.",
    },
  },
  {
    codes: ["304", "305", "306", "307", "308", "309", "313", "331"],
    text: {
      en: "Choose another income classification for the lines (income_category, income_type), or correct the default in the merchant's settings. A preview shows which one applies.",
      el: "Επιλέξτε άλλον χαρακτηρισμό εσόδων για τις γραμμές (income_category, income_type), ή διορθώστε την προεπιλογή στις ρυθμίσεις της επιχείρησης. Ποιος ισχύει το δείχνει η προεπισκόπηση.",
      next: { operation: "previewDocument" },
    },
  },
  {
    codes: ["318", "319", "320", "322"],
    text: {
      en: "Compare the credit note with the invoice that it credits: the customer must be the same, and all credits together must not exceed its net amount.",
      el: "Συγκρίνετε το πιστωτικό με το τιμολόγιο που πιστώνει: ο πελάτης πρέπει να είναι ο ίδιος και όλα τα πιστωτικά μαζί να μην ξεπερνούν την καθαρή αξία του.",
    },
  },
  {
    codes: ["262"],
    text: {
      en: "Shorten the longest texts of the document, such as names, addresses and descriptions, and issue it again.",
      el: "Συντομεύστε τα πιο μεγάλα κείμενα του παραστατικού, όπως επωνυμίες, διευθύνσεις και περιγραφές, και εκδώστε το ξανά.",
    },
  },
  {
    codes: ["407"],
    text: {
      en: "Correct the payments: together they must equal the total.",
      el: "Διορθώστε τις πληρωμές: μαζί πρέπει να ισούνται με το σύνολο.",
    },
  },
];

const STEP_OF: ReadonlyMap<string, Text> = new Map(
  STEPS.flatMap(({ codes, text }) => codes.map((code) => [code, text] as const)),
);

/** fiscal looks such documents up by itself. */
const LOOKED_UP: Text = {
  en: "Nothing: the document may be registered, so fiscal looks it up before it sends anything again. The document shows how it ended.",
  el: "Τίποτα: το παραστατικό ίσως έχει καταχωριστεί, γι' αυτό το fiscal το αναζητά πριν ξαναστείλει οτιδήποτε. Πώς τελείωσε το δείχνει το παραστατικό.",
  next: { operation: "getDocument" },
};

/** fiscal computes these values itself, so a user can hardly cause such a refusal. */
export const LOOK_AT_CALL: Text = {
  en: "fiscal builds this part of the document itself, so this may be a defect. Report it, with what was sent and the authority's own words from the log of calls.",
  el: "Αυτό το μέρος του παραστατικού το φτιάχνει το ίδιο το fiscal, άρα ίσως είναι σφάλμα του. Αναφέρετέ το, μαζί με ό,τι στάλθηκε και απάντησε η ΑΑΔΕ από το αρχείο κλήσεων.",
  next: { operation: "listCalls" },
};

export interface ExplainedCode {
  code: string;
  /** A sentence without a full stop, in lower case. */
  meaning: Text;
  /** What to do next. */
  next: Text;
}

/** Undefined for a code whose meaning is not known. */
export function explainCode(code: string): ExplainedCode | undefined {
  const meaning = meaningOf(code);
  if (meaning === undefined) return undefined;
  const verdict = verdictOf(code, null);
  const isLookedUp = verdict === "technical" || verdict === "registered";
  return { code, meaning, next: STEP_OF.get(code) ?? (isLookedUp ? LOOKED_UP : LOOK_AT_CALL) };
}
