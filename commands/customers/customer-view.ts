/** How a customer is shown. */
import type { CustomerObject } from "../../src/merchants/customers.ts";

/** `Ερμού 1, 10563 Αθήνα`, or `-`. */
export function addressLine(address: CustomerObject["address"]): string {
  if (address === null) return "-";
  const street = [address.street, address.number].filter(Boolean).join(" ");
  return [street, `${address.postal_code} ${address.city}`].filter((part) => part !== "").join(", ");
}
