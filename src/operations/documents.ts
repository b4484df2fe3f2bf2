/** Operations that find documents. */
import { DOCUMENT_STATUSES, PROVIDERS } from "../../storage/stored-values.ts";
import * as lists from "../documents/list-documents.ts";
import { MARK_FORM, NOT_A_MARK } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../domain/document-types.ts";
import { DocumentObjectSchema } from "../journal/document-object.ts";
import { DOCUMENT_COLUMNS, documentColumns, documentRows } from "./document-view.ts";
import {
  createdFields,
  dateField,
  field,
  idField,
  PAGE_FIELDS,
  patternField,
  textField,
  wordField,
} from "./field.ts";
import { LABELS, listWords } from "./view.ts";
import { data, list, operationsOf } from "./operation.ts";

const operation = operationsOf("documents");
/** A number with its country. */
const CUSTOMER_LENGTH_MAX = 62;

export const listDocuments = operation({
  id: "listDocuments",
  method: "GET",
  path: "/documents",
  summary: "List documents",
  description:
    "Finds documents by merchant, status, type, provider, MARK, reference, customer or day, newest first.",
  query: {
    ...PAGE_FIELDS,
    ...createdFields({ en: "only accepted", el: "έγιναν δεκτά" }),
    merchant: field(idField("mer", "Only of this merchant."), LABELS.merchant, "merchant <merchant>", {
      en: "only of this merchant: id or external id",
      el: "αυτής της επιχείρησης: id ή εξωτερικό id",
    }),
    status: field(
      wordField(DOCUMENT_STATUSES, "Only with this status."),
      LABELS.status,
      "status <status>",
      listWords(DOCUMENT_STATUSES),
    ),
    type: field(wordField(DOCUMENT_TYPES, "Only of this type."), LABELS.type, "type <type>", {
      en: "only of this document type, for example 1.1",
      el: "αυτού του τύπου παραστατικού, για παράδειγμα 1.1",
    }),
    provider: field(
      wordField(PROVIDERS, "Only routed to this provider."),
      LABELS.provider,
      "provider <provider>",
      { en: "only through this provider", el: "μέσω αυτού του παρόχου" },
    ),
    mark: field(patternField(MARK_FORM, "Only with this MARK.", NOT_A_MARK), LABELS.mark, "mark <mark>", {
      en: "only with this MARK",
      el: "με αυτό το ΜΑΡΚ",
    }),
    external_reference: field(
      textField(200, "Only with this external reference."),
      LABELS.reference,
      "reference <reference>",
      { en: "only with this external reference", el: "με αυτή την εξωτερική αναφορά" },
    ),
    customer_tax_id: field(
      textField(CUSTOMER_LENGTH_MAX, "Only for the customer with this tax number, with or without country."),
      LABELS.customer,
      "customer <customer>",
      {
        en: "only for this customer: its number, or part of its remembered name",
        el: "αυτού του πελάτη: το ΑΦΜ του, ή μέρος της επωνυμίας που θυμάται το fiscal",
      },
    ),
    "issue_date[gte]": field(
      dateField("Only issued on this day or later."),
      { en: "issued from", el: "έκδοση από" },
      "issued-from <day>",
      {
        en: "only with this issue date or later",
        el: "με αυτή την ημερομηνία έκδοσης ή μεταγενέστερη",
      },
    ),
    "issue_date[lte]": field(
      dateField("Only issued on this day or earlier."),
      { en: "issued to", el: "έκδοση έως" },
      "issued-to <day>",
      {
        en: "only with this issue date or earlier",
        el: "με αυτή την ημερομηνία έκδοσης ή προγενέστερη",
      },
    ),
  },
  response: DocumentObjectSchema,
  verb: {
    summary: { en: "list documents, newest first", el: "παραστατικά, πρώτα τα νεότερα" },
    examples: ["fiscal documents list --status rejected --all --json"],
  },
  table: {
    none: { en: "No documents.", el: "Δεν υπάρχουν παραστατικά." },
    columns: DOCUMENT_COLUMNS,
    completedColumns: documentColumns,
  },
  handle: async ({ context, mode, query }) => list(await lists.listDocuments(context, mode, query)),
});

export const getDocument = operation({
  id: "getDocument",
  method: "GET",
  path: "/documents/{id}",
  summary: "Get a document",
  description:
    "Shows what became of a document: its status, number, MARK, errors, warnings and history. If it was rejected, correct what the error names and issue a new one; if it failed, call `retryDocument`.",
  response: DocumentObjectSchema,
  verb: {
    argument: "document",
    summary: {
      en: "show one document, by id, external reference, series and number, or MARK",
      el: "ένα παραστατικό, με id, εξωτερική αναφορά, σειρά και αριθμό, ή ΜΑΡΚ",
    },
    examples: ["fiscal documents show 2026-001", "fiscal documents show doc_… --json"],
  },
  rows: (document) => documentRows(document),
  handle: async ({ context, mode, id }) => data(await lists.getDocument(context, mode, id)),
});
