/** What must hold between the fields of a document whose shape is right (spec, Canonical document; decisions 5 and 16). */
import type { Problem } from "../foundation/errors.ts";
import { isCountryCode, isValidAfm } from "./tax-number.ts";
import { pathOf } from "../foundation/validation.ts";
import type { CanonicalDocument, Party } from "./canonical-schema.ts";
import { computeExactTotals } from "./totals.ts";
import { GROSS_MAX, NET_MAX } from "./document-codes.ts";
import { DOCUMENT_TYPES, typeInfo } from "./document-types.ts";

/** Notes a problem under a path of keys. */
type Report = (keys: readonly (string | number)[], message: string) => void;

export interface RuleOptions {
  /** Today in Athens. */
  today: string;
  prefix: string;
  /** False where a quantity or an amount has the wrong form: then the totals cannot be held against the lines. */
  canAddUp: boolean;
}

/** Every rule that `document` breaks, in the order of its fields; empty when it can be accepted. */
export function findRuleProblems(document: CanonicalDocument, options: RuleOptions): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (keys, message) => problems.push({ path: pathOf(options.prefix, keys), message });
  if (document.issue_date > options.today) report(["issue_date"], "must not be after today in Athens");
  checkSupplier(document.supplier, report);
  checkCustomer(document, report);
  checkOriginalMarks(document, report);
  checkLines(document, report);
  if (options.canAddUp) checkAmounts(document, report);
  return problems;
}

function checkSupplier(supplier: Party, report: Report): void {
  const { country, code } = supplier.tax_id;
  if (country !== "GR") report(["supplier", "tax_id", "country"], "must be GR");
  else checkAfm(code, ["supplier", "tax_id", "code"], report);
}

function checkAfm(code: string, path: readonly string[], report: Report): void {
  if (isValidAfm(code)) return;
  const digits = /^[0-9]+$/.test(code);
  const message =
    digits && code.length === 8
      ? "must be a Greek tax number (ΑΦΜ) of 9 digits; a leading zero may have been lost"
      : digits && code.length === 9
        ? "has a wrong check digit"
        : "must be a Greek tax number (ΑΦΜ): 9 digits, without a country prefix";
  report(path, message);
}

const FOREIGN_CODE = /^[A-Z0-9]{2,30}$/;

function checkCustomer(document: CanonicalDocument, report: Report): void {
  const { customer, supplier, type } = document;
  if (typeInfo(type).customer === "forbidden") {
    if (customer !== undefined) report(["customer"], `is not allowed for type ${type}`);
    return;
  }
  if (customer === undefined) {
    report(["customer"], `is required for type ${type}`);
    return;
  }
  const { country, code } = customer.tax_id;
  if (!isCountryCode(country)) {
    const hint = country === "EL" ? "must be GR for Greece" : "must be an ISO 3166-1 country code";
    report(["customer", "tax_id", "country"], hint);
    return;
  }
  if (country === "GR") {
    checkAfm(code, ["customer", "tax_id", "code"], report);
    // The authority's error 235: no business invoices itself.
    if (code === supplier.tax_id.code)
      report(["customer", "tax_id", "code"], "must differ from the supplier's");
    return;
  }
  if (!FOREIGN_CODE.test(code)) {
    report(
      ["customer", "tax_id", "code"],
      "must have 2 to 30 letters and digits, without the country prefix",
    );
  }
  if (customer.name === undefined) report(["customer", "name"], "is required for a customer outside Greece");
  if (customer.address === undefined)
    report(["customer", "address"], "is required for a customer outside Greece");
}

/** `5.1`; joined by commas if there are several. */
const ASSOCIATED_TYPES = DOCUMENT_TYPES.filter((type) => typeInfo(type).originalMarks === "required").join(
  ", ",
);

function checkOriginalMarks(document: CanonicalDocument, report: Report): void {
  const { original_marks: marks, type } = document;
  const isRequired = typeInfo(type).originalMarks === "required";
  if (isRequired && marks === undefined) report(["original_marks"], `is required for type ${type}`);
  if (!isRequired && marks !== undefined)
    report(["original_marks"], `is allowed for type ${ASSOCIATED_TYPES} only, not for ${type}`);
  const seen = new Map<string, number>();
  for (const [index, mark] of (marks ?? []).entries()) {
    const first = seen.get(mark);
    if (first === undefined) seen.set(mark, index);
    else report(["original_marks", index], `repeats original_marks[${first}]`);
  }
}

/** The informational category takes no type, or one of these. */
const UNTYPED_CATEGORY = "category1_95";
const UNTYPED_CATEGORY_TYPES: ReadonlySet<string> = new Set(["E3_596", "E3_597"]);

function checkLines(document: CanonicalDocument, report: Report): void {
  for (const [index, line] of document.lines.entries()) {
    const isExempt = line.vat_category === "exempt";
    if (isExempt && line.vat_exemption === undefined) {
      report(["lines", index, "vat_exemption"], "is required on an exempt line");
    }
    if (!isExempt && line.vat_exemption !== undefined) {
      report(["lines", index, "vat_exemption"], "is allowed on exempt lines only");
    }
    const classification = line.income_classification;
    if (classification === undefined) continue;
    const problem = problemWithPair(classification.category, classification.type);
    if (problem !== undefined) report(["lines", index, "income_classification", "type"], problem);
  }
}

/** What is wrong with the type of an income classification; undefined when it fits its category. */
export function problemWithPair(category: string, type: string | undefined): string | undefined {
  if (category !== UNTYPED_CATEGORY) return type === undefined ? `is required with ${category}` : undefined;
  if (type === undefined || UNTYPED_CATEGORY_TYPES.has(type)) return undefined;
  return `must be absent, E3_596 or E3_597 with ${UNTYPED_CATEGORY}`;
}

function checkAmounts(document: CanonicalDocument, report: Report): void {
  const { totals } = document;
  const exact = computeExactTotals(document.lines);
  for (const [index, line] of exact.lines.entries()) {
    if (line.net > BigInt(NET_MAX))
      report(["lines", index], `its net amount must be at most ${NET_MAX} cents`);
  }
  for (const name of ["net", "vat", "gross"] as const) {
    if (exact[name] > BigInt(name === "gross" ? GROSS_MAX : NET_MAX)) {
      report(["totals", name], "the lines add up to more than a document may hold");
    } else if (BigInt(totals[name]) !== exact[name]) {
      report(["totals", name], `must be ${exact[name]}, which is what the lines add up to`);
    }
  }
  if (document.payments === undefined) return;
  const paid = document.payments.reduce((sum, payment) => sum + BigInt(payment.amount), 0n);
  if (paid !== exact.gross) report(["payments"], `must add up to the gross total, ${exact.gross}`);
}
