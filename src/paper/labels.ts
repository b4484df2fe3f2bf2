/** The labels and the VAT exemption causes printed in the PDF, the language they are printed in, and numbers and days as written in Greece. */
import type { Text } from "../foundation/text.ts";
import { formatEuro, greekDecimal } from "../foundation/money.ts";

export const LABELS = {
  taxId: { el: "ΑΦΜ", en: "VAT no." },
  branch: { el: "Εγκατάσταση", en: "Branch" },
  reverseCharge: { el: "Αντίστροφη επιβάρυνση", en: "Reverse charge" },
  gemi: { el: "Αρ. ΓΕΜΗ", en: "GEMI no." },
  taxOffice: { el: "ΔΟΥ", en: "Tax office" },
  registeredOffice: { el: "Έδρα", en: "Head office" },
  // The wording of VAT Directive, article 226(7a), and the name of the scheme in the Greek VAT code.
  cashAccounting: { el: "Ειδικό καθεστώς καταβολής ΦΠΑ κατά την είσπραξη", en: "Cash accounting" },
  headOffice: { el: "έδρα", en: "head office" },
  phone: { el: "Τηλ.", en: "Phone" },
  customer: { el: "Στοιχεία πελάτη", en: "Customer" },
  seriesAndNumber: { el: "Σειρά / Αριθμός", en: "Series / Number" },
  issueDate: { el: "Ημερομηνία έκδοσης", en: "Issue date" },
  authorityType: { el: "Είδος myDATA", en: "myDATA type" },
  reference: { el: "Αναφορά", en: "Reference" },
  corrects: { el: "Συσχετιζόμενα παραστατικά", en: "Corrects" },
  position: { el: "Α/Α", en: "No." },
  description: { el: "Περιγραφή", en: "Description" },
  quantity: { el: "Ποσότητα", en: "Quantity" },
  unit: { el: "Μ.Μ.", en: "Unit" },
  unitPrice: { el: "Τιμή μον. €", en: "Unit price €" },
  unitPriceGross: { el: "Τιμή με ΦΠΑ €", en: "Price incl. VAT €" },
  net: { el: "Αξία €", en: "Net €" },
  gross: { el: "Αξία με ΦΠΑ €", en: "Total incl. VAT €" },
  vatRate: { el: "ΦΠΑ %", en: "VAT %" },
  vat: { el: "ΦΠΑ €", en: "VAT €" },
  carriedForward: { el: "Σε μεταφορά", en: "Carried forward" },
  broughtForward: { el: "Από μεταφορά", en: "Brought forward" },
  vatAnalysis: { el: "Ανάλυση ΦΠΑ", en: "VAT analysis" },
  category: { el: "Κατηγορία", en: "Category" },
  netValue: { el: "Καθαρή αξία", en: "Net" },
  vatAmount: { el: "ΦΠΑ", en: "VAT" },
  payments: { el: "Τρόπος πληρωμής", en: "Payment" },
  totalNet: { el: "Καθαρή αξία", en: "Net total" },
  totalVat: { el: "Σύνολο ΦΠΑ", en: "VAT total" },
  totalGross: { el: "Πληρωτέο ποσό", en: "Total" },
  grossValue: { el: "Συνολική αξία", en: "Gross total" },
  payable: { el: "Πληρωτέο ποσό", en: "Amount payable" },
  bankAccounts: { el: "Τραπεζικοί λογαριασμοί", en: "Bank accounts" },
  creditedGross: { el: "Πιστωτικό ποσό", en: "Total credit" },
  mark: { el: "ΜΑΡΚ", en: "MARK" },
  uid: { el: "Αναγνωριστικό (UID)", en: "UID" },
  authenticationCode: { el: "Κωδ. αυθεντικοποίησης", en: "Authentication code" },
  issuedThrough: { el: "Διαβίβαση", en: "Transmitted" },
  verify: { el: "Έλεγχος στην ΑΑΔΕ", en: "Verify" },
  page: { el: "Σελίδα", en: "Page" },
  test: { el: "ΔΟΚΙΜΗ – χωρίς νομική ισχύ", en: "TEST – not valid" },
  cancelled: { el: "ΑΚΥΡΩΜΕΝΟ", en: "CANCELLED" },
  cancellationMark: { el: "ΜΑΡΚ ακύρωσης", en: "cancellation MARK" },
} as const satisfies Record<string, Text>;

export type LabelName = keyof typeof LABELS;

/** The merchant's setting `paper.language`; undefined prints both languages, Greek first. */
export type Language = "el" | "en" | undefined;

export type Wording = ReturnType<typeof createWording>;

/** Chooses the language of texts on one paper. */
export function createWording(language: Language) {
  /** The two languages as separate lines; `second` is undefined where one is enough. */
  function stack({ el, en }: Text): { first: string; second: string | undefined } {
    if (language === "en") return { first: en, second: undefined };
    return { first: el, second: language === "el" || en === el ? undefined : en };
  }
  /** In the paper's language, or in both: `Καθαρή αξία / Net`. Text equal in both is printed once. */
  function format(text: Text): string {
    const { first, second } = stack(text);
    return second === undefined ? first : `${first} / ${second}`;
  }
  return { language, stack, format, label: (name: LabelName) => format(LABELS[name]) };
}

/** Cents as euro: `123456` is `1.234,56`. */
export function formatGreekNumber(cents: number): string {
  return greekDecimal(formatEuro(cents));
}

/** Cents as euro with the sign, after a no-break space: `1.234,56 €`. */
export function formatGreekEuro(cents: number): string {
  return `${formatGreekNumber(cents)}\u00a0€`;
}

/** A quantity without leading or trailing zeros: `1234.50` is `1.234,5`. */
export function formatGreekQuantity(quantity: string): string {
  const [whole = "0", decimals = ""] = quantity.split(".");
  const significant = decimals.replace(/0+$/, "");
  const natural = whole.replace(/^0+(?=\d)/, "");
  return greekDecimal(significant === "" ? natural : `${natural}.${significant}`);
}

const LATIN: Readonly<Record<string, string>> = { α: "a", β: "b", γ: "c", δ: "d", και: "and" };

function article(now: string, before: string, el = "", en = ""): Text {
  const isRenumbered = now !== before;
  const greek = `Άρθρο ${now}${isRenumbered ? ` (πρώην ${before})` : ""} Κώδικα ΦΠΑ`;
  const english = `Article ${now}${isRenumbered ? ` (formerly ${before})` : ""} of the VAT code`;
  return {
    el: el === "" ? greek : `${greek}: ${el}`,
    en: `${english.replaceAll(/και|[αβγδ]/g, (part) => LATIN[part] ?? part)}${en === "" ? "" : `: ${en}`}`,
  };
}

function circular(number: string): Text {
  return { el: `ΠΟΛ. ${number}`, en: `Circular POL. ${number}` };
}

/**
 * The authority's list names articles: those of the VAT code of 2024 (L. 5144/2024), with the older ones (L. 2859/2000) in brackets
 * where they differ. The subject is added where it is certain.
 */
const EXEMPTIONS: Readonly<Record<number, Text>> = {
  1: article("2 και 3", "2 και 3", "εκτός πεδίου εφαρμογής", "outside the scope of VAT"),
  2: article("5", "5", "μεταβίβαση επιχείρησης", "transfer of a business"),
  3: article("17", "13", "τόπος παράδοσης εκτός Ελλάδας", "place of supply of goods abroad"),
  4: article("18", "14", "τόπος παροχής εκτός Ελλάδας", "place of supply of services abroad"),
  5: article("21", "16"),
  6: article("24", "19"),
  7: article("27", "22", "απαλλαγές στο εσωτερικό", "exempt domestic activities"),
  8: article("29", "24", "εξαγωγές", "exports"),
  9: article("30", "25"),
  10: article("31", "26"),
  11: article("32", "27", "ειδικές απαλλαγές", "special exemptions"),
  12: article("32", "27", "πλοία ανοικτής θαλάσσης", "sea-going ships"),
  13: article("32 §1γ", "27 §1γ", "πλοία ανοικτής θαλάσσης", "sea-going ships"),
  14: article("33", "28", "ενδοκοινοτική παράδοση αγαθών", "intra-Community supply of goods"),
  15: article("44", "39", "μικρές επιχειρήσεις", "small businesses"),
  16: article("45", "39α", "αντίστροφη επιβάρυνση", "domestic reverse charge"),
  17: article("47", "40"),
  18: article("48", "41", "αγρότες", "farmers' scheme"),
  19: article("54", "47", "επενδυτικός χρυσός", "investment gold"),
  20: article("50", "43", "ΦΠΑ εμπεριεχόμενος, πρακτορεία ταξιδίων", "VAT included, travel agents"),
  21: article("51", "44", "ΦΠΑ εμπεριεχόμενος, καπνά", "VAT included, tobacco"),
  22: article("52", "45", "ΦΠΑ εμπεριεχόμενος, μεταχειρισμένα αγαθά", "VAT included, second-hand goods"),
  23: article("53", "46", "ΦΠΑ εμπεριεχόμενος, δημοπρασίες", "VAT included, auctions"),
  24: article("8", "6"),
  25: circular("1029/1995"),
  26: circular("1167/2015"),
  27: { el: "Λοιπές εξαιρέσεις ΦΠΑ", en: "Other VAT exemption" },
  28: article("29 §1β", "24 §1β", "Tax Free ταξιδιωτών", "Tax Free for travellers"),
  29: article("56", "47β", "OSS, μη ενωσιακό καθεστώς", "OSS, non-Union scheme"),
  30: article("57", "47γ", "OSS, ενωσιακό καθεστώς", "OSS, Union scheme"),
  31: article("58", "47δ", "IOSS", "IOSS"),
};

/** The name of the authority's exemption cause `cause`, 1 to 31; throws a RangeError for any other number. */
export function describeExemption(cause: number): Text {
  const name = EXEMPTIONS[cause];
  if (name === undefined) throw new RangeError("No exemption cause has this number");
  return name;
}
