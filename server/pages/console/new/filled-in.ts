/**
 * What fills in the form for a new document: an issued one, a rejected one that it corrects (docs/contract.md#credit-and-repeat), or what
 * the merchant's last document suggests; and its customer from the number, remembered, otherwise looked up.
 */
import { typeInfo } from "../../../../src/domain/document-types.ts";
import { findLast, NEW_TYPES } from "../../../../src/documents/new-document.ts";
import { problemWithAfm, readCustomerNumber } from "../../../../src/domain/tax-number.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { findCustomerDetails } from "../../../../src/merchants/customers.ts";
import { TEXTS } from "../messages.ts";
import type { Visit } from "../visit.ts";
import { firstRows, type NewEntry, newEntry, type Row, ROWS_MAX } from "./entry.ts";
import { readContents } from "../../../../src/documents/contents.ts";
import type { readCorrection, readRepetition } from "../../../../src/documents/repeat.ts";
import type { CanonicalDocument } from "../../../../src/domain/canonical-document.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import { formatEuro } from "../../../../src/foundation/money.ts";
import { fieldOf, FIELDS, FILE_COLUMNS, hasField, readField } from "../../../../src/intake/table-fields.ts";
import type { Language } from "../../language.ts";

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

/** Throws what `read` throws, and `invalid_state` for what the form does not take. */
export async function entryLike(
  visit: Visit,
  read: typeof readRepetition | typeof readCorrection,
): Promise<NewEntry> {
  const { appliance, mode, language, params } = visit;
  const id = params["id"] ?? "";
  const body = await read(appliance, mode, id, {});
  const { merchant, provider, document } = body;
  const { payments } = await readContents(appliance, mode, id);
  const { supplier, customer, lines } = document as unknown as CanonicalDocument;
  if (lines.length > ROWS_MAX) throw new AppError("invalid_state", TEXTS.tooManyLines);
  if (hasField(body, "withheld") && readField(body, "withheld") === "")
    throw new AppError("invalid_state", TEXTS.formTaxes);
  const given = {
    merchant,
    provider,
    ...fieldsFrom(body),
    prices: "net",
    payment: payments[0]?.method ?? "",
    branch: String(supplier.branch),
    ...(customer === undefined ? {} : { customer: customerNumber(customer.tax_id) }),
  };
  return newEntry(
    given,
    lines.map((line) => rowOf(line, language)),
    payments
      .slice(1)
      .map(({ method, amount }) => ({ method, amount: asTyped(formatEuro(amount), language) })),
  );
}

/** The fields that have one place in the body. */
function fieldsFrom(body: object): Record<string, string> {
  const columns = FILE_COLUMNS.filter((column) => FIELDS[column].of !== "line" && !fieldOf(column).isBuilt);
  return Object.fromEntries(
    columns.flatMap((column) => {
      const { form } = fieldOf(column);
      if (form === undefined) return [];
      const value = readField(body, column);
      // The main branch is the default.
      return [[form.name, column === "customer_branch" && value === "0" ? "" : value]];
    }),
  );
}

function rowOf(line: CanonicalDocument["lines"][number], language: Language): Row {
  const { category, type } = line.income_classification ?? {};
  return {
    description: line.description,
    quantity: asTyped(unambiguous(line.quantity), language),
    unit: line.unit,
    price: asTyped(formatEuro(line.unit_price), language),
    vat: line.vat_category,
    exemption: String(line.vat_exemption ?? ""),
    income: [category, type].filter((code) => code !== undefined).join(" "),
  };
}

/** With the decimal sign of the language; the form reads both. */
function asTyped(number: string, language: Language): string {
  return language === "el" ? number.replace(".", ",") : number;
}

/** `1.234` could be read as 1234, so it is written `01.234`. */
function unambiguous(quantity: string): string {
  return /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(quantity) ? `0${quantity}` : quantity;
}

/** An empty form with what the merchant's last document suggests. */
export async function suggestedEntry({ appliance, mode }: Visit, merchant: string): Promise<NewEntry> {
  const last = await findLast(appliance, mode, merchant);
  const type = NEW_TYPES.find((candidate) => candidate === last?.type) ?? NEW_TYPES[0]!;
  const { isRetail, defaultPaymentMethod } = typeInfo(type);
  const given = {
    merchant,
    type,
    issue_date: appliance.clock.today(),
    prices: isRetail ? "gross" : "net",
    payment: last?.type === type ? last.payment : defaultPaymentMethod,
  };
  return newEntry(given, firstRows(last?.category ?? "standard"));
}
