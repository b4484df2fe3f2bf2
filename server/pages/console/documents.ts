/** The page that lists documents, with filters and search, and the list as a file. */
import { TEXTS } from "./messages.ts";
import { DOCUMENT_SORTS, listDocuments, sortDocuments } from "../../../src/documents/list-documents.ts";
import {
  findCustomerNames,
  findMeantCustomers,
  searchDocuments,
} from "../../../src/documents/search-documents.ts";
import { BYTE_ORDER_MARK, csvRow, withoutFormula } from "../../../src/foundation/csv.ts";
import { everyPage, type Page } from "../../../src/foundation/pages.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import * as view from "../../../src/operations/document-view.ts";
import * as operations from "../../../src/operations/documents.ts";
import { PAGE_FIELDS, textField, wordField } from "../../../src/operations/field.ts";
import { CHOSEN_COLUMN, CHOSEN_ROUTES, chosenForm } from "./chosen.ts";
import { ELSEWHERE_PATH } from "./credit-source.ts";
import { NEW_DOCUMENT_ROUTES } from "./new/new-document.ts";
import { DOCUMENT_PAGE_ROUTES } from "./document.ts";
import { documentColumns, merchantNames } from "./document-parts.ts";
import { type ListQuery, listPage, readListQuery } from "./list-page.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { html } from "../markup.ts";
import { formLink, type Sorting } from "./parts.ts";
import { withFailureLogged } from "./reports.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const SEARCH_LENGTH_MAX = 200;
const FIELDS = {
  q: { ...textField(SEARCH_LENGTH_MAX, "Text to search for."), label: TEXTS.search },
  ...operations.listDocuments.query,
  sort: wordField(DOCUMENT_SORTS, "The order."),
};

async function find(
  { appliance, mode, merchant: chosen }: Visit,
  { q, customer_tax_id: customer, sort, ...query }: ListQuery<typeof FIELDS> & { isForFile?: boolean },
): Promise<Page<DocumentObject>> {
  const merchant = query.merchant ?? chosen?.id;
  const customers =
    customer === undefined
      ? undefined
      : await findMeantCustomers(appliance, { mode, merchantId: merchant, text: customer });
  const filters = { ...query, merchant, customers };
  if (q === undefined) return listDocuments(appliance, mode, { ...filters, sort });
  const data = await searchDocuments(appliance, mode, q, filters);
  return { object: "list", data: sort === undefined ? data : sortDocuments(data, sort), has_more: false };
}

const documentsPage = listPage({
  title: TEXTS.documents,
  fields: FIELDS,
  // The search finds MARKs and references, and the merchant is chosen above.
  notOffered: ["merchant", "mark", "external_reference"],
  hints: { q: TEXTS.searchHint },
  none: TEXTS.noDocuments,
  find,
  async columns(visit, documents) {
    const columns = documentColumns(visit, {
      merchants: await merchantNames(visit, documents),
      customers: await findCustomerNames(visit.appliance, documents),
    });
    const sorted = columns.map((column) => ({ ...column, sorting: sortingBy(visit, column.sortsBy) }));
    return visit.isReadOnly ? sorted : [CHOSEN_COLUMN, ...sorted];
  },
  actions(visit) {
    const { query } = visit;
    return html`${formLink(visit, "/console/new", TEXTS.newDocument, "button primary")}${formLink(visit, ELSEWHERE_PATH, TEXTS.creditElsewhere)}<a class="button" href="/console/documents.csv?${String(query)}" download>${TEXTS.exportList}</a>${chosenForm(visit)}`;
  },
});

function sortingBy({ query }: Visit, name: "date" | "amount" | undefined): Sorting | undefined {
  if (name === undefined) return undefined;
  const now = query.get("sort");
  const to = new URLSearchParams([...query].filter(([key]) => !(key in PAGE_FIELDS)));
  to.set("sort", now === `-${name}` ? name : `-${name}`);
  const order = now === name ? "ascending" : now === `-${name}` ? "descending" : undefined;
  return { to: `/console/documents?${String(to)}`, order };
}

/** Every document of the filtered list, with the columns that the list has on the command line. Refused filters fail before it begins. */
async function documentsFile(visit: Visit): Promise<Reply> {
  const query = readListQuery(visit, FIELDS);
  const pages = everyPage((page) => find(visit, { ...query, ...page, isForFile: true }));
  const first = await pages.next();
  const body = ReadableStream.from(withFailureLogged(visit.appliance, csvOf(visit, first, pages)));
  return { kind: "file", type: "text/csv; charset=utf-8", name: "documents.csv", body };
}

async function* csvOf(
  { appliance, language }: Visit,
  first: IteratorResult<readonly DocumentObject[]>,
  rest: ReturnType<typeof everyPage<DocumentObject>>,
): AsyncGenerator<Uint8Array> {
  const shown = (text: Text | string) => (typeof text === "string" ? text : text[language]);
  const bytes = (rows: readonly (readonly string[])[]) =>
    new TextEncoder().encode(rows.map((row) => csvRow(row, ";")).join(""));
  const heads = (await view.documentColumns(appliance, [])).map(({ head }) => shown(head));
  yield new TextEncoder().encode(BYTE_ORDER_MARK);
  yield bytes([heads]);
  for (let page = first; page.done !== true; page = await rest.next()) {
    const columns = await view.documentColumns(appliance, page.value);
    yield bytes(page.value.map((item) => columns.map(({ value }) => withoutFormula(shown(value(item))))));
  }
}

export const DOCUMENT_ROUTES: readonly Route[] = [
  get("/documents", documentsPage),
  get("/documents.csv", documentsFile),
  ...CHOSEN_ROUTES,
  ...DOCUMENT_PAGE_ROUTES,
  ...NEW_DOCUMENT_ROUTES,
];
