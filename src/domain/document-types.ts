/**
 * The table of document types. Classification, series, rules, PDF, console, export and templates read it, so that a new type
 * is one row here plus what the compiler then asks for.
 */
import { sameInBoth, type Text } from "../foundation/text.ts";

/**
 * Where the customer is, which decides the type that is sent, the default income type and the box of the VAT return. Retail documents have
 * no customer and count as Greece.
 */
export type Region = "greece" | "eu" | "third_country";

/** The type that is sent to the authority in place of the document's own, and its title on paper. */
interface SentType {
  readonly type: string;
  readonly title: Text;
}

export interface DocumentTypeInfo {
  /** For lists and forms. */
  readonly name: Text;
  /** For the printed document; the Greek is the authority's own wording. */
  readonly title: Text;
  readonly sells: "goods" | "services";
  readonly isRetail: boolean;
  /** Amounts reduce totals and VAT. */
  readonly isCreditNote: boolean;
  readonly customer: "required" | "forbidden";
  /** The MARKs of the documents that this one corrects. */
  readonly originalMarks: "required" | "optional" | "forbidden";
  /** The type of the credit note that refers to documents of this type; null when there is none. */
  readonly creditedBy: "5.1" | "11.4" | null;
  /** For customers outside Greece; null when the document keeps its own type. The authority refuses 1.1 and 2.1 (errors 242 to 244). */
  readonly sentAbroad: Readonly<Record<Exclude<Region, "greece">, SentType>> | null;
  /** Used when neither the document nor the merchant's settings name a series. */
  readonly defaultSeries: string;
  /** Used when neither the line, the merchant's settings nor the credited document say how to classify income. */
  readonly defaultIncome: { readonly category: string; readonly types: Readonly<Record<Region, string>> };
  /** Assumed for all that is payable when no payments are given. */
  readonly defaultPaymentMethod: "cash" | "on_credit";
}

const WHOLESALE = { greece: "E3_561_001", eu: "E3_561_005", third_country: "E3_561_006" } as const;
const RETAIL = { greece: "E3_561_003", eu: "E3_561_003", third_country: "E3_561_003" } as const;

const INVOICE = {
  isRetail: false,
  isCreditNote: false,
  customer: "required",
  originalMarks: "forbidden",
  creditedBy: "5.1",
  defaultPaymentMethod: "on_credit",
} as const;

const CREDIT_NOTE = {
  ...INVOICE,
  isCreditNote: true,
  creditedBy: null,
  sells: "goods",
  sentAbroad: null,
  defaultIncome: { category: "category1_1", types: WHOLESALE },
} as const;

const RECEIPT = {
  isRetail: true,
  isCreditNote: false,
  customer: "forbidden",
  originalMarks: "forbidden",
  creditedBy: "11.4",
  sentAbroad: null,
  defaultPaymentMethod: "cash",
} as const;

const TABLE = {
  "1.1": {
    ...INVOICE,
    name: { en: "Sales invoice", el: "Τιμολόγιο πώλησης" },
    title: { en: "Sales invoice", el: "Τιμολόγιο Πώλησης" },
    sells: "goods",
    sentAbroad: {
      eu: {
        type: "1.2",
        title: {
          en: "Sales invoice – intra-Community supply",
          el: "Τιμολόγιο Πώλησης – Ενδοκοινοτικές Παραδόσεις",
        },
      },
      third_country: {
        type: "1.3",
        title: {
          en: "Sales invoice – supply to a third country",
          el: "Τιμολόγιο Πώλησης – Παραδόσεις Τρίτων Χωρών",
        },
      },
    },
    defaultSeries: "TIM",
    defaultIncome: { category: "category1_1", types: WHOLESALE },
  },
  "2.1": {
    ...INVOICE,
    name: { en: "Service invoice", el: "Τιμολόγιο παροχής" },
    title: { en: "Service invoice", el: "Τιμολόγιο Παροχής Υπηρεσιών" },
    sells: "services",
    sentAbroad: {
      eu: {
        type: "2.2",
        title: {
          en: "Service invoice – intra-Community services",
          el: "Τιμολόγιο Παροχής – Ενδοκοινοτική Παροχή Υπηρεσιών",
        },
      },
      third_country: {
        type: "2.3",
        title: {
          en: "Service invoice – services to a third country",
          el: "Τιμολόγιο Παροχής – Παροχή Υπηρεσιών σε Λήπτη Τρίτης Χώρας",
        },
      },
    },
    defaultSeries: "TPY",
    defaultIncome: { category: "category1_3", types: WHOLESALE },
  },
  "5.1": {
    ...CREDIT_NOTE,
    name: { en: "Credit note, associated", el: "Πιστωτικό συσχετιζόμενο" },
    title: { en: "Credit note – associated", el: "Πιστωτικό Τιμολόγιο – Συσχετιζόμενο" },
    originalMarks: "required",
    defaultSeries: "PIS",
  },
  "5.2": {
    ...CREDIT_NOTE,
    name: { en: "Credit note, not associated", el: "Πιστωτικό μη συσχετιζόμενο" },
    title: { en: "Credit note – not associated", el: "Πιστωτικό Τιμολόγιο – Μη Συσχετιζόμενο" },
    defaultSeries: "PIM",
  },
  "11.1": {
    ...RECEIPT,
    name: { en: "Retail sales receipt", el: "Απόδειξη λιανικής" },
    title: { en: "Retail sales receipt", el: "Απόδειξη Λιανικής Πώλησης" },
    sells: "goods",
    defaultSeries: "ALP",
    defaultIncome: { category: "category1_1", types: RETAIL },
  },
  "11.2": {
    ...RECEIPT,
    name: { en: "Retail service receipt", el: "Απόδειξη παροχής" },
    title: { en: "Retail service receipt", el: "Απόδειξη Παροχής Υπηρεσιών" },
    sells: "services",
    defaultSeries: "APY",
    defaultIncome: { category: "category1_3", types: RETAIL },
  },
  "11.4": {
    ...RECEIPT,
    name: { en: "Retail credit note", el: "Πιστωτικό λιανικής" },
    title: { en: "Retail credit note", el: "Πιστωτικό Στοιχείο Λιανικής" },
    sells: "goods",
    isCreditNote: true,
    originalMarks: "optional",
    creditedBy: null,
    defaultSeries: "AL4",
    defaultIncome: { category: "category1_1", types: RETAIL },
  },
} as const satisfies Record<string, DocumentTypeInfo>;

export type DocumentType = keyof typeof TABLE;

/** Every type that can be sent to the authority, such as `1.2`. */
export type AuthorityType =
  | DocumentType
  | NonNullable<(typeof TABLE)[DocumentType]["sentAbroad"]>[Exclude<Region, "greece">]["type"];

/** In the order in which lists, totals and templates show them. */
export const DOCUMENT_TYPES = Object.keys(TABLE) as [DocumentType, ...DocumentType[]];

export function typeInfo(type: DocumentType): DocumentTypeInfo {
  return TABLE[type];
}

export const CREDIT_NOTE_TYPES: readonly DocumentType[] = DOCUMENT_TYPES.filter(
  (type) => TABLE[type].isCreditNote,
);
const CREDIT_NOTES: ReadonlySet<string> = new Set(CREDIT_NOTE_TYPES);

/** Takes text because that is what stored rows hold. */
export function isCreditNote(type: string): boolean {
  return CREDIT_NOTES.has(type);
}

/** Whether documents of the type are invoices to a business: neither retail nor a credit note. */
export function isInvoice(type: DocumentType): boolean {
  const { isRetail, isCreditNote: isCredit } = typeInfo(type);
  return !isRetail && !isCredit;
}

/** The types that documents of `type` may be sent as. */
export function authorityTypesOf(type: DocumentType): AuthorityType[] {
  const { sentAbroad } = TABLE[type];
  return sentAbroad === null ? [type] : [type, sentAbroad.eu.type, sentAbroad.third_country.type];
}

const CREDITED_BY: ReadonlyMap<string, DocumentTypeInfo["creditedBy"]> = new Map(
  DOCUMENT_TYPES.flatMap((type) =>
    authorityTypesOf(type).map((sent) => [sent, typeInfo(type).creditedBy] as const),
  ),
);

/** The type of credit note that refers to documents sent as `authorityType`; null when there is none. */
export function creditNoteFor(authorityType: string): DocumentTypeInfo["creditedBy"] {
  return CREDITED_BY.get(authorityType) ?? null;
}

const PRINTED_TITLES: ReadonlyMap<string, Text> = new Map(
  Object.entries<DocumentTypeInfo>(TABLE).flatMap(([type, { title, sentAbroad }]): [string, Text][] => [
    [type, title],
    ...Object.values(sentAbroad ?? {}).map((sent): [string, Text] => [sent.type, sent.title]),
  ]),
);

/** The title of a document that is sent as `authorityType`; the type itself when it is not in the table. */
export function printedTitle(authorityType: string): Text {
  return PRINTED_TITLES.get(authorityType) ?? sameInBoth(authorityType);
}
