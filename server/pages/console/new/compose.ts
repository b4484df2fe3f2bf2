/** The body of POST /documents from what was entered in the form, and the form's fields for the problems of the body. */
import { newBody } from "../../../../src/documents/new-document.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "../../../../src/domain/document-codes.ts";
import type { DocumentType } from "../../../../src/domain/document-types.ts";
import { readCustomerNumber } from "../../../../src/domain/tax-number.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import { REQUIRED } from "../../../../src/foundation/messages.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { type Reading, readUnit, readVatCategory, readWhole } from "../../../../src/intake/cell-values.ts";
import type { LineInput } from "../../../../src/intake/read-row.ts";
import { fieldOf, fieldsIn, findField, writeTyped } from "../../../../src/intake/table-fields.ts";
import { linesOf, readTypedNumber, readTypedPrice } from "../../../../src/intake/typed-line.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import { type Trouble, troubleOf } from "../forms.ts";
import { TEXTS } from "../messages.ts";
import {
  type FieldName,
  isBlank,
  type NewEntry,
  paymentFields,
  type Row,
  type RowField,
  rowField,
} from "./entry.ts";

export interface Composed {
  /** Without the lines that cannot be read. */
  body: ReturnType<typeof newBody> & { provider?: string };
  /** What cannot be read, by the name of the field. */
  mistakes: Map<string, Text>;
  /** The number of the row from which each line of the body comes. */
  rowNumbers: readonly number[];
}

/** Depends on the form and the merchant alone, so that a form submitted twice is the same request twice. */
export function compose({ fields, rows, payments }: NewEntry, merchant: MerchantObject): Composed {
  if (merchant.tax_id === null) throw new AppError("invalid_state", TEXTS.noTaxNumber(merchant.name));
  const mistakes = new Map<string, Text>();
  const lines: LineInput[] = [];
  const rowNumbers: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (isBlank(row)) continue;
    for (const line of readRow(row, index + 1, { isGross: fields.prices === "gross", mistakes })) {
      lines.push(line);
      rowNumbers.push(index + 1);
    }
  }
  const body = newBody({
    merchant: merchant.id,
    supplier: merchant.tax_id,
    branch: readBranch("branch", fields.branch, mistakes) ?? merchant.branch,
    type: fields.type as DocumentType,
    issueDate: fields.issue_date,
    customer: customerOf(fields, mistakes),
    lines,
    payment: fields.payment as PaymentMethod,
    others: readPayments(payments, mistakes),
  });
  const [first] = body.document.payments;
  if (first !== undefined && first.amount < 0) mistakes.set("payment", TEXTS.paidTooMuch);
  for (const column of fieldsIn("more")) {
    const name = fieldOf(column).form!.name as FieldName;
    const problem = fields[name] === "" ? undefined : writeTyped(body, column, fields[name]);
    if (problem !== undefined) mistakes.set(name, problem);
  }
  const { provider } = fields;
  return { body: provider === "" ? body : { ...body, provider }, mistakes, rowNumbers };
}

function readPayments(payments: NewEntry["payments"], mistakes: Map<string, Text>) {
  return payments.flatMap(({ method, amount }, index) => {
    if (method + amount === "") return [];
    const names = paymentFields(index);
    const read: Reading<number> = amount === "" ? { problem: REQUIRED } : readTypedPrice(amount);
    if ("problem" in read) mistakes.set(names.amount, read.problem);
    if (!Object.hasOwn(PAYMENT_METHODS, method)) mistakes.set(names.method, REQUIRED);
    return "value" in read ? [{ method: method as PaymentMethod, amount: read.value }] : [];
  });
}

interface Reader {
  isGross: boolean;
  mistakes: Map<string, Text>;
}

/** Empty if a part that its amounts need cannot be read. */
function readRow(row: Row, number: number, { isGross, mistakes }: Reader): LineInput[] {
  const report = (field: RowField, problem: Text) => void mistakes.set(rowField(field, number), problem);
  const read = <Value>(field: RowField, reader: (text: string) => Reading<Value>): Value | undefined => {
    const reading = row[field] === "" ? { problem: REQUIRED } : reader(row[field]);
    if ("value" in reading) return reading.value;
    report(field, reading.problem);
    return undefined;
  };
  const description = read("description", (value) => ({ value })) ?? "";
  const quantity = read("quantity", readTypedNumber);
  const price = read("price", readTypedPrice);
  const category = read("vat", readVatCategory);
  const unit = read("unit", readUnit);
  const exemption = row.exemption === "" ? undefined : Number(read("exemption", readWhole));
  if (quantity === undefined || price === undefined || category === undefined) return [];
  const line: LineInput = {
    description,
    quantity,
    ...(unit === undefined ? {} : { unit }),
    unit_price: price,
    vat_category: category,
    ...(exemption === undefined ? {} : { vat_exemption: exemption }),
    ...incomeOf(row),
  };
  const lines = linesOf(line, isGross);
  if (!("problem" in lines)) return lines;
  report("price", lines.problem);
  return [];
}

/** The classification of a repeated line: `category1_1 E3_561_001`. */
function incomeOf({ income }: Row): Pick<LineInput, "income_classification"> {
  const [category = "", type] = income.split(" ");
  if (category === "") return {};
  return { income_classification: { category, ...(type === undefined ? {} : { type }) } };
}

function readBranch(field: string, text: string, mistakes: Map<string, Text>): number | undefined {
  if (text === "") return undefined;
  const reading = readWhole(text);
  if ("value" in reading) return Number(reading.value);
  mistakes.set(field, reading.problem);
  return undefined;
}

/** Undefined if nothing was typed. */
function customerOf(fields: NewEntry["fields"], mistakes: Map<string, Text>): object | undefined {
  const address = {
    street: filled(fields.customer_street),
    number: filled(fields.customer_number),
    postal_code: filled(fields.customer_postal_code),
    city: filled(fields.customer_city),
  };
  const given = Object.entries(address).filter(([, value]) => value !== undefined);
  if (fields.customer + fields.customer_name === "" && given.length === 0) return undefined;
  if (fields.customer === "") mistakes.set("customer", REQUIRED);
  return {
    tax_id: readCustomerNumber(fields.customer),
    name: filled(fields.customer_name),
    address: given.length === 0 ? undefined : Object.fromEntries(given),
    branch: readBranch("customer_branch", fields.customer_branch, mistakes),
  };
}

function filled(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Why the body was refused, with what could not be read before. */
export function troubleIn({ mistakes, rowNumbers }: Composed, error: AppError): Trouble {
  const hasUnreadLines = [...mistakes.keys()].some((name) => /-[0-9]+$/.test(name));
  // Lines that cannot be read are missing from the body.
  const problems = error.problems.filter(({ path }) => path !== "document.lines" || !hasUnreadLines);
  const trouble = troubleOf(error, (path) => nameAt(path, rowNumbers), problems, mistakes);
  return error.code === "idempotency_conflict" ? { ...trouble, other: TEXTS.alreadyIssued } : trouble;
}

function nameAt(path: string, rowNumbers: readonly number[]): string | undefined {
  if (path === "document.lines") return "description-1";
  if (path === "document.supplier.branch") return "branch";
  const { column, line } = findField(path);
  const name = column === undefined ? undefined : fieldOf(column).form?.name;
  // The form has the classification of repeated lines only, and one field for number and country of the customer.
  if (line !== undefined) return rowField((name ?? "description") as RowField, rowNumbers[line]!);
  return name ?? (path.startsWith("document.customer") ? "customer" : undefined);
}
