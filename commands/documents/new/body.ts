/** The body of POST /documents from the answers of `fiscal documents new`. */
import { newBody } from "../../../src/documents/new-body.ts";
import type { LineInput } from "../../../src/intake/read-row.ts";
import { linesOf } from "../../../src/intake/typed-line.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { UsageError } from "../../exit.ts";
import type { Answers, NewOptions } from "./flags.ts";
import { aboutPrice } from "./typed-line.ts";

/** Throws UsageError for a merchant without a tax number, and a price with VAT that no net price yields. */
export function bodyOf(merchant: MerchantObject, answers: Answers, options: NewOptions, today: string) {
  if (merchant.tax_id === null) throw new UsageError(noTaxNumber(merchant.external_id));
  const { customer, type, payment } = answers;
  return newBody({
    merchant: merchant.id,
    supplier: merchant.tax_id,
    branch: options.branch ?? merchant.branch,
    type,
    issueDate: options.date ?? today,
    customer,
    lines: answers.lines.flatMap((line, index) => allLinesOf(line, index, answers.isGross)),
    payment,
    series: options.series,
    reference: options.reference,
  });
}

function allLinesOf(line: Answers["lines"][number], index: number, isGross: boolean): LineInput[] {
  const lines = linesOf(line, isGross);
  if (!("problem" in lines)) return lines;
  const { en, el } = aboutPrice(lines.problem);
  throw new UsageError({ en: `--line ${index + 1}: ${en}`, el: `--line ${index + 1}: ${el}` });
}

const noTaxNumber = (merchant: string) => ({
  en: `${merchant} has no tax number; \`fiscal merchants update ${merchant} --tax-id\` sets it`,
  el: `Η ${merchant} δεν έχει ΑΦΜ· το ορίζει η \`fiscal merchants update ${merchant} --tax-id\``,
});
