/**
 * The provider's own validation of invoices, which it reports as `Invoice Errors` with HTTP 200. Pure. Codes and forms of single
 * fields are checked in `payload.test.ts`; here are the book, the parties, and that amounts add up.
 */
import { coveringType } from "./accounts.ts";
import type { Book, InvoiceBody, InvoiceLine, Tenant } from "./world.ts";

/** The VAT percentages that the provider knows. */
const RATES: ReadonlySet<unknown> = new Set([0, 3, 4, 6, 9, 13, 17, 24]);
const COUNTERPART_FIELDS = [
  "name",
  "country_code",
  "vat",
  "city",
  "street",
  "number",
  "postal_code",
] as const;

/** The cents of a number with at most two decimals; NaN for anything else, such as an inexact float, so that no sum fits. */
function cents(value = 0): number {
  return value >= 0 && Number(value.toFixed(2)) === value ? Math.round(value * 100) : Number.NaN;
}

/** Every reason why the provider rejects `body`; empty if it accepts it. `book` is the one that the body names. */
export function checkInvoice(body: InvoiceBody, tenant: Tenant, book: Book | undefined): string[] {
  const { branch, invoice_type_code: type, invoice_lines: lines, correlated_invoices: marks = [] } = body;
  const titles = [...checkBook(type, book), ...checkCounterpart(body), ...checkTotals(body)];
  if (branch !== undefined && !tenant.branches.some(({ id }) => id === branch))
    titles.push("Branch not found");
  if (type === "5.1" && marks.length === 0)
    titles.push("correlated_invoices is required for this invoice type");
  return [...titles, ...lines.flatMap(checkLine)];
}

/** 1.1 accepts 1.x, 2.1 2.x and 5.2 5.x. */
function checkBook(type: string, book: Book | undefined): string[] {
  if (book === undefined) return ["Billing Book not found"];
  const fits = [type, coveringType(type)].includes(book.invoice_type_code);
  return fits ? [] : ["Invoice Type does not match selected Billing Book Invoice Type"];
}

/** Business documents need complete details, retail needs a name. */
function checkCounterpart({ invoice_type_code: type, counterpart = {} }: InvoiceBody): string[] {
  const needed = type.startsWith("11.") ? (["name"] as const) : COUNTERPART_FIELDS;
  return needed
    .filter((field) => (counterpart[field] ?? "").trim() === "")
    .map((field) => `Counterpart ${field} can't be blank`);
}

/** The names of the equations that do not hold. */
function unequal(equations: Readonly<Record<string, readonly [number, number]>>): string[] {
  return Object.entries(equations).flatMap(([name, [one, other]]) => (one === other ? [] : [name]));
}

function checkTotals(body: InvoiceBody): string[] {
  const { invoice_lines: lines } = body;
  const sum = (amountOf: (line: InvoiceLine) => number | undefined) =>
    lines.reduce((total, line) => total + cents(amountOf(line)), 0);
  const [net, vat, total] = [body.net_total_amount, body.vat_total_amount, body.total_amount].map(cents);
  const withheld = cents(body.withholding_total_amount);
  return [
    ...(lines.length === 0 ? ["invoice_lines can't be blank"] : []),
    ...unequal({
      "net_total_amount does not match lines": [net!, sum((line) => line.net_total_price)],
      "vat_total_amount does not match lines": [vat!, sum((line) => line.vat_total)],
      "total_amount is not net plus vat": [total!, net! + vat!],
      "withholding_total_amount does not match lines": [withheld, sum((line) => line.withholding_total)],
      "payable_total_amount is not the total without what is withheld": [
        cents(body.payable_total_amount),
        total! - withheld,
      ],
    }),
  ];
}

function checkLine(line: InvoiceLine): string[] {
  const [price, net, vat] = [line.unit_price, line.net_total_price, line.vat_total].map(cents);
  const { quantity, vat_rate: rate } = line;
  /** `dividend / divisor`, rounded half up. */
  const rounded = (dividend: bigint, divisor: bigint) => Number((2n * dividend + divisor) / (2n * divisor));
  const titles = unequal({
    "net_total_price is not quantity by unit_price": [
      net!,
      rounded(BigInt(Math.round(quantity * 1000)) * BigInt(price!), 1000n),
    ],
    "vat_total is not of its rate": [vat!, RATES.has(rate) ? rounded(BigInt(net! * rate), 100n) : vat!],
    "subtotal is not net plus vat": [cents(line.subtotal), net! + vat!],
  });
  return titles.map((title) => `Line ${line.line_number}: ${title}`);
}

/** Rates that are accepted but sent without VAT, so clients must not send them. */
export function unlistedRates(body: InvoiceBody): unknown[] {
  return body.invoice_lines.map((line) => line.vat_rate).filter((rate) => !RATES.has(rate));
}
