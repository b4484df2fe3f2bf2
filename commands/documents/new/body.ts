/** The body of POST /documents from the answers of `fiscal documents new`. */
import { computeTotals } from "../../../src/domain/totals.ts";
import type { LineInput } from "../../../src/intake/read-row.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { UsageError } from "../../exit.ts";
import type { Answers, NewOptions } from "./flags.ts";
import { linesOf } from "./typed-line.ts";

/** Throws UsageError for a merchant without a tax number, and a price with VAT that no net price yields. */
export function bodyOf(merchant: MerchantObject, answers: Answers, options: NewOptions, today: string) {
  if (merchant.tax_id === null) throw new UsageError(noTaxNumber(merchant.external_id));
  const lines = answers.lines.flatMap((line, index) => allLinesOf(line, index, answers.isGross));
  const { net, vat, gross } = computeTotals(lines);
  const { customer, type, payment } = answers;
  return {
    merchant: merchant.id,
    ...(options.series === undefined ? {} : { series: options.series }),
    ...(options.reference === undefined ? {} : { external_reference: options.reference }),
    document: {
      type,
      issue_date: options.date ?? today,
      currency: "EUR",
      supplier: {
        tax_id: { country: "GR", code: merchant.tax_id },
        branch: options.branch ?? merchant.branch,
      },
      ...(customer === undefined ? {} : { customer: withoutBlanks(customer) }),
      lines,
      payments: [{ method: payment, amount: gross }],
      totals: { net, vat, gross },
    },
  };
}

function withoutBlanks(customer: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== undefined));
}

function allLinesOf(line: Answers["lines"][number], index: number, isGross: boolean): LineInput[] {
  const lines = linesOf(line, isGross);
  if (!("problem" in lines)) return lines;
  const { en, el } = lines.problem;
  throw new UsageError({ en: `--line ${index + 1}: ${en}`, el: `--line ${index + 1}: ${el}` });
}

const noTaxNumber = (merchant: string) => ({
  en: `${merchant} has no tax number; \`fiscal merchants update ${merchant} --tax-id\` sets it`,
  el: `Η ${merchant} δεν έχει ΑΦΜ· το ορίζει η \`fiscal merchants update ${merchant} --tax-id\``,
});
