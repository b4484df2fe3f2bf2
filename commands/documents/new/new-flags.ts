/** The flags of `fiscal documents new` and `correct`, and the command line that repeats the answers of a person. */
import { NEW_TYPES } from "../../../src/documents/new-document.ts";
import {
  PAYMENT_METHODS,
  PAYMENT_WORDS,
  type PaymentMethod,
  TYPE_WORDS,
} from "../../../src/domain/document-codes.ts";
import { named } from "../../named-code.ts";
import { checkFlag, integer, optionOf, refuseFlag, repeated, wordOf } from "../../options.ts";
import type { IssueOneOptions } from "../issue-one.ts";
import { type ColumnName, fieldOf, fieldsIn, writeTyped } from "../../../src/intake/table-fields.ts";
import { problemWithTyped } from "../../../src/intake/typed-line.ts";
import type { Appliance } from "../../../src/appliance.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { formatTypedLine, readTypedLine } from "./ask-lines.ts";
import type { Flags, OptionsOf } from "../../define.ts";
import { MERCHANT } from "../../merchants/find-merchant.ts";
import { ISSUE_DATE } from "../../common-flags.ts";

const BRANCH_MAX = 9999;
export const METHODS = Object.keys(PAYMENT_METHODS) as PaymentMethod[];

export const CUSTOMER_FLAGS = {
  "--customer <customer>": {
    en: "tax number, with its country unless Greek",
    el: "ΑΦΜ, με τη χώρα του αν δεν είναι ελληνικό",
  },
  "--customer-country <country>": { en: "country of the number: DE", el: "χώρα του αριθμού: DE" },
  ...flagsOfFields("customer"),
} satisfies Flags;

const LINE_FLAGS = {
  "--line <line>": {
    en: '"description; quantity; price; vat"; may be repeated',
    el: '"περιγραφή; ποσότητα; τιμή; ΦΠΑ"· επαναλαμβάνεται',
    read: () =>
      repeated((value, count) => {
        const line = readTypedLine(value);
        return "value" in line ? [line.value] : refuseFlag(`--line ${count + 1}`, line.problem);
      }),
  },
  "--gross": { en: "the prices are with VAT", el: "οι τιμές είναι με ΦΠΑ" },
} satisfies Flags;

export const NEW_FLAGS = {
  ...MERCHANT,
  "--type <type>": {
    en: `type: ${NEW_TYPES.join(", ")}`,
    el: `τύπος: ${NEW_TYPES.join(", ")}`,
    read: named(NEW_TYPES, TYPE_WORDS),
  },
  ...CUSTOMER_FLAGS,
  ...LINE_FLAGS,
  "--payment <method>": {
    en: `how it is paid: ${METHODS.join(", ")}`,
    el: `τρόπος πληρωμής: ${METHODS.join(", ")}`,
    read: named(METHODS, PAYMENT_WORDS),
  },
  ...ISSUE_DATE,
  "--branch <n>": {
    en: "branch (default: the merchant's)",
    el: "εγκατάσταση (αν λείπει: της επιχείρησης)",
    read: integer(0, BRANCH_MAX),
  },
  ...flagsOfFields("more"),
} satisfies Flags;

export type NewOptions = OptionsOf<typeof NEW_FLAGS> &
  IssueOneOptions & { reference?: string; withhold?: string };

/** What a person is asked for, and the options that give it. */
export const PARTS = {
  type: { en: "the type", el: "τον τύπο", options: ["type"] },
  customer: { en: "the customer", el: "τον πελάτη", options: Object.keys(CUSTOMER_FLAGS).map(optionOf) },
  lines: { en: "the lines", el: "τις γραμμές", options: Object.keys(LINE_FLAGS).map(optionOf) },
  payment: { en: "the payment", el: "την πληρωμή", options: ["payment"] },
};
export type Part = keyof typeof PARTS;

function flagsOfFields(place: "customer" | "more"): Flags {
  return Object.fromEntries(
    fieldsIn(place).map((column) => {
      const { name, help } = fieldOf(column).flag!;
      return [`--${name}`, help];
    }),
  );
}

export function flagOf(column: ColumnName): string {
  return `--${wordOf(fieldOf(column).flag!.name)}`;
}

/** What was given for a field, or answered. */
export function givenFor(column: ColumnName, options: object): string | undefined {
  return (options as Readonly<Record<string, string | undefined>>)[optionOf(flagOf(column))];
}

export function give(column: ColumnName, options: object, value: string): void {
  Object.assign(options, { [optionOf(flagOf(column))]: value });
}

/** Throws UsageError for a flag that holds no value of its field, before anything is asked. */
export function checkGiven(appliance: Appliance, mode: Mode, options: NewOptions): void {
  for (const column of [...fieldsIn("customer"), ...fieldsIn("more")]) {
    const typed = givenFor(column, options);
    if (typed !== undefined) checkFlag(flagOf(column), problemWithTyped(appliance, mode, { column, typed }));
  }
  if (options.date === undefined) return;
  const given = { column: "issue_date", typed: options.date } as const;
  checkFlag("--date", problemWithTyped(appliance, mode, given));
}

/** Writes what was given for the fields of this place to `body`. Throws UsageError. */
export function writeGiven(body: object, place: "customer" | "more", options: NewOptions): void {
  for (const column of fieldsIn(place)) {
    const value = givenFor(column, options);
    if (value !== undefined) checkFlag(flagOf(column), writeTyped(body, column, value));
  }
}

/** The words of a command line with `options`. */
export function argsOf(options: NewOptions): string[] {
  return Object.keys(NEW_FLAGS).flatMap((flag) => {
    const name = wordOf(flag);
    const value = (options as Readonly<Record<string, unknown>>)[optionOf(flag)];
    if (value === undefined || value === false) return [];
    if (value === true) return [name];
    const words = name === "--line" ? options.line!.map(formatTypedLine) : [String(value)];
    return words.flatMap((word) => [name, word]);
  });
}
