/**
 * The authority's error codes: their meaning in our own words, and which of them are not a verdict on the document
 * (docs/authority.md#error-codes). The authority's own messages are shown next to ours but, with one exception, never matched,
 * because they are Greek and change.
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
/** The document is already cancelled. */
export const ALREADY_CANCELLED = "251";

/** Refused accounts where only the tax number is at fault, not the account itself. */
const ABOUT_SUPPLIER: ReadonlySet<string> = new Set(["105", "245"]);

/** Whether an account was refused for one tax number only. */
export function isAboutSupplier(code: string | null): boolean {
  return ABOUT_SUPPLIER.has(code ?? "");
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  "105": "credentials",
  "201": "credentials",
  "245": "credentials",
  "206": "technical",
  "310": "technical",
  "335": "technical",
  "233": "registered",
  "259": "registered",
  "275": "registered",
  "277": "registered",
};

/** Code 228 means an invalid type or a uid that was sent before; only its text says which (docs/authority.md#provider-duplicates). */
const UID_OR_TYPE = "228";
const UID_SENT_BEFORE = /\buid\b.*already/is;

/** The verdict of an error code and the message that came with it. */
export function verdictOf(code: string | null, message: string | null): Verdict {
  if (code === UID_OR_TYPE && UID_SENT_BEFORE.test(message ?? "")) return "registered";
  return VERDICTS[code ?? ""] ?? "refused";
}

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
  "204": {
    en: "an element that this type needs is missing",
    el: "λείπει στοιχείο που απαιτεί αυτός ο τύπος",
  },
  "205": {
    en: "an element is not allowed for this type",
    el: "υπάρχει στοιχείο που δεν επιτρέπεται για αυτόν τον τύπο",
  },
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
  "272": {
    en: "an element that this type needs is missing",
    el: "λείπει στοιχείο που απαιτεί αυτός ο τύπος",
  },
  "273": {
    en: "an element is not allowed for this type",
    el: "υπάρχει στοιχείο που δεν επιτρέπεται για αυτόν τον τύπο",
  },
  "274": {
    en: "an element that this type needs is missing",
    el: "λείπει στοιχείο που απαιτεί αυτός ο τύπος",
  },
  "275": { en: "the uid occurs twice in the message", el: "το uid υπάρχει δύο φορές στο μήνυμα" },
  "277": { en: "the uid occurs twice in the message", el: "το uid υπάρχει δύο φορές στο μήνυμα" },
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
  "320": {
    en: "the credited document has a type that cannot be credited in this way",
    el: "το παραστατικό που πιστώνεται είναι τύπου που δεν πιστώνεται έτσι",
  },
  "321": {
    en: "the summary has a classification that the lines do not have",
    el: "η σύνοψη έχει χαρακτηρισμό που δεν έχουν οι γραμμές",
  },
  "322": {
    en: "the credited document has a type that cannot be credited in this way",
    el: "το παραστατικό που πιστώνεται είναι τύπου που δεν πιστώνεται έτσι",
  },
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

/** Every code whose meaning is known. */
export const KNOWN_CODES: readonly string[] = Object.keys(MEANINGS);

/** The meaning of `code`, as half a sentence; undefined for a code that is not in the list. */
export function meaningOf(code: string | null): Text | undefined {
  return code === null ? undefined : MEANINGS[code];
}
