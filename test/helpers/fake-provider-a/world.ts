/**
 * The state of the fake licensed provider: its tenants, their invoices, and the problems with the requests it
 * received. It follows docs/provider-a.md and shares no code with the product, so that a mistake in the product is
 * not repeated here.
 */
import * as v from "valibot";

/** Series and next number of one type. */
export interface Book {
  id: string;
  name: string;
  series: string;
  invoice_type_code: string;
  /** The next number. */
  number: number;
}

export interface Branch {
  id: string;
  name: string;
  /** The branch's number at the authority, as a number or as text. */
  code: number | string;
}

/** An answer of the tax number lookup. */
export interface Taxpayer {
  name: string;
  city: string;
  /** The street. */
  address: string;
  street_number: string;
  postal_code: string;
}

export interface TenantSetup {
  apiKey: string;
  email: string;
  userId: string;
  /** The business's tax number; requests never contain the supplier. */
  vat: string;
  books?: readonly Book[];
  branches?: readonly Branch[];
}

export interface Tenant extends Required<Omit<TenantSetup, "books" | "branches">> {
  books: Book[];
  branches: Branch[];
  /** Whether the key is still valid. */
  isAdmitted: boolean;
  /** The expiry of each issued token, in ms. */
  tokens: Map<string, number>;
}

/** An error in the authority's words; `code` is a number as text. */
export interface AuthorityError {
  code: string;
  message: string;
}

export interface Filing {
  /** The provider's id. */
  id: string;
  externalId: string;
  tenant: Tenant;
  type: string;
  series: string;
  num: number;
  /** The issue date in Athens, `YYYY-MM-DD`. */
  day: string;
  mark: string;
  uid: string;
  /** The body as sent. */
  body: InvoiceBody;
  state: "issued" | "pending";
  pending: PendingPlan | null;
  /** Whether its PDF was asked for: the first query only starts the work. */
  isPdfStarted: boolean;
  /** How many more queries report that there is no such invoice. */
  hiddenFor: number;
}

export interface PendingPlan {
  /** `short`: status and id; `full`: every field, with a null MARK because the authority is down. */
  shape: "short" | "full";
  /** How many more queries report it as pending. */
  askings: number;
}

const text = v.string();
const number = v.number();
const maybe = { text: v.optional(v.string()), number: v.optional(v.number()) };

const LineSchema = v.strictObject({
  line_number: number,
  name: text,
  quantity: number,
  quantity_type: maybe.number,
  unit_price: number,
  net_total_price: number,
  vat_rate: number,
  vat_total: number,
  subtotal: number,
  vat_exemption_code: maybe.number,
  classification_category: text,
  classification_type: maybe.text,
  withhold_tax_rate: maybe.number,
  withhold_tax_code: maybe.text,
  withholding_total: maybe.number,
});

const CounterpartSchema = v.strictObject({
  name: maybe.text,
  country_code: maybe.text,
  vat: maybe.text,
  city: maybe.text,
  street: maybe.text,
  number: maybe.text,
  postal_code: maybe.text,
  email: maybe.text,
});

/** The form of the provider's format. */
export const InvoiceSchema = v.strictObject({
  /** The key for reading it back: each send must contain our document's id unchanged. */
  external_id: v.pipe(text, v.regex(/^doc_[0-9A-Za-z]{22}$/)),
  invoice_type_code: text,
  billing_book_id: text,
  branch: maybe.text,
  num: maybe.number,
  payment_method_type: number,
  net_total_amount: number,
  vat_total_amount: number,
  total_amount: number,
  payable_total_amount: number,
  correlated_invoices: v.optional(v.array(text)),
  counterpart: v.optional(CounterpartSchema),
  notes: maybe.text,
  withholding_total_amount: maybe.number,
  invoice_lines: v.pipe(
    v.array(LineSchema),
    v.check((lines) => lines.every((line, index) => line.line_number === index + 1), "not numbered"),
  ),
});

export type InvoiceBody = v.InferOutput<typeof InvoiceSchema>;
export type InvoiceLine = v.InferOutput<typeof LineSchema>;

/** Invoices on a page of the list, as on staging. */
export const LIST_PAGE_SIZE = 50;

export interface World {
  tenants: Tenant[];
  filings: Filing[];
  taxpayers: Map<string, Taxpayer>;
  listPageSize: number;
  /** Sentences about what a client of the provider should not have done. */
  problems: string[];
  nowMs(): number;
  /** Without a trailing slash. */
  origin(): string;
  /** For ids and tokens: from 0 up to, not including, 1, determined by the seed. */
  draw(): number;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON, or bytes. */
  body: unknown;
}

/** What the authority or the provider does with the next invoice. */
export type Verdict =
  | ({ kind: "pending" } & PendingPlan)
  | { kind: "authority_refuses"; errors: readonly AuthorityError[] };

export interface Asked {
  /** The tenant of the token; undefined for a login. */
  tenant: Tenant | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: unknown;
  verdict: Verdict | undefined;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** `{errors: [{title}]}`, the form of most errors. */
export function errorList(status: number, ...titles: string[]): Answer {
  return { status, body: { errors: titles.map((title) => ({ title })) } };
}

/** The provider's own rejection of an invoice, with HTTP 200 unless it is a conflict. */
export function invoiceErrors(titles: readonly string[], status = 200): Answer {
  return { status, body: { status: "Invoice Errors", errors: titles.map((title) => ({ title })) } };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tenant of an authenticated request. */
export function tenantOf({ tenant }: Asked): Tenant {
  if (tenant === undefined) throw new Error("A request without a tenant was let through");
  return tenant;
}

/** A random id, determined by the seed. */
export function drawId(world: World): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(world.draw() * 16).toString(16)).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
