/**
 * Codes and limits of the canonical document (docs/contract.md#canonical-document, docs/contract.md#limits), and the words for units,
 * payment methods, VAT categories, types and providers. The first words are printed and follow the tax authority's lists; files and the
 * terminal accept all of them (docs/contract.md#words-for-codes).
 */
import type { Text } from "../foundation/text.ts";
import { fold } from "../foundation/characters.ts";
import { DOCUMENT_TYPES, type DocumentType, typeInfo } from "./document-types.ts";

export const UNITS = { piece: 1, kg: 2, litre: 3, metre: 4, square_metre: 5, cubic_metre: 6 } as const;

/** VAT categories: the tax authority's code and the rate in percent. */
export const VAT_CATEGORIES = {
  standard: { code: 1, ratePercent: 24 },
  reduced: { code: 2, ratePercent: 13 },
  super_reduced: { code: 3, ratePercent: 6 },
  standard_island: { code: 4, ratePercent: 17 },
  reduced_island: { code: 5, ratePercent: 9 },
  super_reduced_island: { code: 6, ratePercent: 4 },
  exempt: { code: 7, ratePercent: 0 },
} as const;
export type VatCategory = keyof typeof VAT_CATEGORIES;

export const PAYMENT_METHODS = {
  domestic_account: 1,
  foreign_account: 2,
  cash: 3,
  cheque: 4,
  on_credit: 5,
  web_banking: 6,
  pos: 7,
  iris: 8,
} as const;
export type PaymentMethod = keyof typeof PAYMENT_METHODS;

/** In cents. */
export const NET_MAX = 1_000_000_000_000_000;
export const GROSS_MAX = 1_250_000_000_000_000;
export const UNIT_PRICE_MAX = 100_000_000_000;
export const LINES_MAX = 1000;
export const PAYMENTS_MAX = 10;
export const ORIGINAL_MARKS_MAX = 1000;

export const MARK_FORM = /^[1-9][0-9]{0,18}$/;
export const NOT_A_MARK: Text = {
  en: "must be a MARK: 1 to 19 digits, the first not 0",
  el: "πρέπει να είναι ΜΑΡΚ: 1 έως 19 ψηφία, το πρώτο όχι 0",
};

/** Up to 9 integer digits and 3 decimals, above 0. */
export const QUANTITY_FORM = /^(?=.*[1-9])[0-9]{1,9}(\.[0-9]{1,3})?$/;

/** How a code is printed, and what else may be written for it. */
export interface CodeWords extends Text {
  readonly also: readonly string[];
}

/** Several codes may share a word of `also`, which is then ambiguous. */
export type WordTable<Code extends string> = Readonly<Record<Code, CodeWords>>;

export const UNIT_WORDS: WordTable<keyof typeof UNITS> = {
  piece: {
    el: "τεμ.",
    en: "pcs",
    also: ["τεμάχιο", "τεμάχια", "τμχ", "τεμ", "pieces", "pc", "item", "items"],
  },
  kg: {
    el: "κιλά",
    en: "kg",
    also: ["κιλό", "κιλ", "κιλά (kg)", "κγ", "κιλόγραμμα", "kilo", "kilos", "kilogram"],
  },
  litre: { el: "λίτρα", en: "l", also: ["λίτρο", "λτ", "lt", "ltr", "litres", "liter", "liters"] },
  metre: { el: "μέτρα", en: "m", also: ["μέτρο", "μ", "metres", "meter", "meters"] },
  square_metre: {
    el: "τ.μ.",
    en: "m²",
    also: ["τμ", "m2", "τετραγωνικό μέτρο", "τετραγωνικά μέτρα", "square metres", "square meter", "sqm"],
  },
  cubic_metre: {
    el: "κ.μ.",
    en: "m³",
    also: ["κμ", "m3", "κυβικό μέτρο", "κυβικά μέτρα", "cubic metres", "cubic meter"],
  },
};

/** Shared by the accounts in Greece and abroad. */
const ACCOUNT = ["λογαριασμός", "τράπεζα", "κατάθεση", "έμβασμα", "bank", "bank account", "bank transfer"];

export const PAYMENT_WORDS: WordTable<keyof typeof PAYMENT_METHODS> = {
  domestic_account: { el: "Λογαριασμός πληρωμών ημεδαπής", en: "Domestic account", also: ACCOUNT },
  foreign_account: { el: "Λογαριασμός πληρωμών αλλοδαπής", en: "Foreign account", also: ACCOUNT },
  cash: { el: "Μετρητά", en: "Cash", also: ["τοις μετρητοίς", "μετρητοίς"] },
  cheque: { el: "Επιταγή", en: "Cheque", also: ["check"] },
  on_credit: { el: "Επί πιστώσει", en: "On credit", also: ["πίστωση", "με πίστωση", "credit"] },
  web_banking: { el: "Web banking", en: "Web banking", also: ["ebanking", "e-banking"] },
  pos: {
    el: "POS / e-POS",
    en: "POS / e-POS",
    also: ["e-POS", "κάρτα", "χρεωστική κάρτα", "πιστωτική κάρτα", "card", "credit card", "debit card"],
  },
  iris: { el: "Άμεσες πληρωμές IRIS", en: "IRIS instant payment", also: ["άμεσες πληρωμές"] },
};

/** Printed after the rate. */
export const VAT_WORDS: WordTable<VatCategory> = {
  standard: { el: "κανονικός", en: "standard", also: ["κανονικό"] },
  reduced: { el: "μειωμένος", en: "reduced", also: ["μειωμένο"] },
  super_reduced: { el: "υπερμειωμένος", en: "super reduced", also: ["υπερμειωμένο"] },
  standard_island: { el: "κανονικός νησιών", en: "standard, islands", also: [] },
  reduced_island: { el: "μειωμένος νησιών", en: "reduced, islands", also: [] },
  super_reduced_island: { el: "υπερμειωμένος νησιών", en: "super reduced, islands", also: [] },
  exempt: { el: "χωρίς ΦΠΑ", en: "without VAT", also: ["άνευ ΦΠΑ", "απαλλαγή", "απαλλασσόμενο", "no VAT"] },
};

export const INCOME_CATEGORY_WORDS = {
  category1_1: { en: "sale of goods", el: "πώληση εμπορευμάτων" },
  category1_2: { en: "sale of products", el: "πώληση προϊόντων" },
  category1_3: { en: "services", el: "παροχή υπηρεσιών" },
  category1_4: { en: "sale of fixed assets", el: "πώληση παγίων" },
  category1_5: { en: "other income", el: "λοιπά έσοδα και κέρδη" },
  category1_6: { en: "self-supply", el: "αυτοπαραδόσεις και ιδιοχρησιμοποιήσεις" },
  category1_7: { en: "income for third parties", el: "έσοδα για λογαριασμό τρίτων" },
  category1_8: { en: "income of earlier years", el: "έσοδα προηγούμενων χρήσεων" },
  category1_9: { en: "income of later years", el: "έσοδα επόμενων χρήσεων" },
  category1_10: { en: "other adjustments of income", el: "λοιπές εγγραφές τακτοποίησης εσόδων" },
  category1_95: { en: "other information on income", el: "λοιπά πληροφοριακά στοιχεία εσόδων" },
} as const satisfies Record<string, Text>;

/** The boxes of form Ε3. The Greek is the authority's own, shortened; it has the same for production and farming. */
export const INCOME_TYPE_WORDS = {
  E3_106: { en: "self-supply or loss: goods", el: "αυτοπαραδόσεις, καταστροφές: εμπορεύματα" },
  E3_205: {
    en: "self-supply or loss: materials (production)",
    el: "αυτοπαραδόσεις, καταστροφές: πρώτες ύλες (παραγωγή)",
  },
  E3_210: {
    en: "self-supply or loss: products (production)",
    el: "αυτοπαραδόσεις, καταστροφές: προϊόντα (παραγωγή)",
  },
  E3_305: {
    en: "self-supply or loss: materials (farming)",
    el: "αυτοπαραδόσεις, καταστροφές: πρώτες ύλες (αγροτική)",
  },
  E3_310: {
    en: "self-supply or loss: products (farming)",
    el: "αυτοπαραδόσεις, καταστροφές: προϊόντα (αγροτική)",
  },
  E3_318: {
    en: "self-supply or loss: production costs (farming)",
    el: "αυτοπαραδόσεις, καταστροφές: έξοδα παραγωγής (αγροτική)",
  },
  E3_561_001: { en: "wholesale, to businesses", el: "χονδρικές, επιτηδευματιών" },
  E3_561_002: {
    en: "wholesale, article 39a(5) of the VAT code",
    el: "χονδρικές, άρθρο 39α παρ. 5 του Κώδικα ΦΠΑ",
  },
  E3_561_003: { en: "retail, to private customers", el: "λιανικές, ιδιωτική πελατεία" },
  E3_561_004: {
    en: "retail, article 39a(5) of the VAT code",
    el: "λιανικές, άρθρο 39α παρ. 5 του Κώδικα ΦΠΑ",
  },
  E3_561_005: { en: "abroad, within the EU", el: "εξωτερικού, ενδοκοινοτικές" },
  E3_561_006: { en: "abroad, third countries", el: "εξωτερικού, τρίτες χώρες" },
  E3_561_007: { en: "other sales", el: "πωλήσεις, λοιπά" },
  E3_562: { en: "other ordinary income", el: "λοιπά συνήθη έσοδα" },
  E3_563: { en: "interest and related income", el: "πιστωτικοί τόκοι και συναφή έσοδα" },
  E3_564: { en: "exchange gains", el: "πιστωτικές συναλλαγματικές διαφορές" },
  E3_565: { en: "income from participations", el: "έσοδα συμμετοχών" },
  E3_566: {
    en: "gains from disposal of fixed assets",
    el: "κέρδη από διάθεση μη κυκλοφορούντων περιουσιακών στοιχείων",
  },
  E3_567: { en: "gains from reversed provisions", el: "κέρδη από αναστροφή προβλέψεων και απομειώσεων" },
  E3_568: { en: "gains from fair value", el: "κέρδη από επιμέτρηση στην εύλογη αξία" },
  E3_570: { en: "extraordinary income and gains", el: "ασυνήθη έσοδα και κέρδη" },
  E3_595: { en: "expenses of own production", el: "έξοδα σε ιδιοπαραγωγή" },
  E3_596: { en: "subsidies and grants", el: "επιδοτήσεις, επιχορηγήσεις" },
  E3_597: {
    en: "subsidies and grants for investments or to cover expenses",
    el: "επιδοτήσεις, επιχορηγήσεις για επενδυτικούς σκοπούς, κάλυψη δαπανών",
  },
  E3_880_001: { en: "fixed assets, wholesale", el: "πωλήσεις παγίων, χονδρικές" },
  E3_880_002: { en: "fixed assets, retail", el: "πωλήσεις παγίων, λιανικές" },
  E3_880_003: { en: "fixed assets, within the EU", el: "πωλήσεις παγίων, ενδοκοινοτικές" },
  E3_880_004: { en: "fixed assets, third countries", el: "πωλήσεις παγίων, τρίτες χώρες" },
  E3_881_001: { en: "for third parties, wholesale", el: "για λογαριασμό τρίτων, χονδρικές" },
  E3_881_002: { en: "for third parties, retail", el: "για λογαριασμό τρίτων, λιανικές" },
  E3_881_003: { en: "for third parties, within the EU", el: "για λογαριασμό τρίτων, ενδοκοινοτικές" },
  E3_881_004: { en: "for third parties, third countries", el: "για λογαριασμό τρίτων, τρίτες χώρες" },
  E3_598_001: { en: "goods under excise duty", el: "αγαθά που υπάγονται σε ΕΦΚ" },
  E3_598_003: { en: "for farmers, through a cooperative", el: "για λογαριασμό αγροτών μέσω συνεταιρισμού" },
} as const satisfies Record<string, Text>;

export const INCOME_CATEGORIES = namesOf(INCOME_CATEGORY_WORDS);
export const INCOME_TYPES = namesOf(INCOME_TYPE_WORDS);

function namesOf<Name extends string>(words: Readonly<Record<Name, Text>>): readonly Name[] {
  return Object.keys(words) as Name[];
}

/** What people call a document, besides its name and its printed titles. */
const TYPE_NAMES: Readonly<Record<DocumentType, readonly string[]>> = {
  "1.1": ["ΤΠ", "Τιμολόγιο", "Invoice"],
  "2.1": ["ΤΠΥ", "Τιμολόγιο", "Invoice"],
  "5.1": ["Πιστωτικό", "Πιστωτικό τιμολόγιο", "Credit note"],
  "5.2": ["Πιστωτικό", "Πιστωτικό τιμολόγιο", "Credit note"],
  "11.1": ["ΑΛΠ", "Απόδειξη λιανικής πώλησης", "Απόδειξη", "Retail receipt", "Receipt"],
  "11.2": ["ΑΠΥ", "Απόδειξη παροχής υπηρεσιών", "Απόδειξη", "Receipt"],
  "11.4": ["Πιστωτικό λιανικής πώλησης", "Επιστροφή λιανικής", "Retail return"],
};

export const TYPE_WORDS = Object.fromEntries(
  DOCUMENT_TYPES.map((type): [DocumentType, CodeWords] => [type, wordsOfType(type)]),
) as WordTable<DocumentType>;

function wordsOfType(type: DocumentType): CodeWords {
  const { name, title, sentAbroad } = typeInfo(type);
  const abroad = Object.values(sentAbroad ?? {}).map((sent) => sent.title);
  const titles = [title, ...abroad].flatMap(({ en, el }) => [en, el]);
  return { ...name, also: [...titles, ...TYPE_NAMES[type]] };
}

/** The codes that `text` may mean: printed words first, because those have only one meaning. Case and accents do not matter. */
export function codesNamed<Code extends string>(words: WordTable<Code>, text: string): Code[] {
  const wanted = comparable(text);
  const codes = Object.keys(words) as Code[];
  const means = (candidates: readonly string[]) => candidates.some((word) => comparable(word) === wanted);
  const printed = codes.filter((code) => means([words[code].en, words[code].el]));
  return printed.length > 0 ? printed : codes.filter((code) => means(words[code].also));
}

/** `text` as words are compared: without case, accents and the signs that people leave out. */
export function comparable(text: string): string {
  return fold(text.replace(/[\s_.,–-]+/gu, " "));
}

/** What people call a provider: `provider_a` has a name of its own. Data keep the value. */
export function providerName(provider: string): string {
  return provider === "provider_a" ? "Wrapp" : provider;
}
