/** How a customer is named on the command line, and shown. */
import { normaliseTaxCode } from "../../src/domain/tax-number.ts";
import type { CustomerObject } from "../../src/merchants/customers.ts";

/** Greece is EL in VAT numbers and GR everywhere else. */
const GREEK_PREFIX = "EL";

/** Reads `DE129273398`, `EL094012834` or, for a Greek number, `094012834`. */
export function readCustomerNumber(text: string): { country: string; code: string } {
  const whole = normaliseTaxCode(text);
  const [, prefix = "GR", code = whole] = /^([A-Z]{2})(.+)$/.exec(whole) ?? [];
  return { country: prefix === GREEK_PREFIX ? "GR" : prefix, code };
}

/** `Ερμού 1, 10563 Αθήνα`, or `-`. */
export function addressLine(address: CustomerObject["address"]): string {
  if (address === null) return "-";
  const street = [address.street, address.number].filter(Boolean).join(" ");
  return [street, `${address.postal_code} ${address.city}`].filter((part) => part !== "").join(", ");
}
