/**
 * The authority's error codes: what each means in our own words, whether it is a verdict on the document, and what a person can do
 * (docs/authority.md#error-codes, docs/authority.md#error-classes). The authority's own messages are shown next to ours but, with one
 * exception, never matched, because they are Greek and change.
 */
import type { Text } from "../foundation/text.ts";

/**
 * - `refused`: the document, or the cancellation, was read and rejected for good.
 * - `credentials`: the account may not act for this tax number. Nothing is registered.
 * - `registered`: the uid is already known, so a lookup must show what is registered under it.
 * - `technical`: the authority failed, and the document may be registered.
 */
export type Verdict = "refused" | "credentials" | "registered" | "technical";

/** Rejects a whole message because its XML does not fit the schema. */
export const SYNTAX_ERROR = "101";
export const ALREADY_CANCELLED = "251";

/** Refused accounts where only the tax number is at fault, not the account itself. */
const ABOUT_SUPPLIER: ReadonlySet<string> = new Set(["105", "245"]);

export function isAboutSupplier(code: string | null): boolean {
  return ABOUT_SUPPLIER.has(code ?? "");
}

/** Code 228 means an invalid type or a uid that was sent before; only its text says which (docs/authority.md#provider-duplicates). */
const UID_OR_TYPE = "228";
const UID_SENT_BEFORE = /\buid\b.*already/is;

/** The verdict of an error code and the message that came with it. */
export function verdictOf(code: string | null, message: string | null): Verdict {
  if (code === UID_OR_TYPE && UID_SENT_BEFORE.test(message ?? "")) return "registered";
  return STEP_OF.get(code ?? "")?.verdict ?? "refused";
}

/** The meaning of `code`, as half a sentence; undefined for a code whose meaning is not known. */
export function meaningOf(code: string | null): Text | undefined {
  return code === null ? undefined : MEANINGS[code];
}

export interface ExplainedCode {
  code: string;
  /** A sentence without a full stop, in lower case. */
  meaning: Text;
  next: Text;
}

/** Undefined for a code whose meaning is not known. */
export function explainCode(code: string): ExplainedCode | undefined {
  const meaning = meaningOf(code);
  return meaning && { code, meaning, next: STEP_OF.get(code)?.text ?? LOOK_AT_CALL };
}

const UID_TWICE: Text = {
  en: "the uid occurs twice in the message",
  el: "το uid υπάρχει δύο φορές στο μήνυμα",
};

const TYPE_NOT_CREDITED: Text = {
  en: "the credited document has a type that cannot be credited in this way",
  el: "το παραστατικό που πιστώνεται είναι τύπου που δεν πιστώνεται έτσι",
};

const ELEMENT_NOT_ALLOWED: Text = {
  en: "an element is not allowed for this type",
  el: "υπάρχει στοιχείο που δεν επιτρέπεται για αυτόν τον τύπο",
};

const ELEMENT_MISSING: Text = {
  en: "an element that this type needs is missing",
  el: "λείπει στοιχείο που απαιτεί αυτός ο τύπος",
};

const MEANINGS: Readonly<Record<string, Text>> = {
  "101": {
    en: "the XML does not fit the authority's schema",
    el: "το XML δεν συμφωνεί με το σχήμα της ΑΑΔΕ",
  },
  "102": { en: "a tax number is not active", el: "κάποιο ΑΦΜ δεν είναι ενεργό" },
  "103": { en: "the MARK that the request needs is missing", el: "λείπει το ΜΑΡΚ που απαιτεί το αίτημα" },
  "104": {
    en: "no document has the MARK that it refers to",
    el: "κανένα παραστατικό δεν έχει το ΜΑΡΚ στο οποίο αναφέρεται",
  },
  "105": {
    en: "the account has no right to act for this tax number",
    el: "ο λογαριασμός δεν έχει δικαίωμα για αυτό το ΑΦΜ",
  },
  "201": {
    en: "the account is not authorised for this operation",
    el: "ο λογαριασμός δεν είναι εξουσιοδοτημένος για αυτή την ενέργεια",
  },
  "202": { en: "a Greek tax number is not valid", el: "κάποιο ελληνικό ΑΦΜ δεν είναι έγκυρο" },
  "203": {
    en: "the gross total is not net plus VAT and taxes",
    el: "η συνολική αξία δεν ισούται με καθαρή αξία, ΦΠΑ και φόρους",
  },
  "204": ELEMENT_MISSING,
  "205": ELEMENT_NOT_ALLOWED,
  "206": { en: "a technical error in a line", el: "τεχνικό σφάλμα σε κάποια γραμμή" },
  "207": {
    en: "the net total differs from the lines",
    el: "η καθαρή αξία διαφέρει από το άθροισμα των γραμμών",
  },
  "208": {
    en: "the gross total differs from the lines",
    el: "η συνολική αξία διαφέρει από το άθροισμα των γραμμών",
  },
  "209": { en: "the VAT total differs from the lines", el: "ο ΦΠΑ διαφέρει από το άθροισμα των γραμμών" },
  "210": {
    en: "the withheld total differs from the lines",
    el: "το σύνολο παρακρατήσεων διαφέρει από το άθροισμα των γραμμών",
  },
  "211": {
    en: "the exchange rate of a currency other than euro is missing or 0",
    el: "λείπει ή είναι 0 η ισοτιμία νομίσματος άλλου από το ευρώ",
  },
  "212": {
    en: "the number of a Greek issuer must be a non-negative integer",
    el: "ο αριθμός παραστατικού Έλληνα εκδότη πρέπει να είναι μη αρνητικός ακέραιος",
  },
  "213": { en: "a value must be 0", el: "κάποια τιμή πρέπει να είναι 0" },
  "214": { en: "a flag must be true or absent", el: "κάποια ένδειξη πρέπει να είναι true ή να λείπει" },
  "215": { en: "the VAT category must be exempt here", el: "η κατηγορία ΦΠΑ πρέπει εδώ να είναι χωρίς ΦΠΑ" },
  "216": { en: "the VAT category must not be 8", el: "η κατηγορία ΦΠΑ δεν επιτρέπεται να είναι 8" },
  "217": { en: "the cause of the VAT exemption is missing", el: "λείπει η αιτία εξαίρεσης από τον ΦΠΑ" },
  "218": { en: "the VAT amount must be 0", el: "το ποσό ΦΠΑ πρέπει να είναι 0" },
  "219": {
    en: "name and address of a Greek issuer are not allowed",
    el: "δεν επιτρέπονται επωνυμία και διεύθυνση Έλληνα εκδότη",
  },
  "220": { en: "the name of a Greek customer is not allowed", el: "δεν επιτρέπεται επωνυμία Έλληνα πελάτη" },
  "222": {
    en: "a line or a total has the value 0, and must be above 0",
    el: "κάποια γραμμή ή κάποιο σύνολο έχει αξία 0, ενώ πρέπει να είναι πάνω από 0",
  },
  "223": {
    en: "the document type is no longer supported",
    el: "ο τύπος παραστατικού δεν υποστηρίζεται πλέον",
  },
  "224": {
    en: "taxes are given both on lines and in the totals",
    el: "δόθηκαν φόροι και στις γραμμές και στα σύνολα",
  },
  "225": {
    en: "an element must be given together with another",
    el: "κάποιο στοιχείο πρέπει να δίνεται μαζί με άλλο",
  },
  "226": {
    en: "the total of a tax differs from its parts",
    el: "το σύνολο ενός φόρου διαφέρει από τα μέρη του",
  },
  "227": {
    en: "an amount and its category do not go together",
    el: "κάποιο ποσό δεν συμβαδίζει με την κατηγορία του",
  },
  "228": {
    en: "the document type is not valid, or the uid was sent before",
    el: "ο τύπος παραστατικού δεν είναι έγκυρος ή το uid έχει ήδη σταλεί",
  },
  "229": { en: "an amount does not fit its category", el: "κάποιο ποσό δεν ταιριάζει στην κατηγορία του" },
  "230": {
    en: "an element that every line needs is missing",
    el: "λείπει στοιχείο που χρειάζεται κάθε γραμμή",
  },
  "231": {
    en: "an element is not allowed on lines",
    el: "υπάρχει στοιχείο που δεν επιτρέπεται στις γραμμές",
  },
  "233": { en: "the uid was sent before", el: "το uid έχει ήδη σταλεί" },
  "234": { en: "this VAT category is not allowed here", el: "αυτή η κατηγορία ΦΠΑ δεν επιτρέπεται εδώ" },
  "235": { en: "issuer and customer are the same", el: "εκδότης και πελάτης είναι ο ίδιος" },
  "236": {
    en: "the sender must be another than the issuer",
    el: "το ΑΦΜ που διαβιβάζει πρέπει να διαφέρει από το ΑΦΜ του εκδότη",
  },
  "237": {
    en: "the base of a tax is greater than the net total",
    el: "η υποκείμενη αξία ενός φόρου είναι μεγαλύτερη από τη συνολική καθαρή αξία",
  },
  "238": { en: "the issue date must be today", el: "η ημερομηνία έκδοσης πρέπει να είναι η σημερινή" },
  "239": {
    en: "the amount of a tax is greater than the net total",
    el: "το ποσό ενός φόρου είναι μεγαλύτερο από τη συνολική καθαρή αξία",
  },
  "240": {
    en: "the amount of a tax is greater than its base",
    el: "το ποσό ενός φόρου είναι μεγαλύτερο από την υποκείμενη αξία του",
  },
  "241": {
    en: "the amount of a tax on a line is greater than the line's net amount",
    el: "το ποσό ενός φόρου γραμμής είναι μεγαλύτερο από την καθαρή αξία της",
  },
  "242": {
    en: "the customer must be Greek for this type",
    el: "ο πελάτης πρέπει να είναι από την Ελλάδα για αυτόν τον τύπο",
  },
  "243": {
    en: "the customer must be in another EU country for this type",
    el: "ο πελάτης πρέπει να είναι από άλλη χώρα της ΕΕ για αυτόν τον τύπο",
  },
  "244": {
    en: "the customer must be outside the EU for this type",
    el: "ο πελάτης πρέπει να είναι εκτός ΕΕ για αυτόν τον τύπο",
  },
  "245": {
    en: "the issuer has not authorised the provider",
    el: "ο εκδότης δεν έχει εξουσιοδοτήσει τον πάροχο",
  },
  "248": {
    en: "the document was not sent by this tax number",
    el: "το παραστατικό δεν στάλθηκε από αυτό το ΑΦΜ",
  },
  "249": {
    en: "the document was issued through a provider; credit it instead",
    el: "το παραστατικό εκδόθηκε μέσω παρόχου· εκδώστε πιστωτικό",
  },
  "250": {
    en: "the document was issued with the authority's own application",
    el: "το παραστατικό εκδόθηκε με την εφαρμογή της ΑΑΔΕ",
  },
  "251": { en: "the document is already cancelled", el: "το παραστατικό έχει ήδη ακυρωθεί" },
  "252": { en: "the MARK is not that of an invoice", el: "το ΜΑΡΚ δεν ανήκει σε τιμολόγιο" },
  "253": {
    en: "the issue date is outside the permitted range",
    el: "η ημερομηνία έκδοσης είναι εκτός του επιτρεπτού διαστήματος",
  },
  "255": {
    en: "an active document refers to it; cancel that one first",
    el: "σε αυτό αναφέρεται ενεργό παραστατικό· ακυρώστε πρώτα εκείνο",
  },
  "257": {
    en: "the document was sent by a cash register",
    el: "το παραστατικό στάλθηκε από ταμειακή μηχανή",
  },
  "259": {
    en: "an earlier document with this uid still has active documents that refer to it",
    el: "σε προηγούμενο παραστατικό με αυτό το uid αναφέρονται ακόμη ενεργά παραστατικά",
  },
  "260": { en: "the issue date is in the future", el: "η ημερομηνία έκδοσης είναι στο μέλλον" },
  "261": { en: "line numbers are not unique", el: "οι αριθμοί των γραμμών δεν είναι μοναδικοί" },
  "262": { en: "a value is too long", el: "κάποια τιμή είναι πολύ μεγάλη σε μήκος" },
  "271": {
    en: "the cause of a VAT exemption is given on a line that is not exempt",
    el: "δόθηκε αιτία εξαίρεσης σε γραμμή με ΦΠΑ",
  },
  "272": ELEMENT_MISSING,
  "273": ELEMENT_NOT_ALLOWED,
  "274": ELEMENT_MISSING,
  "275": UID_TWICE,
  "277": UID_TWICE,
  "279": { en: "the document cannot be cancelled", el: "το παραστατικό δεν μπορεί να ακυρωθεί" },
  "287": { en: "the country must not be Greece", el: "η χώρα δεν επιτρέπεται να είναι η Ελλάδα" },
  "301": {
    en: "no document of this tax number has the MARK",
    el: "κανένα παραστατικό αυτού του ΑΦΜ δεν έχει το ΜΑΡΚ",
  },
  "304": {
    en: "either all lines are classified or none",
    el: "χαρακτηρίζονται είτε όλες οι γραμμές είτε καμία",
  },
  "305": { en: "a classification occurs twice", el: "κάποιος χαρακτηρισμός υπάρχει δύο φορές" },
  "306": {
    en: "the classifications of a line do not add up to its net amount",
    el: "οι χαρακτηρισμοί μιας γραμμής δεν αθροίζουν στην καθαρή της αξία",
  },
  "307": {
    en: "the income type is not allowed with its category",
    el: "ο τύπος εσόδου δεν επιτρέπεται με την κατηγορία του",
  },
  "308": {
    en: "the income category is not allowed for this type",
    el: "η κατηγορία εσόδου δεν επιτρέπεται για αυτόν τον τύπο παραστατικού",
  },
  "309": {
    en: "a classification is not allowed for this party",
    el: "κάποιος χαρακτηρισμός δεν επιτρέπεται για αυτόν τον συναλλασσόμενο",
  },
  "310": {
    en: "either all classifications have the category that the authority names, or none",
    el: "είτε όλοι οι χαρακτηρισμοί έχουν την κατηγορία που αναφέρει η ΑΑΔΕ είτε κανένας",
  },
  "311": { en: "a classification is missing in the summary", el: "λείπει χαρακτηρισμός από τη σύνοψη" },
  "312": {
    en: "a classification of the summary differs from the lines",
    el: "χαρακτηρισμός της σύνοψης διαφέρει από τις γραμμές",
  },
  "313": {
    en: "the income type and category are not allowed for this type",
    el: "ο τύπος και η κατηγορία εσόδου δεν επιτρέπονται για αυτόν τον τύπο παραστατικού",
  },
  "318": {
    en: "a field differs from the credited document",
    el: "κάποιο πεδίο διαφέρει από το παραστατικό που πιστώνεται",
  },
  "319": {
    en: "the amount is above that of the credited document",
    el: "το ποσό είναι μεγαλύτερο από του παραστατικού που πιστώνεται",
  },
  "320": TYPE_NOT_CREDITED,
  "321": {
    en: "the summary has a classification that the lines do not have",
    el: "η σύνοψη έχει χαρακτηρισμό που δεν έχουν οι γραμμές",
  },
  "322": TYPE_NOT_CREDITED,
  "323": {
    en: "the business's annual income is outside the limits for using this service directly",
    el: "τα ετήσια έσοδα της επιχείρησης είναι εκτός των ορίων για απευθείας χρήση της υπηρεσίας",
  },
  "330": {
    en: "unexpected technical error at the authority, about the classification of a line",
    el: "απρόσμενο τεχνικό σφάλμα στην ΑΑΔΕ, για τον χαρακτηρισμό μιας γραμμής",
  },
  "331": {
    en: "the combination of type and classification is not valid",
    el: "ο συνδυασμός τύπου και χαρακτηρισμού δεν είναι έγκυρος",
  },
  "407": { en: "the payments are above the total", el: "οι πληρωμές ξεπερνούν το σύνολο" },
};

export const KNOWN_CODES: readonly string[] = Object.keys(MEANINGS);

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

interface Step {
  codes: readonly string[];
  /** `refused` without one. */
  verdict?: Verdict;
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
    verdict: "credentials",
    text: {
      en: "The merchant gives the account the right at the authority's site. Its documents wait until you then verify the connection.",
      el: "Η επιχείρηση δίνει στον λογαριασμό το δικαίωμα στην ΑΑΔΕ. Τα παραστατικά της περιμένουν ώσπου να επαληθεύσετε μετά τη σύνδεση.",
      next: { operation: "verifyConnection" },
    },
  },
  {
    codes: ["201"],
    verdict: "credentials",
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
  { codes: ["206", "310", "335"], verdict: "technical", text: LOOKED_UP },
  { codes: ["233", "259", "275", "277"], verdict: "registered", text: LOOKED_UP },
];

const STEP_OF: ReadonlyMap<string, Step> = new Map(
  STEPS.flatMap((step) => step.codes.map((code) => [code, step] as const)),
);
