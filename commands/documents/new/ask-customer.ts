/** The customer of a new document: from the flags, otherwise remembered, looked up or typed. */
import type { Appliance } from "../../../src/appliance.ts";
import type { Party } from "../../../src/domain/canonical-schema.ts";
import { readCustomerNumber } from "../../../src/domain/tax-number.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { findCustomerDetails, type CustomerPlace, listCustomers } from "../../../src/merchants/customers.ts";
import { problemAt } from "../../../src/documents/issue-request.ts";
import { type ColumnName, fieldsIn, readField } from "../../../src/intake/table-fields.ts";
import { problemWithTyped } from "../../../src/intake/typed-line.ts";
import { checkFlag } from "../../options.ts";
import { type ProgramIo, printProblem } from "../../io.ts";
import { askBySearch, askText, canPrompt } from "../../ui/prompt.ts";
import { flagOf, give, givenFor, type NewOptions, writeGiven } from "./new-flags.ts";

/**
 * Returns the customer for the body, and adds what no flag says to `options`. Without a terminal only the flags count: nothing that is
 * remembered is sent without being shown.
 */
export async function askCustomer(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  options: NewOptions,
): Promise<Party> {
  const taxIdOf = (number: string) => {
    const read = readCustomerNumber(number);
    return { ...read, country: countryOf(options) ?? read.country };
  };
  const check = (number: string) => {
    const body = { document: { customer: { tax_id: taxIdOf(number) } } };
    return problemAt(appliance, place.mode, { body, path: "document.customer.tax_id" });
  };
  if (options.customer !== undefined) checkFlag("--customer", check(options.customer));
  const taxId = taxIdOf(options.customer ?? (await askNumber(io, appliance, place, check)));
  const isGreek = taxId.country === "GR";
  Object.assign(options, { customer: taxId.code, customerCountry: isGreek ? undefined : taxId.country });
  const lacks = (column: ColumnName) => givenFor(column, options) === undefined;
  const lacksAddress = () => lacks("customer_postal_code") || lacks("customer_city");
  if (canPrompt(io) && (lacks("customer_name") || lacksAddress()))
    await addKnown(io, appliance, place, taxId, options);
  const [hasAddress, questions] = [!lacksAddress(), Object.entries(QUESTIONS) as [ColumnName, Text][]];
  // A Greek customer may have neither name nor address (docs/contract.md#parties), but no part of an address.
  const needed = !isGreek ? questions : givesAddress(options) ? questions.slice(-2) : [];
  for (const [column, message] of needed) {
    if (!lacks(column) || (hasAddress && column !== "customer_name")) continue;
    const problemWith = (typed: string) =>
      problemWithTyped(appliance, place.mode, { column, typed: typed.trim() });
    const answer = await askText(io, { flag: flagOf(column), message, check: problemWith });
    give(column, options, answer.trim());
  }
  const body = { document: { customer: { tax_id: taxId } as Party } };
  writeGiven(body, "customer", options);
  return body.document.customer;
}

/** Greece is EL in VAT numbers and GR everywhere else. */
function countryOf({ customerCountry }: NewOptions): string | undefined {
  const country = customerCountry?.toUpperCase();
  return country === "EL" ? "GR" : country;
}

/** What every address has comes last. */
const QUESTIONS: Partial<Record<ColumnName, Text>> = {
  customer_name: { en: "Customer's name", el: "Επωνυμία πελάτη" },
  customer_street: { en: "Street and number", el: "Οδός και αριθμός" },
  customer_postal_code: { en: "Postal code", el: "Ταχυδρομικός κώδικας" },
  customer_city: { en: "City", el: "Πόλη" },
};

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

/** Adds the name and address that are remembered or registered. A part of an address on the command line leaves no room for another one. */
async function addKnown(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  taxId: Party["tax_id"],
  options: NewOptions,
): Promise<void> {
  const { isRegistered, ...customer } = await findCustomerDetails(appliance, place, taxId);
  if (isRegistered === false) await printProblem(io, NOT_REGISTERED);
  const lacking = fieldsIn("customer").filter((column) => givenFor(column, options) === undefined);
  for (const column of givesAddress(options) ? lacking.filter((one) => one === "customer_name") : lacking) {
    const known = readField({ document: { customer } }, column);
    if (known !== "") give(column, options, known);
  }
}

/** Whether any part of an address is given. */
function givesAddress(options: NewOptions): boolean {
  return fieldsIn("customer").some(
    (column) => column !== "customer_name" && givenFor(column, options) !== undefined,
  );
}

const NOT_REGISTERED: Text = {
  en: "The registry does not know this number as valid.",
  el: "Ο αριθμός δεν είναι έγκυρος στο μητρώο.",
};
