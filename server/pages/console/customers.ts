/** The page of the customers that are remembered for the merchant, with the columns of their operation. */
import { customerNumber } from "./new/customer.ts";
import { listCustomers } from "../../../src/merchants/customers.ts";
import * as operations from "../../../src/operations/customers.ts";
import { viewColumns } from "./operation-pages.ts";
import { TEXTS } from "./messages.ts";
import { html } from "../markup.ts";
import { type Column, tableOrEmpty } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const SHOWN_MAX = 500;

type Customer = Awaited<ReturnType<typeof listCustomers>>[number];

async function customersPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, merchant } = visit;
  const title = translate(TEXTS.customers);
  if (merchant === undefined)
    return { kind: "page", title, content: html`<p class="empty">${translate(TEXTS.chooseAbove)}</p>` };
  const { columns: shown, none } = operations.listCustomers.table!;
  const customers = await listCustomers(appliance, { merchantId: merchant.id, mode, limit: SHOWN_MAX });
  const documents: Column<Customer> = {
    head: translate(TEXTS.documents),
    cell: (customer) =>
      html`<a href="/console/documents?customer_tax_id=${customerNumber(customer)}">${translate(TEXTS.documents)}<span class="unseen"> ${customer.name}</span></a>`,
  };
  const columns = [...viewColumns<Customer>(visit, shown), documents];
  const list = tableOrEmpty(translate(none), title, columns, customers);
  const note = customers.length === SHOWN_MAX && html`<p class="hint">${translate(TEXTS.customersShown)}</p>`;
  return { kind: "page", title, content: html`${note}<section class="listing">${list}</section>` };
}

export const CUSTOMER_ROUTES: readonly Route[] = [get("/customers", customersPage)];
