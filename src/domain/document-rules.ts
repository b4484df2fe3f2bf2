/** The rules between the fields of a document, as far as its fields can be read (docs/contract.md#canonical-document). */
import * as v from "valibot";
import { REQUIRED } from "../foundation/messages.ts";
import type { Text } from "../foundation/text.ts";
import { pathOf } from "../foundation/validation.ts";
import { type CanonicalDocument, LineSchema, type Party } from "./canonical-schema.ts";
import { GROSS_MAX, NET_MAX } from "./document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType, typeInfo } from "./document-types.ts";
import type { Objection, RuleName } from "./routing.ts";
import { isCountryCode, problemWithAfm } from "./tax-number.ts";
import { exactPayable, problemWithCategory } from "./taxes.ts";
import { computeExactTotals } from "./totals.ts";

/** Without a message there is no problem. */
type Report = (keys: readonly (string | number)[], message: Text | undefined, rule?: RuleName) => void;

export interface RuleOptions extends Readable {
  /** Today in Athens. */
  today: string;
  prefix: string;
}

/** Every rule that `document` breaks, in the order of its fields; empty when everybody accepts it. */
export function findRuleProblems(document: CanonicalDocument, options: RuleOptions): Objection[] {
  const problems: Objection[] = [];
  const report: Report = (keys, message, rule) => {
    if (message === undefined) return;
    problems.push({ path: pathOf(options.prefix, keys), message, ...(rule === undefined ? {} : { rule }) });
  };
  const { isReadable } = options;
  if (isReadable("issue_date") && document.issue_date > options.today)
    report(["issue_date"], IN_THE_FUTURE, "future_date");
  if (isReadable("supplier", "tax_id")) checkSupplier(document.supplier, report);
  checkCustomer(document, isReadable, report);
  checkOriginalMarks(document, isReadable, report);
  if (Array.isArray(document.lines)) checkLines(document, isReadable, report);
  if (isReadable("taxes")) checkTaxes(document, report);
  if (options.canAddUp) checkAmounts(document, isReadable, report);
  return problems;
}

const IN_THE_FUTURE: Text = {
  en: "must not be after today in Athens",
  el: "δεν επιτρέπεται να είναι μετά τη σημερινή ημερομηνία στην Αθήνα",
};

export const notAllowedForType = (type: DocumentType): Text => ({
  en: `is not allowed for type ${type}`,
  el: `δεν επιτρέπεται για τον τύπο ${type}`,
});

const requiredForType = (type: DocumentType): Text => ({
  en: `is required for type ${type}`,
  el: `είναι υποχρεωτικό για τον τύπο ${type}`,
});

function checkSupplier(supplier: Party, report: Report): void {
  const { country, code } = supplier.tax_id;
  if (country === "GR") report(["supplier", "tax_id", "code"], problemWithAfm(code));
  else report(["supplier", "tax_id", "country"], { en: "must be GR", el: "πρέπει να είναι GR" });
}

const FOREIGN_CODE = /^[A-Z0-9]{2,30}$/;

const REQUIRED_ABROAD: Text = {
  en: "is required for a customer outside Greece",
  el: "είναι υποχρεωτικό για πελάτη εκτός Ελλάδας",
};

type IsReadable = Readable["isReadable"];

function checkCustomer(
  { customer, supplier, type }: CanonicalDocument,
  isReadable: IsReadable,
  report: Report,
): void {
  const use = isReadable("type") ? typeInfo(type).customer : undefined;
  if (use === "forbidden") {
    if (customer !== undefined) report(["customer"], notAllowedForType(type));
    return;
  }
  if (customer === undefined)
    return use === undefined ? undefined : report(["customer"], requiredForType(type));
  if (!isReadable("customer", "tax_id")) return;
  const { country, code } = customer.tax_id;
  if (!isCountryCode(country)) return report(["customer", "tax_id", "country"], problemWithCountry(country));
  if (country !== "GR") return checkForeignCustomer(customer, report);
  checkGreekCustomer(code, isReadable("supplier", "tax_id") ? supplier : undefined, report);
}

function problemWithCountry(country: string): Text {
  return country === "EL"
    ? { en: "must be GR for Greece", el: "πρέπει να είναι GR για την Ελλάδα" }
    : {
        en: "must be an ISO 3166-1 country code",
        el: "πρέπει να είναι κωδικός χώρας ISO 3166-1",
      };
}

function checkGreekCustomer(code: string, supplier: Party | undefined, report: Report): void {
  report(["customer", "tax_id", "code"], problemWithAfm(code));
  // The authority's error 235: no business invoices itself.
  if (code === supplier?.tax_id.code)
    report(["customer", "tax_id", "code"], SAME_AS_SUPPLIER, "own_customer");
}

const SAME_AS_SUPPLIER: Text = {
  en: "must differ from the supplier's",
  el: "πρέπει να διαφέρει από του εκδότη",
};

function checkForeignCustomer(customer: Party, report: Report): void {
  if (!FOREIGN_CODE.test(customer.tax_id.code)) {
    report(["customer", "tax_id", "code"], {
      en: "must have 2 to 30 letters and digits, without the country prefix",
      el: "πρέπει να έχει 2 έως 30 λατινικά γράμματα και ψηφία, χωρίς το πρόθεμα της χώρας",
    });
  }
  if (customer.name === undefined) report(["customer", "name"], REQUIRED_ABROAD);
  if (customer.address === undefined) report(["customer", "address"], REQUIRED_ABROAD);
}

const ASSOCIATED_TYPES = DOCUMENT_TYPES.filter((type) => typeInfo(type).originalMarks !== "forbidden").join(
  ", ",
);

function checkOriginalMarks(
  { original_marks: marks, type }: CanonicalDocument,
  isReadable: IsReadable,
  report: Report,
): void {
  const use = isReadable("type") ? typeInfo(type).originalMarks : undefined;
  if (use === "required" && marks === undefined) report(["original_marks"], requiredForType(type));
  if (use === "forbidden" && marks !== undefined)
    report(["original_marks"], {
      en: `is allowed for types ${ASSOCIATED_TYPES} only, not for ${type}`,
      el: `επιτρέπεται μόνο για τους τύπους ${ASSOCIATED_TYPES}, όχι για τον ${type}`,
    });
  if (!isReadable("original_marks")) return;
  const seen = new Map<string, number>();
  for (const [index, mark] of (marks ?? []).entries()) {
    const first = seen.get(mark);
    if (first === undefined) seen.set(mark, index);
    else {
      const message = {
        en: `repeats original_marks[${first}]`,
        el: `επαναλαμβάνει το original_marks[${first}]`,
      };
      report(["original_marks", index], message, "repeated_mark");
    }
  }
}

function checkLines({ lines }: CanonicalDocument, isReadable: IsReadable, report: Report): void {
  for (const [index, line] of lines.entries()) {
    if (!isReadable("lines", index, "vat_category")) continue;
    const isExempt = line.vat_category === "exempt";
    if (isExempt && line.vat_exemption === undefined) {
      report(["lines", index, "vat_exemption"], {
        en: "is required on an exempt line",
        el: "είναι υποχρεωτικό σε γραμμή με απαλλαγή ΦΠΑ",
      });
    }
    if (!isExempt && line.vat_exemption !== undefined) {
      report(["lines", index, "vat_exemption"], {
        en: "is allowed on exempt lines only",
        el: "επιτρέπεται μόνο σε γραμμές με απαλλαγή ΦΠΑ",
      });
    }
    const classification = line.income_classification;
    if (classification === undefined || !isReadable("lines", index, "income_classification")) continue;
    const problem = problemWithPair(classification.category, classification.type);
    report(["lines", index, "income_classification", "type"], problem);
  }
}

/** The informational category takes no type, or one of these. */
const UNTYPED_CATEGORY = "category1_95";
const UNTYPED_CATEGORY_TYPES: ReadonlySet<string> = new Set(["E3_596", "E3_597"]);

/** What is wrong with the type of an income classification; undefined when it fits its category. */
export function problemWithPair(category: string, type: string | undefined): Text | undefined {
  if (category !== UNTYPED_CATEGORY) {
    if (type !== undefined) return undefined;
    return { en: `${REQUIRED.en} with ${category}`, el: `${REQUIRED.el} με ${category}` };
  }
  if (type === undefined || UNTYPED_CATEGORY_TYPES.has(type)) return undefined;
  return {
    en: `must be absent, E3_596 or E3_597 with ${UNTYPED_CATEGORY}`,
    el: `πρέπει να λείπει ή να είναι E3_596 ή E3_597 με ${UNTYPED_CATEGORY}`,
  };
}

function checkTaxes({ taxes = [] }: CanonicalDocument, report: Report): void {
  for (const [index, tax] of taxes.entries()) report(["taxes", index, "category"], problemWithCategory(tax));
}

function checkAmounts(document: CanonicalDocument, isReadable: IsReadable, report: Report): void {
  const { totals, payments, taxes } = document;
  const exact = computeExactTotals(document.lines);
  for (const [index, line] of exact.lines.entries()) {
    if (line.net > BigInt(NET_MAX))
      report(["lines", index], {
        en: `its net amount must be at most ${NET_MAX} cents`,
        el: `η καθαρή της αξία πρέπει να είναι το πολύ ${NET_MAX} λεπτά`,
      });
  }
  for (const name of ["net", "vat", "gross"] as const) {
    if (exact[name] > BigInt(name === "gross" ? GROSS_MAX : NET_MAX)) {
      report(["totals", name], LINES_COME_TO_TOO_MUCH);
    } else if (isReadable("totals", name) && !isSame(totals[name], exact[name])) {
      report(["totals", name], {
        en: `must be ${exact[name]}, which is what the lines add up to`,
        el: `πρέπει να είναι ${exact[name]}, όσο το άθροισμα των γραμμών`,
      });
    }
  }
  if (!isReadable("taxes") || !areCents(taxes, NET_MAX)) return;
  const payable = exactPayable(exact.gross, taxes);
  if (taxes !== undefined && (payable < 0n || payable > BigInt(GROSS_MAX)))
    return report(["taxes"], payable < 0n ? TAKES_MORE_THAN_GROSS : ADDS_TOO_MUCH);
  if (payments === undefined || !isReadable("payments") || !areCents(payments, GROSS_MAX)) return;
  const paid = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (paid === payable) return;
  const message =
    taxes === undefined
      ? {
          en: `must add up to the gross total, ${payable}`,
          el: `πρέπει να αθροίζουν στο συνολικό ποσό, ${payable}`,
        }
      : {
          en: `must add up to what is payable with the taxes, ${payable}`,
          el: `πρέπει να αθροίζουν στο πληρωτέο ποσό μετά τους φόρους, ${payable}`,
        };
  report(["payments"], message, "payments_differ");
}

export const LINES_COME_TO_TOO_MUCH: Text = {
  en: "the lines add up to more than a document may hold",
  el: "το άθροισμα των γραμμών ξεπερνά το όριο ενός παραστατικού",
};

const TAKES_MORE_THAN_GROSS: Text = {
  en: "must not take off more than the gross total",
  el: "δεν επιτρέπεται να αφαιρούν περισσότερα από το συνολικό ποσό",
};

const ADDS_TOO_MUCH: Text = {
  en: "make the document come to more than a document may hold",
  el: "ανεβάζουν το πληρωτέο πάνω από το όριο ενός παραστατικού",
};

/** Whether they can be added up: an amount out of its limits is a problem of its field. */
function areCents(items: readonly { amount: number }[] = [], max: number): boolean {
  return items.every(({ amount }) => Number.isSafeInteger(amount) && amount >= 0 && amount <= max);
}

function isSame(cents: number, exact: bigint): boolean {
  return Number.isSafeInteger(cents) && BigInt(cents) === exact;
}

type Key = string | number;

interface Readable {
  /** Whether the value at this path, and everything in it, has the right type or is absent. */
  isReadable(...keys: readonly Key[]): boolean;
  /** Whether the amounts of every line are valid, so that they can be added up. */
  canAddUp: boolean;
}

export const WHOLE: Readable = { isReadable: () => true, canAddUp: true };

/** `document` is what the schema left of an input with `issues`. */
export function readableParts(
  { lines }: Pick<CanonicalDocument, "lines">,
  issues: readonly v.BaseIssue<unknown>[],
): Readable {
  const broken = new Set<string>();
  const around = new Set<string>();
  for (const issue of issues.filter(breaksValue)) {
    const keys = (issue.path ?? []).map(({ key }) => key as Key);
    broken.add(pathTo(keys, keys.length));
    for (let length = 0; length <= keys.length; length += 1) around.add(pathTo(keys, length));
  }
  return {
    isReadable: (...keys) =>
      !around.has(pathTo(keys, keys.length)) && !keys.some((_key, at) => broken.has(pathTo(keys, at))),
    canAddUp: Array.isArray(lines) && lines.length > 0 && lines.every((line) => v.is(PricedLineSchema, line)),
  };
}

const { quantity, unit_price, vat_category } = LineSchema.entries;
const PricedLineSchema = v.object({ quantity, unit_price, vat_category });

/** A value that is out of its limits still has its type; an unknown field changes nothing of the others. */
function breaksValue({ kind, type, expected }: v.BaseIssue<unknown>): boolean {
  return kind === "schema" && !(type === "strict_object" && expected === "never");
}

function pathTo(keys: readonly Key[], length: number): string {
  return keys.slice(0, length).join("/");
}
