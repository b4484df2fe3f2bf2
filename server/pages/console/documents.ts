/** The page that lists documents, with filters and search. */
import { TEXTS } from "./messages.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import { findCustomerNames, findMeantCustomers } from "../../../src/documents/document-customers.ts";
import { searchDocuments } from "../../../src/documents/search-documents.ts";
import * as operations from "../../../src/operations/documents.ts";
import { textField } from "../../../src/operations/field.ts";
import { ELSEWHERE_PATH } from "./credit-source.ts";
import { NEW_DOCUMENT_ROUTES } from "./new/new-document.ts";
import { DOCUMENT_PAGE_ROUTES } from "./document.ts";
import { documentColumns, merchantNames } from "./document-parts.ts";
import { listPage } from "./list-page.ts";
import { html } from "../markup.ts";
import { formLink } from "./parts.ts";
import { get, type Route } from "./visit.ts";

const SEARCH_LENGTH_MAX = 200;

const documentsPage = listPage({
  title: TEXTS.documents,
  fields: {
    q: { ...textField(SEARCH_LENGTH_MAX, "Text to search for."), label: TEXTS.search },
    ...operations.listDocuments.query,
  },
  // The search finds MARKs and references, and the merchant is chosen above.
  notOffered: ["merchant", "mark", "external_reference"],
  hints: { q: TEXTS.searchHint },
  async find({ appliance, mode, merchant: chosen }, { q, customer_tax_id: customer, ...query }) {
    const merchant = query.merchant ?? chosen?.id;
    const customers =
      customer === undefined
        ? undefined
        : await findMeantCustomers(appliance, { mode, merchantId: merchant, text: customer });
    const filters = { ...query, merchant, customers };
    if (q === undefined) return listDocuments(appliance, mode, filters);
    return { object: "list", data: await searchDocuments(appliance, mode, q, filters), has_more: false };
  },
  columns: async (visit, documents) =>
    documentColumns(visit, {
      merchants: await merchantNames(visit, documents),
      customers: await findCustomerNames(visit.appliance, documents),
    }),
  actions: (visit) =>
    html`${formLink(visit, "/console/new", visit.translate(TEXTS.newDocument), "button primary")}${formLink(visit, ELSEWHERE_PATH, visit.translate(TEXTS.creditElsewhere))}`,
});

export const DOCUMENT_ROUTES: readonly Route[] = [
  get("/documents", documentsPage),
  ...DOCUMENT_PAGE_ROUTES,
  ...NEW_DOCUMENT_ROUTES,
];
