/** The words that are printed beside the data, in Greek and English. */

/** One thing said in both languages. */
export interface Bilingual {
  el: string;
  en: string;
}

export const LABELS = {
  taxId: { el: "ΑΦΜ", en: "VAT no." },
  branch: { el: "Εγκατάσταση", en: "Branch" },
  reverseCharge: { el: "Αντίστροφη επιβάρυνση", en: "Reverse charge" },
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
  net: { el: "Αξία €", en: "Net €" },
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
  creditedGross: { el: "Πιστωτικό ποσό", en: "Total credit" },
  mark: { el: "ΜΑΡΚ", en: "MARK" },
  uid: { el: "Αναγνωριστικό (UID)", en: "UID" },
  issuedThrough: { el: "Διαβίβαση", en: "Transmitted" },
  verify: { el: "Έλεγχος στην ΑΑΔΕ", en: "Verify" },
  page: { el: "Σελίδα", en: "Page" },
  test: { el: "ΔΟΚΙΜΗ – χωρίς νομική ισχύ", en: "TEST – not valid" },
  cancelled: { el: "ΑΚΥΡΩΜΕΝΟ", en: "CANCELLED" },
  cancellationMark: { el: "ΜΑΡΚ ακύρωσης", en: "cancellation MARK" },
} as const satisfies Record<string, Bilingual>;

export type LabelName = keyof typeof LABELS;

/** `el` and `en` as the merchant's setting `paper.language` has it; undefined for both, Greek first. */
export type Language = "el" | "en" | undefined;

/** How things are said on one paper. */
export interface Wording {
  readonly language: Language;
  /** In the paper's language, or in both: `Καθαρή αξία / Net`. Where both say the same it stands once. */
  say(words: Bilingual): string;
  label(name: LabelName): string;
  /** The same apart, for two lines one below the other; `second` is undefined where there is one language. */
  stacked(words: Bilingual): { first: string; second: string | undefined };
}

export function createWording(language: Language): Wording {
  const stacked = ({ el, en }: Bilingual) => {
    if (language === "en") return { first: en, second: undefined };
    return { first: el, second: language === "el" || en === el ? undefined : en };
  };
  const say = (words: Bilingual) => {
    const { first, second } = stacked(words);
    return second === undefined ? first : `${first} / ${second}`;
  };
  return { language, say, stacked, label: (name) => say(LABELS[name]) };
}
