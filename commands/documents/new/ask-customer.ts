/** The customer of a new document: from the flags, otherwise remembered, looked up or typed. */
import type { Appliance } from "../../../src/appliance.ts";
import type { Party } from "../../../src/domain/canonical-schema.ts";
import { readCustomerNumber } from "../../../src/domain/tax-number.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { findCustomerDetails, type CustomerPlace, listCustomers } from "../../../src/merchants/customers.ts";
import { problemAt } from "../../../src/documents/issue-request.ts";
import type { ColumnName } from "../../../src/intake/table-fields.ts";
import { problemWithTyped } from "../../../src/intake/typed-line.ts";
import { refuseFlag } from "../../options.ts";
import { type ProgramIo, printProblem } from "../../io.ts";
import { askBySearch, askText, canPrompt } from "../../ui/prompt.ts";

export interface CustomerFlags {
  customer?: string;
  customerCountry?: string;
  customerName?: string;
  customerStreet?: string;
  customerStreetNumber?: string;
  customerPostalCode?: string;
  customerCity?: string;
}

type Address = NonNullable<Party["address"]>;

/** What is known besides the number. */
interface Details {
  name: string | undefined;
  address: Address | undefined;
}

export type Customer = Details & Pick<Party, "tax_id">;

/** Without a terminal only the flags count: nothing that is remembered is sent without being shown. */
export async function askCustomer(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  flags: CustomerFlags,
): Promise<Customer> {
  const taxIdOf = (number: string) => {
    const read = readCustomerNumber(number);
    return { ...read, country: countryOf(flags) ?? read.country };
  };
  const check = (number: string) => {
    const body = { document: { customer: { tax_id: taxIdOf(number) } } };
    return problemAt(appliance, place.mode, { body, path: "document.customer.tax_id" });
  };
  if (flags.customer !== undefined) refuseFlag("--customer", check(flags.customer));
  const taxId = taxIdOf(flags.customer ?? (await askNumber(io, appliance, place, check)));
  const given = { name: flags.customerName, address: addressOf(flags) };
  const isComplete = given.name !== undefined && given.address !== undefined;
  const found = isComplete || !canPrompt(io) ? undefined : await findDetails(io, appliance, place, taxId);
  const ask: Ask = (column, flag, message) =>
    askText(io, {
      flag,
      message,
      check: (typed) => problemWithTyped(appliance, place.mode, { column, typed: typed.trim() }),
    });
  const name = given.name ?? found?.name;
  const address = given.address ?? found?.address;
  // Greek paper invoices may omit both (docs/contract.md#parties).
  if (taxId.country === "GR") return { tax_id: taxId, name, address };
  return {
    tax_id: taxId,
    name: name ?? (await ask("customer_name", "--customer-name", NAME)),
    address: address ?? (await askAddress(flags, ask)),
  };
}

/** Greece is EL in VAT numbers and GR everywhere else. */
function countryOf({ customerCountry }: CustomerFlags): string | undefined {
  const country = customerCountry?.toUpperCase();
  return country === "EL" ? "GR" : country;
}

const NAME: Text = { en: "Customer's name", el: "Επωνυμία πελάτη" };
const CUSTOMERS_MAX = 2000;

async function askNumber(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  check: (number: string) => Text | undefined,
): Promise<string> {
  const known = canPrompt(io) ? await listCustomers(appliance, { ...place, limit: CUSTOMERS_MAX }) : [];
  const choices = known.map(({ country, code, name }) => {
    const value = country === "GR" ? code : `${country}${code}`;
    return { value, name: name === null ? value : `${value}  ${name}` };
  });
  const question = {
    flag: "--customer",
    message: {
      en: "Customer (tax number, or part of a known name)",
      el: "Πελάτης (ΑΦΜ, ή μέρος γνωστής επωνυμίας)",
    },
  };
  const typed = (term: string) =>
    /[0-9]/.test(term) ? { value: term.trim(), name: term.trim() } : undefined;
  return askBySearch(io, choices, question, { typed, check });
}

async function findDetails(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  taxId: Party["tax_id"],
): Promise<Details> {
  const { isRegistered, ...details } = await findCustomerDetails(appliance, place, taxId);
  if (isRegistered === false) await printProblem(io, NOT_REGISTERED);
  return details;
}

const NOT_REGISTERED: Text = {
  en: "The registry does not know this number as valid.",
  el: "Ο αριθμός δεν είναι έγκυρος στο μητρώο.",
};

/** Undefined without a postal code and a city; a part of an address is asked for where it is needed. */
function addressOf(flags: CustomerFlags): Address | undefined {
  const { customerStreet, customerStreetNumber, customerPostalCode, customerCity } = flags;
  if (customerPostalCode === undefined || customerCity === undefined) return undefined;
  return {
    ...(customerStreet === undefined ? {} : { street: customerStreet }),
    ...(customerStreetNumber === undefined ? {} : { number: customerStreetNumber }),
    postal_code: customerPostalCode,
    city: customerCity,
  };
}

type Ask = (column: ColumnName, flag: string, message: Text) => Promise<string>;

async function askAddress(flags: CustomerFlags, ask: Ask): Promise<Address> {
  const street = flags.customerStreet ?? (await ask("customer_street", "--customer-street", STREET));
  const postalCode =
    flags.customerPostalCode ?? (await ask("customer_postal_code", "--customer-postal-code", POSTAL_CODE));
  const city = flags.customerCity ?? (await ask("customer_city", "--customer-city", CITY));
  const { customerStreetNumber: number } = flags;
  return { street, ...(number === undefined ? {} : { number }), postal_code: postalCode, city };
}

const STREET: Text = { en: "Street and number", el: "Οδός και αριθμός" };
const POSTAL_CODE: Text = { en: "Postal code", el: "Ταχυδρομικός κώδικας" };
const CITY: Text = { en: "City", el: "Πόλη" };
