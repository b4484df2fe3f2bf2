/** The provider's routes with their permitted fields, parameters and headers; any other is a problem. */
import * as v from "valibot";
import { listBooks, listBranches, logIn, lookUp, makeBook, describeTenant } from "./accounts.ts";
import { downloadPdf, issueInvoice, listInvoices, makePdf, readInvoice } from "./invoices.ts";
import { type Answer, type Asked, InvoiceSchema, type World } from "./world.ts";

export interface Route {
  /** `GET /invoices/{ref}`: the name used by faults. */
  name: string;
  /** `none` for the login and the file store, which need no token. */
  token: "bearer" | "none";
  /** Query parameters, all required. */
  query: readonly string[];
  /** The form of the body; null if no body is permitted. */
  body: v.GenericSchema | null;
  handle(asked: Asked, world: World): Answer;
}

const TEXT = v.string();

const plain = { token: "bearer", query: [], body: null } as const;

export const ROUTES: readonly Route[] = [
  {
    ...plain,
    name: "POST /login",
    token: "none",
    body: v.strictObject({ api_key: TEXT, email: v.optional(TEXT), wrapp_user_id: v.optional(TEXT) }),
    handle: logIn,
  },
  { ...plain, name: "GET /tenant_details", handle: describeTenant },
  { ...plain, name: "GET /billing_books", handle: listBooks },
  {
    ...plain,
    name: "POST /billing_books",
    body: v.strictObject({ name: TEXT, series: TEXT, number: v.number(), invoice_type_code: TEXT }),
    handle: makeBook,
  },
  { ...plain, name: "GET /branches", handle: listBranches },
  { ...plain, name: "GET /vat_search", query: ["vat", "country_code"], handle: lookUp },
  { ...plain, name: "POST /invoices", body: InvoiceSchema, handle: issueInvoice },
  {
    ...plain,
    name: "GET /invoices/find_all_invoices",
    query: ["page", "start_date", "end_date"],
    handle: listInvoices,
  },
  { ...plain, name: "GET /invoices/{ref}", handle: readInvoice },
  { ...plain, name: "GET /invoices/{id}/generate_pdf", query: ["locale"], handle: makePdf },
];

/** Outside the API: the target of `download_url`. */
export const FILE_ROUTE: Route = {
  ...plain,
  name: "GET /files/{file}",
  token: "none",
  query: ["X-Amz-Expires", "X-Amz-Signature"],
  handle: downloadPdf,
};

/** The parameters of `path` if it matches `name`; otherwise undefined. */
export function matchRoute(name: string, method: string, path: string): Record<string, string> | undefined {
  const [routeMethod = "", template = ""] = name.split(" ");
  const wanted = template.split("/");
  const given = path.split("/");
  if (routeMethod !== method || wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    const isParameter = part.startsWith("{");
    if (isParameter && value !== "") params[part.slice(1, -1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}

/** What is wrong with the form of a body; empty if it can be handled. */
export function checkBody(route: Route, body: unknown): string[] {
  if (route.body === null) return body === undefined ? [] : ["no body belongs here"];
  const { issues = [] } = v.safeParse(route.body, body);
  return issues.map((issue) => `body.${v.getDotPath(issue) ?? ""}: ${issue.message}`);
}
