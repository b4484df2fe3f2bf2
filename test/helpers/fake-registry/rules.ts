/**
 * The authority's rules for parties, lines, dates, links and the uid in a message (docs/authority.md#parties,
 * docs/authority.md#error-codes).
 */
import { cents, child, list, text, type XmlTree } from "./tree.ts";

interface Refusal {
  code: string;
  message: string;
}

const EU = /^(AT|BE|BG|CY|CZ|DE|DK|EE|ES|FI|FR|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)$/;
/** Types whose lines may have quantities. */
const WITH_QUANTITY = /^(1\.[1-6]|3\.[12]|5\.[12]|6\.[12]|9\.\d|11\.[1345])$/;

/** `todayInAthens` is `YYYY-MM-DD`. */
export function findRuleErrors(invoice: XmlTree, type: string, todayInAthens: string): Refusal[] {
  const found: Refusal[] = [];
  const refuse = (code: string, message: string) => void found.push({ code, message });
  checkParties(invoice, type, refuse);
  checkHeader(invoice, type, todayInAthens, refuse);
  checkLines(invoice, type, refuse);
  checkPayments(invoice, refuse);
  return found;
}

type Refuse = (code: string, message: string) => void;

function checkParties(invoice: XmlTree, type: string, refuse: Refuse): void {
  const [issuer, counterpart] = [child(invoice, "issuer"), child(invoice, "counterpart")];
  if (!isGreekNumber(text(issuer, "vatNumber"))) refuse("202", "issuer vatNumber");
  if (child(issuer, "address") !== undefined) refuse("219", "issuer address not allowed");
  if (counterpart === undefined) return;
  const country = text(counterpart, "country");
  if (country === "GR") {
    if (!isGreekNumber(text(counterpart, "vatNumber"))) refuse("202", "counterpart vatNumber");
    if (text(counterpart, "vatNumber") === text(issuer, "vatNumber"))
      refuse("235", "issuer is the counterpart");
  } else {
    for (const path of [["name"], ["address", "postalCode"], ["address", "city"]]) {
      if (text(counterpart, ...path) === "") refuse("204", `counterpart ${path.at(-1)} is missing`);
    }
  }
  if (/^[12]\.2$/.test(type) && !(EU.test(country) && country !== "GR"))
    refuse("243", "counterpart must be of the EU");
  if (/^[12]\.3$/.test(type) && EU.test(country)) refuse("244", "counterpart must be outside the EU");
}

function checkHeader(invoice: XmlTree, type: string, todayInAthens: string, refuse: Refuse): void {
  const header = child(invoice, "invoiceHeader");
  if (text(header, "issueDate") > todayInAthens) refuse("260", "issueDate is in the future");
  if (!/^\d{1,20}$/.test(text(header, "aa"))) refuse("212", "aa must be a non-negative number");
  const isLinked = list(header, "correlatedInvoices").length > 0;
  if (isLinked && (type === "5.2" || type.startsWith("11."))) refuse("205", "correlatedInvoices not allowed");
  for (const flag of ["vatPaymentSuspension", "selfPricing"]) {
    if (text(header, flag) === "false") refuse("214", `${flag} must be true`);
  }
  if (text(header, "currency") === "EUR" && text(header, "exchangeRate") !== "")
    refuse("211", "exchangeRate");
}

function checkLines(invoice: XmlTree, type: string, refuse: Refuse): void {
  const lines = list(invoice, "invoiceDetails");
  const numbers = lines.map((line) => text(line, "lineNumber"));
  if (new Set(numbers).size !== numbers.length) refuse("261", "lineNumber is not unique");
  const classified = lines.filter((line) => list(line, "incomeClassification").length > 0);
  if (classified.length !== 0 && classified.length !== lines.length)
    refuse("304", "classify all lines or none");
  for (const line of lines) {
    if (text(line, "itemDescr") !== "") refuse("205", "itemDescr not allowed");
    const hasQuantity = text(line, "quantity") !== "";
    if (hasQuantity && !WITH_QUANTITY.test(type)) refuse("205", "quantity not allowed");
    if (hasQuantity !== (text(line, "measurementUnit") !== "")) refuse("225", "quantity and measurementUnit");
    if (/^[12]\.[23]$/.test(type) && text(line, "vatCategory") !== "7")
      refuse("215", "vatCategory must be 7");
  }
  for (const line of classified) {
    const amounts = list(line, "incomeClassification").map((entry) => cents(text(entry, "amount")));
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    if (sum !== cents(text(line, "netValue"))) refuse("306", "classified sum differs from netValue");
  }
}

function checkPayments(invoice: XmlTree, refuse: Refuse): void {
  const payments = list(child(invoice, "paymentMethods"), "paymentMethodDetails");
  const paid = payments.reduce<number>((total, payment) => total + cents(text(payment, "amount")), 0);
  if (paid > cents(text(invoice, "invoiceSummary", "totalGrossValue")))
    refuse("407", "payments exceed the total");
}

/** Nine digits, the last a check digit: powers of two from the right, modulo 11, modulo 10. */
function isGreekNumber(number: string): boolean {
  if (!/^\d{9}$/.test(number) || number === "000000000") return false;
  const digits = [...number].map(Number);
  const sum = digits.slice(0, 8).reduce((total, digit, index) => total + digit * 2 ** (8 - index), 0);
  return (sum % 11) % 10 === digits[8];
}
