/** The customer that a command names, with its merchant. */
import type { Appliance } from "../../src/appliance.ts";
import { readCustomerNumber } from "../../src/domain/tax-number.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { type CustomerObject, findCustomer, type NamedCustomer } from "../../src/merchants/customers.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { findMerchant } from "../merchants/find-merchant.ts";

/** Throws `not_found` for the merchant or the customer. */
export async function findNamedCustomer(
  appliance: Appliance,
  mode: Mode,
  { merchant, number }: { merchant: string; number: string },
): Promise<{ named: NamedCustomer; customer: CustomerObject }> {
  const { id } = await findMerchant(appliance, merchant);
  const named = { merchantId: id, mode, ...readCustomerNumber(number) };
  const customer = await findCustomer(appliance.store.read, named);
  if (customer !== undefined) return { named, customer };
  throw new AppError("not_found", {
    en: "The merchant has no customer with this number; `fiscal customers list` shows those it has",
    el: "Η επιχείρηση δεν έχει πελάτη με αυτόν τον αριθμό· τους δείχνει η `fiscal customers list`",
  });
}
