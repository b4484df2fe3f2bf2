/** The list of documents, with its filters and its search. */
import { DOCUMENT_STATUSES } from "../../../storage/stored-values.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import { searchDocuments } from "../../../src/documents/search-documents.ts";
import { DOCUMENT_TYPES } from "../../../src/domain/document-types.ts";
import { listMerchants } from "../../../src/merchants/merchants.ts";
import { dateField, idField, textField, wordField } from "../../query.ts";
import { DOCUMENT_PAGE_ROUTES } from "./document.ts";
import { documentColumns, merchantNames, typeName } from "./document-parts.ts";
import { type FilterField, filterForm, readListQuery } from "./filters.ts";
import { html } from "../markup.ts";
import { live, pager, tableOr } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const SEARCH_LENGTH_MAX = 200;
/** More do not fit a menu: the pages of the others lead to their documents. */
const MERCHANTS_OFFERED_MAX = 100;

const FIELDS = {
  q: textField(SEARCH_LENGTH_MAX, "What is looked for."),
  status: wordField(DOCUMENT_STATUSES, "Only documents with this status."),
  type: wordField(DOCUMENT_TYPES, "Only documents of this type."),
  merchant: idField("mer", "Only documents of this merchant."),
  from: dateField("Issued on this day or later."),
  to: dateField("Issued on this day or earlier."),
};

async function filterFields(visit: Visit): Promise<FilterField[]> {
  const { appliance, say } = visit;
  const merchants = await listMerchants(appliance, { limit: MERCHANTS_OFFERED_MAX });
  const asked = visit.query.get("merchant") ?? "";
  const offered = merchants.data.map(({ id, name }) => ({ value: id, text: name }));
  // One that was asked for by address stays chosen.
  if (asked !== "" && !offered.some(({ value }) => value === asked))
    offered.push({ value: asked, text: asked });
  return [
    { name: "q", label: say("search"), hint: say("search hint"), isWide: true },
    {
      name: "status",
      label: say("status"),
      options: DOCUMENT_STATUSES.map((value) => ({ value, text: say(value) })),
    },
    {
      name: "type",
      label: say("type"),
      options: DOCUMENT_TYPES.map((value) => ({ value, text: typeName(say, value) })),
    },
    { name: "merchant", label: say("merchant"), options: offered },
    { name: "from", label: say("from"), type: "date" },
    { name: "to", label: say("to"), type: "date" },
  ];
}

async function documentsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say } = visit;
  const { q, from, to, ...query } = readListQuery(visit, FIELDS);
  const form = filterForm(visit, await filterFields(visit));
  const page =
    q === undefined
      ? await listDocuments(appliance, mode, { ...query, "issue_date[gte]": from, "issue_date[lte]": to })
      : { object: "list" as const, data: await searchDocuments(appliance, mode, q), has_more: false };
  const names = await merchantNames(visit, page.data);
  const caption = say("documents");
  const list = tableOr(say("nothing found"), caption, documentColumns(visit, names), page.data);
  const heading = q !== undefined && html`<h2>${say("found for", { text: q.trim() })}</h2>`;
  return {
    kind: "page",
    title: say("documents"),
    content: html`${form}${live("list", html`<section class="listing">${heading}${list}${pager(visit, page)}</section>`)}`,
  };
}

export const DOCUMENT_ROUTES: readonly Route[] = [get("/documents", documentsPage), ...DOCUMENT_PAGE_ROUTES];
