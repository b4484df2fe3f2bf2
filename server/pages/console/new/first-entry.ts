/**
 * Fills the form for a new document: from an issued one, from a rejected one that it corrects (docs/contract.md#credit-and-repeat), or
 * with what the merchant's last document suggests.
 */
import { readContents } from "../../../../src/documents/contents.ts";
import type { readCorrection, readRepetition } from "../../../../src/documents/repeat.ts";
import type { CanonicalDocument } from "../../../../src/domain/canonical-document.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import { formatEuro } from "../../../../src/foundation/money.ts";
import { fieldOf, FIELDS, FILE_COLUMNS, hasField, readField } from "../../../../src/intake/table-fields.ts";
import { TEXTS } from "../messages.ts";
import type { Language } from "../../language.ts";
import type { Visit } from "../visit.ts";
import { customerNumber } from "./customer.ts";
import { firstRows, type NewEntry, newEntry, type Row, ROWS_MAX } from "./entry.ts";
import { findLast, NEW_TYPES } from "../../../../src/documents/new-document.ts";
import { typeInfo } from "../../../../src/domain/document-types.ts";

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
