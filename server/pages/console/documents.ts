/** The page that lists documents, with filters and search. */
import { TEXTS } from "./messages.ts";
import { STATUS_NAMES } from "./messages/code-names.ts";
import { DOCUMENT_STATUSES } from "../../../storage/stored-values.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import { searchDocuments } from "../../../src/documents/search-documents.ts";
import { DOCUMENT_TYPES } from "../../../src/domain/document-types.ts";
import { listMerchants } from "../../../src/merchants/merchants.ts";
import { dateField, idField, textField, wordField } from "../../../src/operations/field.ts";
import { ELSEWHERE_PATH } from "./credit-source.ts";
import { NEW_DOCUMENT_ROUTES } from "./new/new-document.ts";
import { DOCUMENT_PAGE_ROUTES } from "./document.ts";
import { documentColumns, merchantNames, typeName } from "./document-parts.ts";
import { type FilterField, filterForm, listPart, readListQuery } from "./list-page.ts";
import { html } from "../markup.ts";
import { formLink } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const SEARCH_LENGTH_MAX = 200;
/** Limits the menu; the pages of the other merchants link to their documents. */
const MERCHANT_OPTIONS_MAX = 100;

const FIELDS = {
  q: textField(SEARCH_LENGTH_MAX, "Text to search for."),
  status: wordField(DOCUMENT_STATUSES, "Only documents with this status."),
  type: wordField(DOCUMENT_TYPES, "Only documents of this type."),
  merchant: idField("mer", "Only documents of this merchant."),
  from: dateField("Issued on this day or later."),
  to: dateField("Issued on this day or earlier."),
};

async function filterFields(visit: Visit): Promise<FilterField[]> {
  const { appliance, translate } = visit;
  const merchants = await listMerchants(appliance, { limit: MERCHANT_OPTIONS_MAX });
  const asked = visit.query.get("merchant") ?? "";
  const offered = merchants.data.map(({ id, name }) => ({ value: id, text: name }));
  // A merchant from the address stays selected even if it is not in the menu.
  if (asked !== "" && !offered.some(({ value }) => value === asked))
    offered.push({ value: asked, text: asked });
  return [
    { name: "q", label: translate(TEXTS.search), hint: translate(TEXTS.searchHint), isWide: true },
    {
      name: "status",
      label: translate(TEXTS.status),
      options: DOCUMENT_STATUSES.map((value) => ({ value, text: translate(STATUS_NAMES[value]) })),
    },
    {
      name: "type",
      label: translate(TEXTS.type),
      options: DOCUMENT_TYPES.map((value) => ({ value, text: typeName(translate, value) })),
    },
    { name: "merchant", label: translate(TEXTS.merchant), options: offered },
    { name: "from", label: translate(TEXTS.from), type: "date" },
    { name: "to", label: translate(TEXTS.to), type: "date" },
  ];
}

async function documentsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate } = visit;
  const { q, from, to, ...query } = readListQuery(visit, FIELDS);
  const form = filterForm(visit, await filterFields(visit));
  const page =
    q === undefined
      ? await listDocuments(appliance, mode, { ...query, "issue_date[gte]": from, "issue_date[lte]": to })
      : { object: "list" as const, data: await searchDocuments(appliance, mode, q), has_more: false };
  const names = await merchantNames(visit, page.data);
  const heading = q !== undefined && html`<h2>${translate(TEXTS.resultsFor(q.trim()))}</h2>`;
  const list = listPart(visit, {
    title: TEXTS.documents,
    page,
    columns: documentColumns(visit, names),
    heading,
  });
  return {
    kind: "page",
    title: translate(TEXTS.documents),
    content: html`${form}<p class="actions">${formLink(visit, "/console/new", translate(TEXTS.newDocument), "button primary")}${formLink(visit, ELSEWHERE_PATH, translate(TEXTS.creditElsewhere))}</p>${list}`,
  };
}

export const DOCUMENT_ROUTES: readonly Route[] = [
  get("/documents", documentsPage),
  ...DOCUMENT_PAGE_ROUTES,
  ...NEW_DOCUMENT_ROUTES,
];
