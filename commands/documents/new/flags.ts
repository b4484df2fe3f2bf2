/** The flags of `fiscal documents new`, and the command line that repeats its answers. */
import { NEW_TYPES } from "../../../src/documents/new-body.ts";
import type { DocumentType } from "../../../src/domain/document-types.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "../../../src/domain/document-codes.ts";
import { PAYMENT_WORDS, TYPE_WORDS } from "../../../src/domain/code-words.ts";
import { UsageError } from "../../exit.ts";
import { named } from "../../named-code.ts";
import { integer } from "../../options.ts";
import { quoted } from "../../ui/shell.ts";
import type { IssueOneOptions } from "../issue-one.ts";
import type { Customer, CustomerFlags } from "./ask-customer.ts";
import type { LineParts } from "../../../src/intake/read-row.ts";
import { joinTexts, sameInBoth } from "../../../src/foundation/text.ts";
import { type ColumnName, fieldOf, fieldsIn, writeTyped } from "../../../src/intake/table-fields.ts";
import { formatTypedLine, readTypedLine } from "./typed-line.ts";
import type { Flags } from "../../define.ts";
import { MERCHANT } from "../../merchants/choose-merchant.ts";
import { ISSUE_DATE } from "../../issue-dates.ts";

export interface NewOptions extends IssueOneOptions, CustomerFlags {
  merchant?: string;
  type?: DocumentType;
  line?: LineParts[];
  gross?: boolean;
  payment?: PaymentMethod;
  date?: string;
  branch?: number;
  reference?: string;
  withhold?: string;
}

const BRANCH_MAX = 9999;
export const METHODS = Object.keys(PAYMENT_METHODS) as PaymentMethod[];

export const NEW_FLAGS: Flags = {
  ...MERCHANT,
  "--type <type>": {
    en: `type: ${NEW_TYPES.join(", ")}`,
    el: `τύπος: ${NEW_TYPES.join(", ")}`,
    read: named(NEW_TYPES, TYPE_WORDS),
  },
  "--customer <customer>": {
    en: "tax number, with its country unless Greek",
    el: "ΑΦΜ, με τη χώρα του αν δεν είναι ελληνικό",
  },
  "--customer-country <country>": { en: "country of the number: DE", el: "χώρα του αριθμού: DE" },
  ...flagsOfFields("customer"),
  "--line <line>": {
    en: '"description; quantity; price; vat"; may be repeated',
    el: '"περιγραφή; ποσότητα; τιμή; ΦΠΑ"· επαναλαμβάνεται',
    read: () => readLines,
  },
  "--gross": { en: "the prices are with VAT", el: "οι τιμές είναι με ΦΠΑ" },
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
  "--preview": {
    en: "only show the document, issue nothing",
    el: "μόνο δείχνει το παραστατικό, χωρίς έκδοση",
  },
};

function flagsOfFields(place: "customer" | "more"): Flags {
  return Object.fromEntries(
    fieldsIn(place).map((column) => {
      const { name, help } = fieldOf(column).flag!;
      return [`--${name}`, help];
    }),
  );
}

/** The flag of a field, and what was given with it. */
function givenFor(column: ColumnName, options: object): [flag: string, value: string | undefined] {
  const name = fieldOf(column).flag!.name.replace(/ .*/, "");
  const key = name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
  return [`--${name}`, (options as Readonly<Record<string, string | undefined>>)[key]];
}

/** Writes what few documents have into `body`. Throws UsageError. */
export function writeFurther(body: object, options: NewOptions): void {
  for (const column of fieldsIn("more")) {
    const [flag, value] = givenFor(column, options);
    const problem = value === undefined ? undefined : writeTyped(body, column, value);
    if (problem !== undefined) throw new UsageError(joinTexts([sameInBoth(flag), problem], ": "));
  }
}

const readLines = Object.assign(
  (value: string, previous: LineParts[] = []): LineParts[] => {
    const line = readTypedLine(value);
    if ("value" in line) return [...previous, line.value];
    const number = previous.length + 1;
    const { en, el } = line.problem;
    throw new UsageError({ en: `--line ${number}: ${en}`, el: `--line ${number}: ${el}` });
  },
  { isRepeatable: true },
);

/** What was answered or given. */
export interface Answers {
  merchant: string;
  type: DocumentType;
  customer: Customer | undefined;
  lines: readonly LineParts[];
  isGross: boolean;
  payment: PaymentMethod;
}

/** The command line with every answer as a flag. */
export function commandLineOf(answers: Answers, options: NewOptions, isLive: boolean): string {
  const { customer } = answers;
  const { name, address } = customer ?? {};
  const flags: [string, string | number | undefined][] = [
    ["--merchant", answers.merchant],
    ["--type", answers.type],
    ["--customer", customer?.tax_id.code],
    ["--customer-country", customer?.tax_id.country === "GR" ? undefined : customer?.tax_id.country],
    ["--customer-name", name],
    ["--customer-street", address?.street],
    ["--customer-street-number", address?.number],
    ["--customer-postal-code", address?.postal_code],
    ["--customer-city", address?.city],
    ...answers.lines.map((line): [string, string] => ["--line", formatTypedLine(line)]),
    ["--payment", answers.payment],
    ["--date", options.date],
    ["--branch", options.branch],
    ...fieldsIn("more").map((column) => givenFor(column, options)),
  ];
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(String(value))]));
  const start = isLive ? "fiscal --live documents new" : "fiscal documents new";
  return [start, ...given, ...(answers.isGross ? ["--gross"] : [])].join(" ");
}
