/**
 * What the fake of the licensed provider holds: its tenants, what they filed, and what was wrong with what it was asked. It
 * follows providers facts A and shares no code with the product, so that a mistake of the product is not repeated here.
 */

/** Series and running number of one type. */
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
  /** The branch's number at the authority; comes as a number or as text. */
  code: number | string;
}

/** What the lookup of a tax number answers. */
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
  /** The tax number of the business: nothing about the supplier is ever sent. */
  vat: string;
  books?: readonly Book[];
  branches?: readonly Branch[];
  /** How many documents the plan has left; no limit unless given. */
  quota?: number;
  hasPlan?: boolean;
}

export interface Tenant extends Required<Omit<TenantSetup, "books" | "branches">> {
  books: Book[];
  branches: Branch[];
  /** Whether the key is still good. */
  isAdmitted: boolean;
  /** Expiry of each token that was given, in ms. */
  tokens: Map<string, number>;
}

/** An error as the authority words it; `code` is a number as text. */
export interface AuthorityError {
  code: string;
  message: string;
}

export interface Filing {
  /** The provider's own id. */
  id: string;
  externalId: string;
  tenant: Tenant;
  type: string;
  series: string;
  num: number;
  /** The day in Athens on which it was issued, `YYYY-MM-DD`. */
  day: string;
  mark: string;
  uid: string;
  /** The body as it was sent. */
  body: InvoiceBody;
  state: "issued" | "pending" | "refused";
  pending: PendingPlan | null;
  /** Askings about it, and about its PDF. */
  pdfAskings: number;
  /** Askings that still say that there is no such invoice. */
  hiddenFor: number;
}

export interface PendingPlan {
  /** `short`: status and id; `full`: every field with the MARK null, the authority being down. */
  shape: "short" | "full";
  /** How many askings still say pending. */
  askings: number;
  /** The authority refuses it in the end. */
  refusal?: readonly AuthorityError[];
}

/** The provider's format, as far as it has been checked to be so. */
export interface InvoiceBody {
  external_id: string;
  invoice_type_code: string;
  billing_book_id: string;
  branch?: string;
  num?: number;
  payment_method_type: number;
  net_total_amount: number;
  vat_total_amount: number;
  total_amount: number;
  payable_total_amount: number;
  correlated_invoices?: string[];
  counterpart?: Record<string, string>;
  invoice_lines: InvoiceLine[];
}

export interface InvoiceLine {
  line_number: number;
  name: string;
  quantity: number;
  quantity_type?: number;
  unit_price: number;
  net_total_price: number;
  vat_rate: number;
  vat_total: number;
  subtotal: number;
  vat_exemption_code?: number;
  classification_category: string;
  classification_type?: string;
}

/** The points that the facts leave open, which a test may turn. */
export interface Habits {
  /** The status of "not found". */
  notFoundStatus: number;
  /** The status of a refused login. */
  loginRefusalStatus: number;
  /** A book takes its exact type only, as was seen on staging; otherwise 1.1 takes 1.x, 2.1 2.x and 5.2 5.x. */
  exactBooks: boolean;
  /** The wording of a used-up plan. */
  quotaTitle: string;
  /** How many askings for a PDF only start the work. */
  pdfAskings: number;
}

export interface World {
  tenants: Tenant[];
  filings: Filing[];
  taxpayers: Map<string, Taxpayer>;
  habits: Habits;
  /** What no client of the provider should have done, in sentences. */
  problems: string[];
  nowMs(): number;
  /** Without a slash at its end. */
  origin(): string;
  /** Of a random run and of tokens: 0 to below 1, from the seed. */
  draw(): number;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON, unless it is bytes. */
  body: unknown;
}

/** What the authority or the provider is told to make of the next invoice. */
export type Verdict =
  | ({ kind: "pending" } & PendingPlan)
  | { kind: "authority_refuses"; errors: readonly AuthorityError[] }
  | { kind: "provider_refuses"; titles: readonly string[] };

export interface Asked {
  /** The tenant of the token; of a login, none. */
  tenant: Tenant | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: unknown;
  verdict: Verdict | undefined;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** `{errors: [{title}]}`, the shape of most refusals. */
export function errorList(status: number, ...titles: string[]): Answer {
  return { status, body: { errors: titles.map((title) => ({ title })) } };
}

/** The provider's own refusal of an invoice: in HTTP 200, unless it is a conflict. */
export function invoiceErrors(titles: readonly string[], status = 200): Answer {
  return { status, body: { status: "Invoice Errors", errors: titles.map((title) => ({ title })) } };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tenant of a request that the server has let through. */
export function tenantOf({ tenant }: Asked): Tenant {
  if (tenant === undefined) throw new Error("A request without a tenant was let through");
  return tenant;
}

/** A random id, the same for the same seed. */
export function drawId(world: World): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(world.draw() * 16).toString(16)).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
