/** The provider's own validation of invoices, which it reports as `Invoice Errors` with HTTP 200. Pure. */
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
const TYPE_FORM = /^(1\.[1-6]|2\.[1-4]|5\.[12]|11\.[1-5])$/;
const PAYMENT_CODES: ReadonlySet<unknown> = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
const CLASS_FORM = /^category1_([1-9]|10|95)$/;
const CLASS_TYPE_FORM = /^E3_[0-9]{3}(_[0-9]{3})?$/;
const MARK_FORM = /^[1-9][0-9]{0,18}$/;

/** The cents of a number with at most two decimals; undefined for anything else, such as an inexact float. */
function cents(value: number): bigint | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  return Number(value.toFixed(2)) === value ? BigInt(value.toFixed(2).replace(".", "")) : undefined;
}

function sum(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
}

/** `dividend / divisor`, rounded half up. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/** Every reason why the provider rejects `body`; empty if it accepts it. `book` is the one that the body names. */
export function checkInvoice(body: InvoiceBody, tenant: Tenant, book: Book | undefined): string[] {
  const titles = [...checkBook(body, book), ...checkCounterpart(body), ...checkTotals(body)];
  if (!TYPE_FORM.test(body.invoice_type_code)) titles.push("invoice_type_code is not valid");
  if (!PAYMENT_CODES.has(body.payment_method_type)) titles.push("payment_method_type is not valid");
  if (body.branch !== undefined && !tenant.branches.some(({ id }) => id === body.branch)) {
    titles.push("Branch not found");
  }
  if (body.invoice_type_code === "5.1") titles.push(...checkCorrelated(body.correlated_invoices));
  for (const line of body.invoice_lines) titles.push(...checkLine(line));
  return titles;
}

/** 1.1 accepts 1.x, 2.1 2.x and 5.2 5.x. */
function checkBook(body: InvoiceBody, book: Book | undefined): string[] {
  if (book === undefined) return ["Billing Book not found"];
  const type = body.invoice_type_code;
  const fits = [type, coveringType(type)].includes(book.invoice_type_code);
  return fits ? [] : ["Invoice Type does not match selected Billing Book Invoice Type"];
}

/** Business documents need complete details, retail needs a name. */
function checkCounterpart({ invoice_type_code: type, counterpart = {} }: InvoiceBody): string[] {
  const needed = type.startsWith("11.") ? (["name"] as const) : COUNTERPART_FIELDS;
  const titles = needed
    .filter((field) => (counterpart[field] ?? "").trim() === "")
    .map((field) => `Counterpart ${field} can't be blank`);
  const country = counterpart["country_code"];
  // The prefixes of VAT numbers are not country codes.
  if (country !== undefined && (!/^[A-Z]{2}$/.test(country) || country === "EL" || country === "XI")) {
    titles.push("Counterpart country_code is not valid");
  }
  return titles;
}

function checkCorrelated(marks: readonly string[] = []): string[] {
  const isMarks = marks.length > 0 && marks.every((mark) => MARK_FORM.test(mark));
  return isMarks ? [] : ["correlated_invoices is required for this invoice type"];
}

function checkTotals(body: InvoiceBody): string[] {
  const [net, vat, total, payable] = [
    cents(body.net_total_amount),
    cents(body.vat_total_amount),
    cents(body.total_amount),
    cents(body.payable_total_amount),
  ];
  if (net === undefined || vat === undefined || total === undefined || payable === undefined) {
    return ["Totals must be numbers with two decimals"];
  }
  const titles: string[] = [];
  const lines = body.invoice_lines;
  if (lines.length === 0) titles.push("invoice_lines can't be blank");
  if (sum(lines.map((line) => cents(line.net_total_price))) !== net)
    titles.push("net_total_amount does not match lines");
  if (sum(lines.map((line) => cents(line.vat_total))) !== vat)
    titles.push("vat_total_amount does not match lines");
  if (net + vat !== total) titles.push("total_amount is not net plus vat");
  const withheld = cents(body.withholding_total_amount ?? 0);
  if (withheld === undefined || sum(lines.map((line) => cents(line.withholding_total ?? 0))) !== withheld)
    titles.push("withholding_total_amount does not match lines");
  else if (payable !== total - withheld)
    titles.push("payable_total_amount is not the total without what is withheld");
  return titles;
}

function checkLine(line: InvoiceLine): string[] {
  const at = `Line ${line.line_number}:`;
  const [price, net, vat, subtotal] = [
    cents(line.unit_price),
    cents(line.net_total_price),
    cents(line.vat_total),
    cents(line.subtotal),
  ];
  if (price === undefined || net === undefined || vat === undefined || subtotal === undefined) {
    return [`${at} amounts must be numbers with two decimals`];
  }
  const titles: string[] = [];
  const { quantity, vat_rate: rate, vat_exemption_code: cause, quantity_type: unit } = line;
  if (!(quantity > 0)) return [`${at} quantity must be a number over 0`];
  const thousandths = BigInt(Math.round(quantity * 1000));
  if (rounded(thousandths * price, 1000n) !== net)
    titles.push(`${at} net_total_price is not quantity by unit_price`);
  if (RATES.has(rate) && rounded(net * BigInt(rate), 100n) !== vat)
    titles.push(`${at} vat_total is not of its rate`);
  if (net + vat !== subtotal) titles.push(`${at} subtotal is not net plus vat`);
  const isCause = cause !== undefined && Number.isInteger(cause) && cause >= 1 && cause <= 31;
  if (rate === 0 ? !isCause : cause !== undefined)
    titles.push(`${at} vat_exemption_code does not fit the rate`);
  if (unit !== undefined && !(Number.isInteger(unit) && unit >= 1 && unit <= 6))
    titles.push(`${at} quantity_type is not valid`);
  const { withholding_total: withheld, withhold_tax_code: code = "", withhold_tax_rate: percent } = line;
  if (withheld !== undefined && !(/^(?:[1-9]|1[0-8])$/.test(code) && Number.isInteger(percent)))
    titles.push(`${at} withhold_tax_code is not valid`);
  if (line.name.trim() === "") titles.push(`${at} name can't be blank`);
  return [...titles, ...checkClassification(line)];
}

/** Category 1_95 may have no type, which is then written `_`. */
function checkClassification({ line_number: number, ...line }: InvoiceLine): string[] {
  const { classification_category: category, classification_type: type = "" } = line;
  const isBare = category === "category1_95" && type === "_";
  return CLASS_FORM.test(category) && (isBare || CLASS_TYPE_FORM.test(type))
    ? []
    : [`Line ${number}: classification is not valid`];
}

/** Rates that are accepted but sent without VAT, so clients must not send them. */
export function unlistedRates(body: InvoiceBody): unknown[] {
  return body.invoice_lines.map((line) => line.vat_rate).filter((rate) => !RATES.has(rate));
}
