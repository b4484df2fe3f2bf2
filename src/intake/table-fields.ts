/**
 * The fields of a document that people fill in, each described once: its place in the body of POST /documents, the column that files
 * have for it, its place in the console's form and its flag (docs/contract.md#csv-columns). Files, templates, forms, and the messages
 * that say which cell is wrong follow.
 */
import type * as v from "valibot";
import type { CodeWords } from "../domain/document-codes.ts";
import { IssueBodySchema } from "../domain/issue-body.ts";
import { readWithheld, withheldCategoryOf, withhold } from "../domain/taxes.ts";
import { maxLengthOf } from "../foundation/field-schemas.ts";
import type { Text } from "../foundation/text.ts";
import { readDay } from "../foundation/days.ts";
import {
  type Reader,
  readCountry,
  readIncomeCategory,
  readIncomeType,
  readMarks,
  readPaymentMethod,
  readTaxCode,
  readText,
  readType,
  readUnit,
  readVatCategory,
  readWhole,
} from "./cell-values.ts";

export interface DocumentField {
  /** In the first row of a document, in the row of each line, or in every row. */
  of: "document" | "line" | "row";
  /** Its place in the body, of a line in the line. Null for a column that is no field. */
  path: string | null;
  /** Objects of the body whose problems are shown at this field. */
  also?: readonly string[];
  /** The column's names: the Greek one is read like our own and is that of Greek templates; those in `also` are only suggested. */
  words: CodeWords;
  /** Reads a cell. Numbers with decimals are read with the sign of the file instead. */
  read?: Reader;
  /** Its value depends on other fields, so it is not simply written to its path. */
  isBuilt?: true;
  /** Instead of its path: writes what was read to the body of a document with lines and totals, and reads it again. */
  document?: { write(document: never, text: string): void; read(document: never): string };
  /** How a workbook has it, other than as it is typed. */
  sheet?: "text" | "decimal" | "day";
  /** In characters. */
  width?: number;
  /** Templates leave it out. */
  isExtra?: true;
  /** In the console's form: its name there, and `more` for what few documents have. */
  form?: { name: string; label: Text; place?: "customer" | "more" | "hidden" };
  /** Where paper shows a field of the document, and its label there if the form has another. Views show these fields too. */
  paper?: { at: "heading" | "foot"; label?: Text };
  /** Of `documents new`: as in its help, without the dashes. */
  flag?: { name: string; help: Text };
}

/** In the order of docs/contract.md#csv-columns, which templates use; a file may have any order. */
export const FIELDS = {
  reference: {
    of: "row",
    path: "external_reference",
    sheet: "text",
    form: { name: "reference", label: { en: "Your reference", el: "Δική σας αναφορά" }, place: "more" },
    flag: { name: "reference <reference>", help: { en: "external reference", el: "εξωτερική αναφορά" } },
    words: {
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
  },
  type: {
    of: "document",
    path: "document.type",
    read: readType,
    sheet: "text",
    width: 26,
    form: { name: "type", label: { en: "Type", el: "Τύπος" } },
    words: {
      en: "document type",
      el: "Τύπος παραστατικού",
      also: ["Τύπος", "Είδος παραστατικού", "Document type", "Invoice type", "Doc type"],
    },
  },
  issue_date: {
    of: "document",
    path: "document.issue_date",
    read: readDay,
    sheet: "day",
    form: { name: "issue_date", label: { en: "Issue date", el: "Ημερομηνία έκδοσης" } },
    words: {
      en: "issue date",
      el: "Ημερομηνία έκδοσης",
      also: ["Ημερομηνία", "Ημ/νία", "Ημ. έκδοσης", "Ημερομηνία παραστατικού", "Date", "Invoice date"],
    },
  },
  series: {
    of: "document",
    path: "series",
    read: readText,
    sheet: "text",
    form: { name: "series", label: { en: "Series", el: "Σειρά" }, place: "more" },
    flag: {
      name: "series <series>",
      help: {
        en: "series (default: of the merchant's settings)",
        el: "σειρά (αν λείπει: των ρυθμίσεων της επιχείρησης)",
      },
    },
    words: { en: "series", el: "Σειρά", also: ["Σειρά παραστατικού", "Invoice series"] },
  },
  number: {
    of: "document",
    path: "number",
    read: readWhole,
    words: {
      en: "number within the series",
      el: "Αριθμός στη σειρά",
      also: ["Αριθμός", "Αρ.", "Number", "No"],
    },
  },
  customer_country: {
    of: "document",
    path: "document.customer.tax_id.country",
    read: readCountry,
    isBuilt: true,
    words: { en: "customer's country", el: "Χώρα πελάτη", also: ["Χώρα", "Country", "Country code"] },
  },
  customer_tax_id: {
    of: "document",
    path: "document.customer.tax_id.code",
    also: ["document.customer", "document.customer.tax_id"],
    read: readTaxCode,
    isBuilt: true,
    sheet: "text",
    form: { name: "customer", label: { en: "Tax number", el: "ΑΦΜ" } },
    words: {
      en: "customer's tax number",
      el: "ΑΦΜ πελάτη",
      also: ["ΑΦΜ", "Α.Φ.Μ.", "ΑΦΜ λήπτη", "Tax id", "Vat number", "Vat no", "Customer vat", "Tin"],
    },
  },
  customer_name: {
    of: "document",
    path: "document.customer.name",
    read: readText,
    width: 30,
    form: { name: "customer_name", label: { en: "Name", el: "Επωνυμία" }, place: "customer" },
    flag: { name: "customer-name <name>", help: { en: "name of the customer", el: "επωνυμία του πελάτη" } },
    words: {
      en: "customer's name",
      el: "Επωνυμία πελάτη",
      also: ["Επωνυμία", "Πελάτης", "Όνομα", "Ονοματεπώνυμο", "Customer", "Client", "Company", "Name"],
    },
  },
  customer_street: {
    of: "document",
    path: "document.customer.address.street",
    read: readText,
    form: { name: "customer_street", label: { en: "Street", el: "Οδός" }, place: "customer" },
    flag: { name: "customer-street <street>", help: { en: "street", el: "οδός" } },
    words: { en: "customer's street", el: "Οδός πελάτη", also: ["Οδός", "Διεύθυνση", "Street", "Address"] },
  },
  customer_street_number: {
    of: "document",
    path: "document.customer.address.number",
    read: readText,
    sheet: "text",
    form: { name: "customer_number", label: { en: "Street number", el: "Αριθμός" }, place: "customer" },
    flag: { name: "customer-street-number <number>", help: { en: "number in the street", el: "αριθμός" } },
    words: { en: "number in the street", el: "Αριθμός οδού", also: ["Street number"] },
  },
  customer_postal_code: {
    of: "document",
    path: "document.customer.address.postal_code",
    also: ["document.customer.address"],
    read: readText,
    sheet: "text",
    form: { name: "customer_postal_code", label: { en: "Postal code", el: "ΤΚ" }, place: "customer" },
    flag: { name: "customer-postal-code <code>", help: { en: "postal code", el: "ταχυδρομικός κώδικας" } },
    words: {
      en: "customer's postal code",
      el: "Τ.Κ. πελάτη",
      also: ["Τ.Κ.", "ΤΚ", "Ταχυδρομικός κώδικας", "Postal code", "Postcode", "Zip"],
    },
  },
  customer_city: {
    of: "document",
    path: "document.customer.address.city",
    read: readText,
    form: { name: "customer_city", label: { en: "City", el: "Πόλη" }, place: "customer" },
    flag: { name: "customer-city <city>", help: { en: "city", el: "πόλη" } },
    words: { en: "customer's city", el: "Πόλη πελάτη", also: ["Πόλη", "Περιοχή", "City", "Town"] },
  },
  customer_branch: {
    of: "document",
    path: "document.customer.branch",
    read: readWhole,
    form: { name: "customer_branch", label: { en: "Branch", el: "Εγκατάσταση" }, place: "hidden" },
    words: {
      en: "customer's branch",
      el: "Εγκατάσταση πελάτη",
      also: ["Υποκατάστημα", "Εγκατάσταση", "Branch"],
    },
  },
  description: {
    of: "line",
    path: "description",
    read: readText,
    isBuilt: true,
    width: 30,
    form: { name: "description", label: { en: "Description", el: "Περιγραφή" } },
    words: {
      en: "description of the line",
      el: "Περιγραφή",
      also: ["Είδος", "Προϊόν", "Υπηρεσία", "Αιτιολογία", "Item", "Product", "Service"],
    },
  },
  quantity: {
    of: "line",
    path: "quantity",
    isBuilt: true,
    sheet: "decimal",
    form: { name: "quantity", label: { en: "Quantity", el: "Ποσότητα" } },
    words: {
      en: "quantity",
      el: "Ποσότητα",
      also: ["Ποσ.", "Ποσ", "Τεμάχια", "Τεμ.", "Qty", "Pieces", "Units"],
    },
  },
  unit: {
    of: "line",
    path: "unit",
    read: readUnit,
    form: { name: "unit", label: { en: "Unit", el: "Μονάδα" } },
    words: { en: "unit", el: "Μονάδα μέτρησης", also: ["Μονάδα", "Μ.Μ.", "Unit of measure", "Uom"] },
  },
  unit_price: {
    of: "line",
    path: "unit_price",
    isBuilt: true,
    sheet: "decimal",
    form: { name: "price", label: { en: "Price", el: "Τιμή" } },
    words: {
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
  },
  vat_category: {
    of: "line",
    path: "vat_category",
    read: readVatCategory,
    isBuilt: true,
    sheet: "text",
    form: { name: "vat", label: { en: "VAT", el: "ΦΠΑ" } },
    words: {
      en: "VAT rate",
      el: "Συντελεστής ΦΠΑ",
      also: ["ΦΠΑ", "Φ.Π.Α.", "ΦΠΑ %", "% ΦΠΑ", "Κατηγορία ΦΠΑ", "Vat", "Vat rate", "Vat %", "Tax rate"],
    },
  },
  vat_exemption: {
    of: "line",
    path: "vat_exemption",
    read: readWhole,
    form: { name: "exemption", label: { en: "Exemption", el: "Εξαίρεση" } },
    words: {
      en: "VAT exemption cause",
      el: "Αιτία εξαίρεσης ΦΠΑ",
      also: ["Αιτία εξαίρεσης", "Απαλλαγή", "Κατηγορία αιτίας εξαίρεσης ΦΠΑ", "Exemption"],
    },
  },
  income_category: {
    of: "line",
    path: "income_classification.category",
    also: ["income_classification"],
    read: readIncomeCategory,
    sheet: "text",
    words: {
      en: "income category",
      el: "Κατηγορία εσόδων",
      also: ["Κατηγορία χαρακτηρισμού", "Χαρακτηρισμός εσόδων"],
    },
  },
  income_type: {
    of: "line",
    path: "income_classification.type",
    read: readIncomeType,
    words: { en: "income type (E3)", el: "Τύπος εσόδων", also: ["Τύπος χαρακτηρισμού", "Κωδικός Ε3", "Ε3"] },
  },
  payment_method: {
    of: "document",
    path: "document.payments",
    read: readPaymentMethod,
    isBuilt: true,
    form: { name: "payment", label: { en: "Payment", el: "Πληρωμή" } },
    words: {
      en: "payment method",
      el: "Τρόπος πληρωμής",
      also: ["Πληρωμή", "Εξόφληση", "Payment", "Payment type", "Paid by"],
    },
  },
  original_marks: {
    of: "document",
    path: "document.original_marks",
    read: readMarks,
    sheet: "text",
    words: {
      en: "MARKs of the credited documents",
      el: "ΜΑΡΚ που πιστώνονται",
      also: ["ΜΑΡΚ", "Συσχετιζόμενα", "Σχετικά παραστατικά", "Mark", "Original mark"],
    },
  },
  unit_price_gross: {
    of: "line",
    path: null,
    sheet: "decimal",
    isExtra: true,
    words: {
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
  },
  withheld: {
    of: "document",
    path: "document.taxes",
    read: readWithheld,
    document: {
      write: withhold,
      read: (document: Parameters<typeof withheldCategoryOf>[0]) => {
        const category = withheldCategoryOf(document);
        return category === undefined ? "" : `category ${category}`;
      },
    },
    isExtra: true,
    form: { name: "withheld", label: { en: "Withheld tax", el: "Παρακράτηση φόρου" }, place: "more" },
    flag: {
      name: "withhold <rate>",
      help: {
        en: 'tax that the customer withholds: 20%, 3%, 1%, 8%, or a category: "category 8"',
        el: 'φόρος που παρακρατεί ο πελάτης: 20%, 3%, 1%, 8%, ή κατηγορία: "κατηγορία 8"',
      },
    },
    words: {
      en: "withheld tax: 20%, 3%, 1%, 8%, or a category",
      el: "Παρακράτηση φόρου",
      also: ["Παρακράτηση", "Παρακρατούμενος φόρος", "Withholding", "Withholding tax", "Withheld tax"],
    },
  },
  notes: {
    of: "document",
    path: "document.notes",
    read: readText,
    isExtra: true,
    width: 30,
    form: { name: "notes", label: { en: "Notes on paper", el: "Παρατηρήσεις στο έντυπο" }, place: "more" },
    paper: { at: "foot", label: { en: "Notes", el: "Παρατηρήσεις" } },
    flag: { name: "notes <text>", help: { en: "notes on paper", el: "παρατηρήσεις στο έντυπο" } },
    words: {
      en: "notes on paper",
      // Files also have notes of their own, which must not be printed by accident.
      el: "Παρατηρήσεις στο έντυπο",
      also: ["Παρατηρήσεις εντύπου", "Notes on invoice", "Invoice notes"],
    },
  },
  delivery_date: {
    of: "document",
    path: "document.delivery_date",
    read: readDay,
    sheet: "day",
    isExtra: true,
    form: {
      name: "delivery_date",
      label: { en: "Delivery date", el: "Ημερομηνία παράδοσης" },
      place: "more",
    },
    paper: { at: "heading" },
    flag: {
      name: "delivery-date <day>",
      help: { en: "day of delivery or performance", el: "ημερομηνία παράδοσης" },
    },
    words: {
      en: "day of delivery or performance",
      el: "Ημερομηνία παράδοσης",
      also: ["Παράδοση", "Ημ. παράδοσης", "Delivery", "Delivered"],
    },
  },
  due_date: {
    of: "document",
    path: "document.due_date",
    read: readDay,
    sheet: "day",
    isExtra: true,
    form: { name: "due_date", label: { en: "Pay by", el: "Πληρωμή έως" }, place: "more" },
    paper: { at: "heading" },
    flag: { name: "due-date <day>", help: { en: "day by which to pay", el: "πληρωμή έως" } },
    words: {
      en: "day by which to pay",
      el: "Πληρωμή έως",
      also: ["Ημερομηνία λήξης", "Λήξη", "Προθεσμία πληρωμής", "Due", "Payment due", "Pay by"],
    },
  },
  supplier_tax_id: {
    of: "row",
    path: null,
    read: readTaxCode,
    isExtra: true,
    words: {
      en: "tax number of the merchant itself",
      el: "ΑΦΜ εκδότη",
      also: ["ΑΦΜ προμηθευτή", "Εκδότης", "Supplier", "Supplier vat", "Issuer vat"],
    },
  },
} as const satisfies Readonly<Record<string, DocumentField>>;

/** A column that a file may have. */
export type ColumnName = keyof typeof FIELDS;
/** A column about the whole document: filled in its first row, repeated or blank in the others. */
export type DocumentColumn = {
  [Name in ColumnName]: (typeof FIELDS)[Name]["of"] extends "document" ? Name : never;
}[ColumnName];

/** The field of a column, without the literal types of its entry. */
export function fieldOf(column: ColumnName): DocumentField {
  return FIELDS[column];
}

export const FILE_COLUMNS = Object.keys(FIELDS) as readonly ColumnName[];
/** Those of templates. */
export const COLUMNS = FILE_COLUMNS.filter((column) => fieldOf(column).isExtra !== true);
export const DOCUMENT_COLUMNS = FILE_COLUMNS.filter(
  (column): column is DocumentColumn => FIELDS[column].of === "document",
);

/** The fields with this place in the form. */
export function fieldsIn(place: "customer" | "more"): readonly ColumnName[] {
  return FILE_COLUMNS.filter((column) => fieldOf(column).form?.place === place);
}

/** A field that paper and views show, such as a day by which to pay. */
export interface ShownField {
  label: Text;
  /** A day is `YYYY-MM-DD`. */
  text: string;
  isDay: boolean;
}

/** The fields that `document` has and paper shows in this place. */
export function fieldsShown(document: object, place: "heading" | "foot"): ShownField[] {
  return FILE_COLUMNS.flatMap((column) => {
    const { paper, form, sheet } = fieldOf(column);
    if (paper?.at !== place) return [];
    const text = readField({ document }, column);
    return text === "" ? [] : [{ label: paper.label ?? form!.label, text, isDay: sheet === "day" }];
  });
}

/** Writes what was typed to its place in `body`. Returns what is wrong with it. */
export function writeTyped(body: object, column: ColumnName, typed: string): Text | undefined {
  const reading = fieldOf(column).read?.(typed) ?? { value: typed };
  if ("problem" in reading) return reading.problem;
  writeField(body, column, reading.value);
  return undefined;
}

/** The value at the field's place in `body`, as a person types it; empty where there is none. */
export function readField(body: object, column: ColumnName): string {
  const own = fieldOf(column).document;
  if (own !== undefined) return own.read((body as { document: never }).document);
  const value = valueAt(body, column);
  return value === undefined ? "" : String(value);
}

function valueAt(body: object, column: ColumnName): unknown {
  let place: unknown = body;
  for (const key of fieldOf(column).path!.split("."))
    place = (place as Record<string, unknown> | undefined)?.[key];
  return place;
}

/** Whether `body` has something at the field's place, even something that cannot be typed into the field. */
export function hasField(body: object, column: ColumnName): boolean {
  return valueAt(body, column) !== undefined;
}

/** Writes the value of `text`, which the field's reader returned, to its place in `body`, or in `body` as a line. */
export function writeField(body: object, column: ColumnName, text: string): void {
  const { path, read, document } = fieldOf(column);
  if (document !== undefined) return document.write((body as { document: never }).document, text);
  const keys = path!.split(".");
  const last = keys.pop()!;
  let place = body as Record<string, unknown>;
  for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
  // The body has a number where a whole one is read, and a list of MARKs.
  place[last] = read === readWhole ? Number(text) : read === readMarks ? text.split(" ") : text;
}

function columnsByPath(isOf: (of: DocumentField["of"]) => boolean): ReadonlyMap<string, ColumnName> {
  const columns = FILE_COLUMNS.filter((column) => isOf(FIELDS[column].of));
  return new Map(
    columns.flatMap((column) => {
      const { path, also = [] } = fieldOf(column);
      return [...(path === null ? [] : [path]), ...also].map((one): [string, ColumnName] => [one, column]);
    }),
  );
}

const OF_DOCUMENT = columnsByPath((of) => of !== "line");
const OF_LINE = columnsByPath((of) => of === "line");
const LINE_PATH = /^document\.lines\[(\d+)\](?:\.(.+))?$/;

/** The field of a problem at `path`, such as `document.lines[2].unit_price`, and for one of a line the index of the line. */
export function findField(path: string): { column: ColumnName | undefined; line?: number } {
  const [, index, member = ""] = LINE_PATH.exec(path) ?? [];
  if (index !== undefined) return { column: OF_LINE.get(member), line: Number(index) };
  return { column: OF_DOCUMENT.get(path.replace(/\[\d+\].*$/, "")) };
}

/** The most characters that the API takes; undefined for what is no text. */
export function maxLength(column: ColumnName): number | undefined {
  const { of, path } = fieldOf(column);
  if (path === null) return undefined;
  let schema: v.GenericSchema = IssueBodySchema;
  for (const key of (of === "line" ? `document.lines.${path}` : path).split("."))
    schema = memberOf(schema, key);
  return maxLengthOf(schema);
}

/** The member `key` of an object, or of the items of a list. */
function memberOf(schema: v.GenericSchema, key: string): v.GenericSchema {
  const inner = (schema as { wrapped?: v.GenericSchema }).wrapped ?? schema;
  const { item, entries } = inner as { item?: v.GenericSchema; entries?: Record<string, v.GenericSchema> };
  return item === undefined ? entries![key]! : memberOf(item, key);
}
