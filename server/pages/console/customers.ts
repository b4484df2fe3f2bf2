/** Pages of the customers that are remembered for the chosen merchant: their list with a search, and the statement of one. */
import { reportStatement, statementSheets } from "../../../src/books/statement.ts";
import { readCustomerNumber } from "../../../src/domain/tax-number.ts";
import { AppError, validationError } from "../../../src/foundation/errors.ts";
import { type CustomerObject, listCustomers as listRemembered } from "../../../src/merchants/customers.ts";
import { requiredField, textField, wordField } from "../../../src/operations/field.ts";
import { listCustomers } from "../../../src/operations/remembered.ts";
import {
  EMPTY_STATEMENT,
  STATEMENT_COLUMNS,
  STATEMENT_NOTE,
} from "../../../src/operations/statement-view.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { html } from "../markup.ts";
import { filterForm, filtersOf, readQuery } from "./list-page.ts";
import { TEXTS } from "./messages.ts";
import { customerNumber } from "./new/filled-in.ts";
import { viewColumns } from "./operation-pages.ts";
import { type Column, tableOrEmpty } from "./parts.ts";
import { problemPage } from "./problems.ts";
import { addressOf, PERIOD_FIELDS, periodForm, periodOf } from "./period.ts";
import { sheetsFile } from "./reports.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const SHOWN_MAX = 500;

const SEARCH = { q: { ...textField(200, "Part of the name or number."), label: TEXTS.search } };

async function customersPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, merchant } = visit;
  const title = TEXTS.customers;
  const { q: text } = readQuery(visit, SEARCH);
  if (merchant === undefined)
    return { kind: "page", title, content: html`<p class="empty">${TEXTS.chooseAbove}</p>` };
  const { columns: shown, none } = listCustomers.table!;
  const place = { merchantId: merchant.id, mode };
  const customers = await listRemembered(appliance, { ...place, limit: SHOWN_MAX, text });
  const pages: Column<CustomerObject> = {
    head: TEXTS.actions,
    cell(customer) {
      const number = encodeURIComponent(customerNumber(customer));
      const link = (to: string, label: Text) =>
        html`<a href="/console/${to}=${number}">${label}<span class="unseen"> ${customer.name}</span></a>`;
      return html`${link("documents?customer_tax_id", TEXTS.documents)} · ${link(`customers/statement?merchant=${merchant.id}&customer`, TEXTS.statement)}`;
    },
  };
  const search = filtersOf(SEARCH).map((one) => ({ ...one, note: TEXTS.customerSearchHint, look: "wide" }));
  const empty = text === undefined ? none : TEXTS.nothingFound;
  const list = tableOrEmpty(empty, title, [...viewColumns<CustomerObject>(visit, shown), pages], customers);
  const note = customers.length === SHOWN_MAX && html`<p class="hint">${TEXTS.lastShown(SHOWN_MAX)}</p>`;
  return {
    kind: "page",
    title,
    content: html`${filterForm(visit, search)}${note}<section class="listing">${list}</section>`,
  };
}

const STATEMENT_FIELDS = {
  ...PERIOD_FIELDS,
  customer: {
    ...requiredField(textField(62, "The customer's number, with its country outside Greece.")),
    label: TEXTS.customer,
  },
};

const FILE_FIELDS = {
  ...STATEMENT_FIELDS,
  format: requiredField(wordField(["pdf", "xlsx"], "The file's format.")),
};

function readStatement(
  visit: Visit,
  { customer, ...asked }: Parameters<typeof periodOf>[1] & { customer: string },
) {
  const { merchantId, mode, ...days } = periodOf(visit, asked);
  if (merchantId === undefined)
    throw validationError([{ path: "merchant", place: TEXTS.merchant, message: TEXTS.chooseAbove }]);
  return reportStatement(visit.appliance, { merchantId, mode, ...readCustomerNumber(customer) }, days);
}

async function statementPage(visit: Visit): Promise<Reply> {
  const statement = await readStatement(visit, readQuery(visit, STATEMENT_FIELDS));
  const { customer, rows, from, to: through } = statement;
  const title = html`${TEXTS.statement} · ${customer.name ?? customerNumber(customer)}`;
  const columns = viewColumns(visit, STATEMENT_COLUMNS, { pages: "documents" });
  const list = tableOrEmpty(EMPTY_STATEMENT, title, columns, rows.slice(-SHOWN_MAX));
  const file = (format: string, label: string) =>
    html`<a class="button" href="/console/customers/statement/file?${addressOf(visit, { from, through })}&format=${format}" download>${label}</a>`;
  const more = rows.length > SHOWN_MAX && html`<p class="hint">${TEXTS.lastShown(SHOWN_MAX)}</p>`;
  return {
    kind: "page",
    title,
    content: html`<p class="soft">${customer.country} ${customer.code} · ${statement.merchant_name}</p>${periodForm(visit, { from, through }, ["merchant", "customer"])}${more}<section class="listing">${list}</section><p class="hint">${STATEMENT_NOTE}</p><div class="actions">${file("pdf", "PDF")}${file("xlsx", "Excel")}</div>`,
  };
}

async function statementFile(visit: Visit): Promise<Reply> {
  const { language, mode } = visit;
  const { format, ...asked } = readQuery(visit, FILE_FIELDS);
  const statement = await readStatement(visit, asked);
  const name = `statement-${statement.from}-${statement.to}`;
  if (format === "xlsx") return sheetsFile(visit, statementSheets(statement), { name, format });
  const { renderStatement } = await import("../../../src/books/statement-pdf.ts");
  const translate = (text: Text) => text[language];
  const body = await renderStatement(statement, { mode, language, translate });
  return { kind: "file", type: "application/pdf", name: `${name}.pdf`, body };
}

/** A refused period leads back to the usual one of the customer, anything else to the list. */
function orProblem(handle: (visit: Visit) => Promise<Reply>): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    try {
      return await handle(visit);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isPeriod = error.problems.some(({ path }) => path === "from" || path === "to");
      const { merchant = "", customer = "" } = Object.fromEntries(visit.query);
      const usual = `/console/customers/statement?${new URLSearchParams({ merchant, customer })}`;
      return problemPage(visit, error, isPeriod ? usual : "/console/customers");
    }
  };
}

export const CUSTOMER_ROUTES: readonly Route[] = [
  get("/customers", customersPage),
  get("/customers/statement", orProblem(statementPage)),
  get("/customers/statement/file", orProblem(statementFile)),
];
