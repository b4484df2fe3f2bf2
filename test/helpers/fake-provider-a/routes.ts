/** The provider's routes with their permitted fields, parameters and headers; any other is a problem. */
import { listBooks, listBranches, logIn, lookUp, makeBook, describeTenant } from "./accounts.ts";
import { downloadPdf, issueInvoice, listInvoices, makePdf, readInvoice } from "./invoices.ts";
import { type Answer, type Asked, isRecord, type World } from "./world.ts";

export interface Route {
  /** `GET /invoices/{ref}`: the name used by faults. */
  name: string;
  /** `none` for the login and the file store, which need no token. */
  token: "bearer" | "none";
  /** Query parameters, all required. */
  query: readonly string[];
  /** Fields of the body, optional ones with `?`; null if no body is permitted. */
  body: readonly string[] | null;
  handle(asked: Asked, world: World): Answer;
}

const INVOICE_FIELDS = [
  "external_id",
  "invoice_type_code",
  "billing_book_id",
  "branch?",
  "num?",
  "payment_method_type",
  "net_total_amount",
  "vat_total_amount",
  "total_amount",
  "payable_total_amount",
  "correlated_invoices?",
  "counterpart?",
  "notes?",
  "withholding_total_amount?",
  "invoice_lines",
] as const;

const LINE_FIELDS = [
  "line_number",
  "name",
  "quantity",
  "quantity_type?",
  "unit_price",
  "net_total_price",
  "vat_rate",
  "vat_total",
  "subtotal",
  "vat_exemption_code?",
  "classification_category",
  "classification_type?",
  "withhold_tax_rate?",
  "withhold_tax_code?",
  "withholding_total?",
] as const;

const COUNTERPART_FIELDS = [
  "name?",
  "country_code?",
  "vat?",
  "city?",
  "street?",
  "number?",
  "postal_code?",
  "email?",
] as const;

const plain = { token: "bearer", query: [], body: null } as const;

export const ROUTES: readonly Route[] = [
  {
    ...plain,
    name: "POST /login",
    token: "none",
    body: ["api_key", "email?", "wrapp_user_id?"],
    handle: logIn,
  },
  { ...plain, name: "GET /tenant_details", handle: describeTenant },
  { ...plain, name: "GET /billing_books", handle: listBooks },
  {
    ...plain,
    name: "POST /billing_books",
    body: ["name", "series", "number", "invoice_type_code"],
    handle: makeBook,
  },
  { ...plain, name: "GET /branches", handle: listBranches },
  { ...plain, name: "GET /vat_search", query: ["vat", "country_code"], handle: lookUp },
  { ...plain, name: "POST /invoices", body: INVOICE_FIELDS, handle: issueInvoice },
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

function strayFields(fields: readonly string[], value: unknown, at: string): string[] {
  if (!isRecord(value)) return [`${at} is not an object`];
  const known = new Set(fields.map((field) => field.replace("?", "")));
  const needed = fields.filter((field) => !field.endsWith("?"));
  return [
    ...Object.keys(value)
      .filter((key) => !known.has(key))
      .map((key) => `${at}.${key} is not known here`),
    ...needed.filter((key) => value[key] === undefined).map((key) => `${at}.${key} is missing`),
    ...Object.entries(value)
      .filter(([, member]) => member === null)
      .map(([key]) => `${at}.${key} is null`),
  ];
}

/** What is wrong with the form of a body; empty if it can be handled. */
export function checkBody(route: Route, body: unknown): string[] {
  if (route.body === null) return body === undefined ? [] : ["no body belongs here"];
  const problems = strayFields(route.body, body, "body");
  if (route.name !== "POST /invoices" || !isRecord(body)) return problems;
  const { counterpart, invoice_lines: lines, external_id: reference } = body;
  if (counterpart !== undefined)
    problems.push(...strayFields(COUNTERPART_FIELDS, counterpart, "counterpart"));
  if (!Array.isArray(lines)) return [...problems, "invoice_lines is not a list"];
  for (const [index, line] of lines.entries()) {
    problems.push(...strayFields(LINE_FIELDS, line, `invoice_lines[${index}]`));
    if (!isRecord(line) || line["line_number"] !== index + 1)
      problems.push(`line ${index + 1} is not numbered so`);
  }
  // The key for reading it back: each send must contain our document's id unchanged.
  if (typeof reference !== "string" || !/^doc_[0-9A-Za-z]{22}$/.test(reference)) {
    problems.push("external_id is not the id of a document");
  }
  return problems;
}
