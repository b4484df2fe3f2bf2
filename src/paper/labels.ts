/** The labels printed in the PDF, the language they are printed in, and numbers and days as written in Greece. */
import type { Text } from "../foundation/text.ts";
import { greekDecimal, formatEuro } from "../foundation/money.ts";

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
  dueDate: { el: "Πληρωμή έως", en: "Pay by" },
  deliveryDate: { el: "Ημερομηνία παράδοσης", en: "Delivery date" },
  notes: { el: "Παρατηρήσεις", en: "Notes" },
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

/** Chooses the language of texts on one paper. */
export interface Wording {
  readonly language: Language;
  /** In the paper's language, or in both: `Καθαρή αξία / Net`. Text equal in both is printed once. */
  format(text: Text): string;
  label(name: LabelName): string;
  /** The two languages as separate lines; `second` is undefined where one is enough. */
  stack(text: Text): { first: string; second: string | undefined };
}

export function createWording(language: Language): Wording {
  const stack = ({ el, en }: Text) => {
    if (language === "en") return { first: en, second: undefined };
    return { first: el, second: language === "el" || en === el ? undefined : en };
  };
  const format = (text: Text) => {
    const { first, second } = stack(text);
    return second === undefined ? first : `${first} / ${second}`;
  };
  return { language, format, stack, label: (name) => format(LABELS[name]) };
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

/** `2026-02-28` is `28/02/2026`. */
export function formatGreekDay(day: string): string {
  return day.split("-").toReversed().join("/");
}
