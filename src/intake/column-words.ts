/**
 * What the columns are called in files. The Greek name is read like our own and is that of Greek templates; the names in `also`
 * are only suggested, because they may mean something else.
 */
import { comparable, type WordTable } from "../domain/code-words.ts";
import { type ColumnName, FILE_COLUMNS } from "./column-name.ts";

export const COLUMN_WORDS: WordTable<ColumnName> = {
  reference: {
    en: "reference of the document",
    el: "Αναφορά",
    also: [
      "Παραστατικό",
      "Αριθμός παραστατικού",
      "Αρ. παραστατικού",
      "Αριθμός τιμολογίου",
      "Αρ. τιμολογίου",
      "Κωδικός",
      "Παραγγελία",
      "Αριθμός παραγγελίας",
      "Αρ. παραγγελίας",
      "Κωδικός παραγγελίας",
      "Κωδ. παραγγελίας",
      "Α/Α",
      "Order",
      "Order number",
      "Order no",
      "Order id",
      "Invoice no",
      "Invoice number",
      "Document number",
      "Ref",
      "Id",
    ],
  },
  type: {
    en: "document type",
    el: "Τύπος παραστατικού",
    also: ["Τύπος", "Είδος παραστατικού", "Document type", "Invoice type", "Doc type"],
  },
  issue_date: {
    en: "issue date",
    el: "Ημερομηνία έκδοσης",
    also: ["Ημερομηνία", "Ημ/νία", "Ημ. έκδοσης", "Ημερομηνία παραστατικού", "Date", "Invoice date"],
  },
  series: { en: "series", el: "Σειρά", also: ["Σειρά παραστατικού", "Invoice series"] },
  number: {
    en: "number within the series",
    el: "Αριθμός στη σειρά",
    also: ["Αριθμός", "Αρ.", "Number", "No"],
  },
  customer_country: {
    en: "customer's country",
    el: "Χώρα πελάτη",
    also: ["Χώρα", "Country", "Country code"],
  },
  customer_tax_id: {
    en: "customer's tax number",
    el: "ΑΦΜ πελάτη",
    also: ["ΑΦΜ", "Α.Φ.Μ.", "ΑΦΜ λήπτη", "Tax id", "Vat number", "Vat no", "Customer vat", "Tin"],
  },
  customer_name: {
    en: "customer's name",
    el: "Επωνυμία πελάτη",
    also: ["Επωνυμία", "Πελάτης", "Όνομα", "Ονοματεπώνυμο", "Customer", "Client", "Company", "Name"],
  },
  customer_street: {
    en: "customer's street",
    el: "Οδός πελάτη",
    also: ["Οδός", "Διεύθυνση", "Street", "Address"],
  },
  customer_street_number: { en: "number in the street", el: "Αριθμός οδού", also: ["Street number"] },
  customer_postal_code: {
    en: "customer's postal code",
    el: "Τ.Κ. πελάτη",
    also: ["Τ.Κ.", "ΤΚ", "Ταχυδρομικός κώδικας", "Postal code", "Postcode", "Zip"],
  },
  customer_city: { en: "customer's city", el: "Πόλη πελάτη", also: ["Πόλη", "Περιοχή", "City", "Town"] },
  customer_branch: {
    en: "customer's branch",
    el: "Εγκατάσταση πελάτη",
    also: ["Υποκατάστημα", "Εγκατάσταση", "Branch"],
  },
  description: {
    en: "description of the line",
    el: "Περιγραφή",
    also: ["Είδος", "Προϊόν", "Υπηρεσία", "Αιτιολογία", "Item", "Product", "Service"],
  },
  quantity: {
    en: "quantity",
    el: "Ποσότητα",
    also: ["Ποσ.", "Ποσ", "Τεμάχια", "Τεμ.", "Qty", "Pieces", "Units"],
  },
  unit: { en: "unit", el: "Μονάδα μέτρησης", also: ["Μονάδα", "Μ.Μ.", "Unit of measure", "Uom"] },
  unit_price: {
    en: "price of one unit without VAT",
    el: "Τιμή μονάδας χωρίς ΦΠΑ",
    also: [
      "Τιμή μονάδας",
      "Τιμή",
      "Καθαρή τιμή",
      "Τιμή χωρίς ΦΠΑ",
      "Unit price",
      "Price",
      "Net price",
      "Unit net",
    ],
  },
  vat_category: {
    en: "VAT rate",
    el: "Συντελεστής ΦΠΑ",
    also: ["ΦΠΑ", "Φ.Π.Α.", "ΦΠΑ %", "% ΦΠΑ", "Κατηγορία ΦΠΑ", "Vat", "Vat rate", "Vat %", "Tax rate"],
  },
  vat_exemption: {
    en: "VAT exemption cause",
    el: "Αιτία εξαίρεσης ΦΠΑ",
    also: ["Αιτία εξαίρεσης", "Απαλλαγή", "Κατηγορία αιτίας εξαίρεσης ΦΠΑ", "Exemption"],
  },
  income_category: {
    en: "income category",
    el: "Κατηγορία εσόδων",
    also: ["Κατηγορία χαρακτηρισμού", "Χαρακτηρισμός εσόδων"],
  },
  income_type: {
    en: "income type (E3)",
    el: "Τύπος εσόδων",
    also: ["Τύπος χαρακτηρισμού", "Κωδικός Ε3", "Ε3"],
  },
  payment_method: {
    en: "payment method",
    el: "Τρόπος πληρωμής",
    also: ["Πληρωμή", "Εξόφληση", "Payment", "Payment type", "Paid by"],
  },
  original_marks: {
    en: "MARKs of the credited documents",
    el: "ΜΑΡΚ που πιστώνονται",
    also: ["ΜΑΡΚ", "Συσχετιζόμενα", "Σχετικά παραστατικά", "Mark", "Original mark"],
  },
  unit_price_gross: {
    en: "price of one unit with VAT",
    el: "Τιμή μονάδας με ΦΠΑ",
    also: [
      "Τιμή με ΦΠΑ",
      "Μικτή τιμή",
      "Λιανική τιμή",
      "Τελική τιμή",
      "Gross price",
      "Price with vat",
      "Retail price",
    ],
  },
  supplier_tax_id: {
    en: "tax number of the merchant itself",
    el: "ΑΦΜ εκδότη",
    also: ["ΑΦΜ προμηθευτή", "Εκδότης", "Supplier", "Supplier vat", "Issuer vat"],
  },
};

const BY_GREEK_NAME: ReadonlyMap<string, ColumnName> = new Map(
  FILE_COLUMNS.map((column) => [comparable(COLUMN_WORDS[column].el), column]),
);

/** The column with this Greek name. */
export function columnInGreek(name: string): ColumnName | undefined {
  return BY_GREEK_NAME.get(comparable(name));
}

const SUGGESTED = FILE_COLUMNS.flatMap((column) => {
  const { el, also } = COLUMN_WORDS[column];
  return [column, el, ...also].map((word) => ({ word: comparable(word), column }));
});

/**
 * They identify a document, and another number in their place (of the customer, the product) would be filed: they are suggested
 * only for one of their names as a whole.
 */
const WHOLE_NAME_ONLY: ReadonlySet<ColumnName> = new Set(["reference", "number"]);

/** The column that `name` probably means: by a known name, otherwise by the longest one in it. `taken` are not suggested. */
export function suggestColumn(
  name: string,
  taken: ReadonlySet<ColumnName> = new Set(),
): ColumnName | undefined {
  const wanted = comparable(name.slice(0, NAME_CHARACTERS_MAX));
  const free = SUGGESTED.filter(({ column }) => !taken.has(column));
  const within = free.filter(({ word, column }) =>
    WHOLE_NAME_ONLY.has(column) ? wanted === word : ` ${wanted} `.includes(` ${word} `),
  );
  const [longest] = within.toSorted((left, right) => right.word.length - left.word.length);
  return longest?.column;
}

/** A longer name is not one of a column. */
const NAME_CHARACTERS_MAX = 200;
