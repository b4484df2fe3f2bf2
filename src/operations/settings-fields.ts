/** The fields of a merchant's settings for forms: its paper, that of a branch, and how it issues. What a form leaves out stays as it is. */
import { INCOME_CATEGORIES, INCOME_TYPES } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, typeInfo } from "../domain/document-types.ts";
import { ON_ISSUE_WORDS } from "../merchants/merchant-object.ts";
import type { Text } from "../foundation/text.ts";
import type { BodyField } from "./body-fields.ts";

const PAPER: Readonly<Record<string, Text>> = {
  address: { en: "address, in one line", el: "διεύθυνση, σε μία γραμμή" },
  phone: { en: "phone", el: "τηλέφωνο" },
  email: { en: "email", el: "email" },
  website: { en: "website", el: "ιστότοπος" },
  activity: { en: "activity, as registered", el: "δραστηριότητα, όπως έχει δηλωθεί" },
  gemi: { en: "ΓΕΜΗ number", el: "αριθμός ΓΕΜΗ" },
  tax_office: { en: "tax office", el: "ΔΟΥ" },
  color: { en: "colour of headings, such as #1a2b3c", el: "χρώμα επικεφαλίδων, όπως #1a2b3c" },
};

/** What the documents of a branch show instead of the head office's; the others are of the business. */
const OF_BRANCHES = ["address", "phone", "email", "website", "activity"];

export function branchFields(number: string): BodyField[] {
  return OF_BRANCHES.map((name) => ({ path: ["paper", "branches", number, name], label: PAPER[name]! }));
}

/** What PDFs show. */
export const PAPER_FIELDS: readonly BodyField[] = [
  ...Object.entries(PAPER).map(([name, label]) => ({ path: ["paper", name], label })),
  {
    path: ["paper", "bank_accounts"],
    label: { en: "bank accounts", el: "τραπεζικοί λογαριασμοί" },
    hint: { en: "bank=IBAN in each line", el: "τράπεζα=IBAN σε κάθε γραμμή" },
    kind: "pairs",
    pair: ["bank", "iban"],
  },
  {
    path: ["paper", "language"],
    label: { en: "language of the PDFs", el: "γλώσσα των PDF" },
    hint: { en: "without one, Greek and English", el: "χωρίς επιλογή, ελληνικά και αγγλικά" },
    words: ["el", "en"],
  },
  {
    path: ["paper", "receipt"],
    label: { en: "retail documents on 80 mm paper", el: "παραστατικά λιανικής σε χαρτί 80 mm" },
    kind: "boolean",
  },
  {
    path: ["paper", "logo"],
    label: { en: "logo, PNG or JPEG", el: "λογότυπο, PNG ή JPEG" },
    kind: "image",
  },
];

/** How documents are numbered, classified and refused. */
export const ISSUING_FIELDS: readonly BodyField[] = [
  {
    path: ["closed_until"],
    label: { en: "books closed until", el: "κλειστά βιβλία έως" },
    hint: {
      en: "documents dated on this day or before are refused",
      el: "παραστατικά με ημερομηνία έως και αυτή την ημέρα δεν γίνονται δεκτά",
    },
    kind: "day",
    isRemovable: true,
  },
  {
    path: ["vat_payment_suspension"],
    label: { en: "VAT is due only when the customer pays", el: "αναστολή καταβολής ΦΠΑ" },
    hint: { en: "the documents say so", el: "το γράφουν τα παραστατικά" },
    kind: "boolean",
  },
  {
    path: ["on_issue"],
    label: { en: "once a document is issued", el: "μόλις εκδοθεί ένα παραστατικό" },
    hint: {
      en: "mail: its PDF goes to the address that the customer's last document was mailed to",
      el: "email: το PDF στέλνεται εκεί όπου στάλθηκε το τελευταίο παραστατικό του πελάτη",
    },
    words: ON_ISSUE_WORDS,
  },
  ...DOCUMENT_TYPES.flatMap((type): BodyField[] => {
    const { name } = typeInfo(type);
    const group = { en: `${type} ${name.en}`, el: `${type} ${name.el}` };
    return [
      { path: ["numbering", type, "series"], label: { en: "series", el: "σειρά" }, group },
      {
        path: ["numbering", type, "next_number"],
        label: { en: "lowest next number", el: "ελάχιστος επόμενος αριθμός" },
        kind: "integer",
        group,
      },
      {
        path: ["classification", type, "category"],
        label: { en: "income category", el: "κατηγορία εσόδων" },
        words: INCOME_CATEGORIES,
        group,
      },
      {
        path: ["classification", type, "type"],
        label: { en: "income type (Ε3)", el: "τύπος εσόδων (Ε3)" },
        words: INCOME_TYPES,
        group,
      },
    ];
  }),
];
