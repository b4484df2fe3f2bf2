/** Completes the customer of the form from its number: remembered, otherwise looked up. It is shown before it is issued. */
import { typeInfo } from "../../../../src/domain/document-types.ts";
import { NEW_TYPES } from "../../../../src/documents/new-document.ts";
import { problemWithAfm, readCustomerNumber } from "../../../../src/domain/tax-number.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { findCustomerDetails } from "../../../../src/merchants/customers.ts";
import { TEXTS } from "../messages.ts";
import type { Visit } from "../visit.ts";
import type { NewEntry } from "./entry.ts";

/** `094012834`, or `DE129273398` outside Greece. */
export function customerNumber({ country, code }: { country: string; code: string }): string {
  return country === "GR" ? code : `${country}${code}`;
}

export interface Completed {
  entry: NewEntry;
  notes: Text[];
}

const ADDRESS = ["customer_street", "customer_number", "customer_postal_code", "customer_city"] as const;

/** Name and address of the number that the form was shown with go with it, unless they were changed too. */
export function withoutFormer(entry: NewEntry): NewEntry {
  const { fields } = entry;
  if (fields.former === "" || fields.former === numberOf(fields)) return entry;
  const isNameOld = fields.customer_name === fields.former_name;
  const isAddressOld = addressOf(fields) === fields.former_address;
  const blank = Object.fromEntries(ADDRESS.map((name) => [name, ""]));
  return {
    ...entry,
    fields: {
      ...fields,
      ...(isNameOld ? { customer_name: "" } : {}),
      ...(isAddressOld ? blank : {}),
    },
  };
}

/** Remembers whose name and address are shown, if the number is one. */
export function withFormer(entry: NewEntry): NewEntry {
  const { fields } = entry;
  if (fields.customer === "" || problemWithNumber(fields) !== undefined) return entry;
  const former = {
    former: numberOf(fields),
    former_name: fields.customer_name,
    former_address: addressOf(fields),
  };
  return { ...entry, fields: { ...fields, ...former } };
}

export function problemWithNumber({ customer }: NewEntry["fields"]): Text | undefined {
  const { country, code } = readCustomerNumber(customer);
  return customer !== "" && country === "GR" ? problemWithAfm(code) : undefined;
}

function numberOf({ customer }: NewEntry["fields"]): string {
  return customerNumber(readCustomerNumber(customer));
}

function addressOf(fields: NewEntry["fields"]): string {
  return ADDRESS.map((name) => fields[name]).join("|");
}

/** Name and address as typed; where they are empty, those of the number. */
export async function completeCustomer({ appliance, mode }: Visit, entry: NewEntry): Promise<Completed> {
  const { fields } = entry;
  const { merchant, customer, customer_name: name } = fields;
  const typed = [fields.customer_street, fields.customer_postal_code, fields.customer_city].join("");
  if (customer === "" || (name !== "" && typed !== "") || !needsCustomer(fields.type))
    return { entry, notes: [] };
  const place = { merchantId: merchant, mode };
  const found = await findCustomerDetails(appliance, place, readCustomerNumber(customer));
  const { street = "", number = "", postal_code: postalCode = "", city = "" } = found.address ?? {};
  const address = {
    customer_street: street,
    customer_number: number,
    customer_postal_code: postalCode,
    customer_city: city,
  };
  const completed = {
    ...fields,
    customer_name: name === "" ? (found.name ?? "") : name,
    ...(typed === "" ? address : {}),
  };
  return {
    entry: { ...entry, fields: completed },
    notes: found.isRegistered === false ? [TEXTS.notRegistered] : [],
  };
}

function needsCustomer(type: string): boolean {
  const known = NEW_TYPES.find((candidate) => candidate === type);
  return known !== undefined && typeInfo(known).customer === "required";
}
