/** What a person entered in the form for a new document (docs/contract.md#console-form-for-a-document). */
import {
  type ColumnName,
  type DocumentField,
  fieldOf,
  FIELDS,
  FILE_COLUMNS,
} from "../../../../src/intake/table-fields.ts";
import { newFormKey, readFormKey } from "../forms.ts";

type FormName<Of extends DocumentField["of"]> = {
  [Column in ColumnName]: (typeof FIELDS)[Column] extends { of: Of; form: { name: infer Name } }
    ? Name
    : never;
}[ColumnName];

/** The fields outside the lines: those of the document, and what decides how the form is read. */
export type FieldName = FormName<"document" | "row"> | (typeof OTHER_NAMES)[number];
/** The fields of a line; in the form each has the number of its row: `price-2`. */
export type RowField = FormName<"line"> | "income";

function namesOf(isOf: (of: DocumentField["of"]) => boolean): string[] {
  const columns = FILE_COLUMNS.filter((column) => isOf(FIELDS[column].of));
  return columns.flatMap((column) => fieldOf(column).form?.name ?? []);
}

/** `former`: the customer's number, name and address when the form was shown. */
const OTHER_NAMES = [
  "merchant",
  "provider",
  "prices",
  "branch",
  "former",
  "former_name",
  "former_address",
] as const;
const NAMES = [...OTHER_NAMES, ...namesOf((of) => of !== "line")] as FieldName[];
const ROW_NAMES = [...namesOf((of) => of === "line"), "income"] as RowField[];
export type Row = Readonly<Record<RowField, string>>;

export interface NewEntry {
  /** The idempotency key. */
  key: string;
  /** As typed; empty where nothing is. */
  fields: Readonly<Record<FieldName, string>>;
  rows: readonly Row[];
  /** Beside the payment of the rest, each with its number from 2 on. */
  payments: readonly TypedPayment[];
}

export interface TypedPayment {
  method: string;
  amount: string;
}

/** docs/contract.md#canonical-document: ten in all. */
export const OTHER_PAYMENTS_MAX = 9;

export function paymentFields(index: number): { method: string; amount: string } {
  return { method: `payment_${index + 2}`, amount: `paid_${index + 2}` };
}

/** A document with more lines comes from a file, or from `documents repeat`. */
export const ROWS_MAX = 200;
const ROWS_AT_FIRST = 3;

export function emptyRow(vat: string): Row {
  return { description: "", quantity: "1", unit: "piece", price: "", vat, exemption: "", income: "" };
}

export function newEntry(
  given: Partial<Record<FieldName, string>>,
  rows: readonly Row[],
  payments: readonly TypedPayment[] = [],
): NewEntry {
  const entries = NAMES.map((name) => [name, given[name] ?? ""]);
  return { key: newFormKey(), fields: Object.fromEntries(entries), rows, payments };
}

export function firstRows(vat: string): Row[] {
  return Array.from({ length: ROWS_AT_FIRST }, () => emptyRow(vat));
}

export function readEntry(form: ReadonlyMap<string, string>): NewEntry {
  const read = (name: string) => (form.get(name) ?? "").trim();
  const fields = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as NewEntry["fields"];
  const rows: Row[] = [];
  for (let number = 1; number <= ROWS_MAX && form.has(rowField("description", number)); number += 1)
    rows.push(Object.fromEntries(ROW_NAMES.map((field) => [field, read(rowField(field, number))])) as Row);
  const payments = Array.from({ length: OTHER_PAYMENTS_MAX }, (_, index) => {
    const { method, amount } = paymentFields(index);
    return { method: read(method), amount: read(amount) };
  });
  return { key: readFormKey(form), fields, rows, payments };
}

export function rowField(field: RowField, number: number): string {
  return `${field}-${number}`;
}

/** A row in which nothing was typed is no line. */
export function isBlank({ description, quantity, price, exemption }: Row): boolean {
  return description + price + exemption === "" && ["", "1"].includes(quantity);
}

/** The names and values of the form. */
export function fieldsOf({ key, fields, rows, payments }: NewEntry): [string, string][] {
  return [
    ["key", key],
    ...NAMES.map((name): [string, string] => [name, fields[name]]),
    ...rows.flatMap((row, index) =>
      ROW_NAMES.map((field): [string, string] => [rowField(field, index + 1), row[field]]),
    ),
    ...payments.flatMap(({ method, amount }, index): [string, string][] => {
      const names = paymentFields(index);
      return [
        [names.method, method],
        [names.amount, amount],
      ];
    }),
  ];
}

/** What a button of the form does with its rows, and the field that then has the focus: `add`, `up-2`, `down-2`, `remove-2`. */
export function changeRows(entry: NewEntry, act: string): { entry: NewEntry; focus: string | undefined } {
  const rows = [...entry.rows];
  const [, verb = "", digits = ""] = /^(add|up|down|remove)(?:-([0-9]{1,3}))?$/.exec(act) ?? [];
  const index = Number(digits) - 1;
  if (verb === "add" && rows.length < ROWS_MAX) {
    rows.push(emptyRow(rows.at(-1)?.vat ?? "standard"));
    return { entry: { ...entry, rows }, focus: rowField("description", rows.length) };
  }
  const row = rows[index];
  if (row === undefined) return { entry, focus: undefined };
  rows.splice(index, 1);
  if (verb === "remove") {
    if (rows.length === 0) rows.push(emptyRow(row.vat));
    return { entry: { ...entry, rows }, focus: rowField("description", Math.min(index + 1, rows.length)) };
  }
  const to = verb === "up" ? Math.max(index - 1, 0) : Math.min(index + 1, rows.length);
  rows.splice(to, 0, row);
  return { entry: { ...entry, rows }, focus: rowField("description", to + 1) };
}
