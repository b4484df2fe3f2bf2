/** `fiscal documents new`: issues one document and asks for what the flags do not say. See docs/contract.md#new-documents. */
import type { Appliance } from "../../src/appliance.ts";
import {
  findLast,
  forgetUnissued,
  keepUnissued,
  NEW_TYPES,
  newBody,
} from "../../src/documents/new-document.ts";
import { PAYMENT_WORDS, type PaymentMethod } from "../../src/domain/document-codes.ts";
import { type DocumentType, typeInfo } from "../../src/domain/document-types.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { printNote } from "../io.ts";
import { chooseMerchant, findMerchant } from "../merchants/find-merchant.ts";
import { askWhich, canPrompt } from "../ui/prompt.ts";
import { ISSUE_ONE_FIELDS, ISSUE_ONE_FLAGS, issueOne, orderOf } from "./issue-one.ts";
import { askCustomer, type Customer } from "./new/ask-customer.ts";
import { aboutPrice, askGross, askLines } from "./new/ask-lines.ts";
import {
  argsOf,
  checkGiven,
  flagsOfCustomer,
  METHODS,
  NEW_FLAGS,
  type NewOptions,
  takeKept,
  writeFurther,
} from "./new/new-flags.ts";
import type { LineInput } from "../../src/intake/read-row.ts";
import { linesOf } from "../../src/intake/typed-line.ts";
import { quoted } from "../next-steps.ts";
import { verb } from "../define.ts";

export const defineNew = verb({
  flags: { ...NEW_FLAGS, ...ISSUE_ONE_FLAGS },
  notes: {
    en: `On a terminal it asks for what is missing, shows the document and asks once before it is issued, then writes the PDF to this folder.
A quantity may have a unit: "2.5 kg". VAT is a rate or a category; without VAT it has the exemption cause: "0% (14)".`,
    el: `Στο τερματικό ρωτά ό,τι λείπει, δείχνει το παραστατικό και ρωτά μία φορά πριν εκδοθεί· μετά γράφει το PDF σε αυτόν τον φάκελο.
Η ποσότητα μπορεί να έχει μονάδα: "2,5 κιλά". Ο ΦΠΑ είναι συντελεστής ή κατηγορία· χωρίς ΦΠΑ έχει την αιτία εξαίρεσης: "0% (14)".`,
  },
  examples: [
    'fiscal documents new --merchant shop --type 11.1 --line "Καφές; 2; 2,50; 24%" --gross --payment cash --preview',
    'fiscal documents new --merchant shop --type 2.1 --customer 094012834 --line "Συμβουλές; 3; 50; 24%" --payment on_credit',
  ],
  fields: ISSUE_ONE_FIELDS,
  async run(context, given) {
    const kept = canPrompt(context.io) ? await takeKept(context, given) : undefined;
    const options = { ...given, ...kept };
    const merchantName = await chooseMerchant(context, options.merchant);
    return context.withAppliance(async (appliance, mode) => {
      checkGiven(appliance, mode, options);
      const merchant = await findMerchant(appliance, merchantName);
      const { answered, customer } = await answer(context, appliance, { mode, merchant }, options);
      const args = argsOf(answered);
      const isKept = canPrompt(context.io) && options.preview !== true;
      if (isKept) keepUnissued(appliance, { mode, merchant: merchant.external_id, args });
      const body = bodyOf(merchant, answered, customer, appliance.clock.today());
      const place = { en: "new", el: "νέο" };
      const about = { place, reference: options.reference, alwaysAsks: canPrompt(context.io) };
      const order = orderOf(appliance, mode, body, about);
      const accept = async () => {
        const created = await order.accept();
        if (isKept) forgetUnissued(appliance);
        return created;
      };
      const exitCode = await issueOne(context, { ...order, accept }, options);
      if (canPrompt(context.io)) await printCommandLine(context, mode, args);
      return exitCode;
    });
  },
});

function printCommandLine({ io }: CommandContext, mode: Mode, args: readonly string[]): Promise<void> {
  const start = mode === "live" ? "fiscal --live documents new" : "fiscal documents new";
  const line = [start, ...args.map((word) => quoted(word))].join(" ");
  return printNote(io, { en: `The same as a command: ${line}`, el: `Το ίδιο ως εντολή: ${line}` });
}

/** Asks for what no flag says, with the merchant's last document as the suggestion. */
async function answer(
  { io }: CommandContext,
  appliance: Appliance,
  { mode, merchant }: { mode: Mode; merchant: MerchantObject },
  options: NewOptions,
): Promise<{ answered: Answered; customer: Customer | undefined }> {
  const last = await findLast(appliance, mode, merchant.id);
  const type = options.type ?? (await askType(io, last?.type));
  const { isRetail, customer: needsCustomer, defaultPaymentMethod } = typeInfo(type);
  const place = { merchantId: merchant.id, mode };
  const customer =
    needsCustomer === "required" || options.customer !== undefined
      ? await askCustomer(io, appliance, place, options)
      : undefined;
  const isGross = options.gross ?? (options.line === undefined ? await askGross(io, isRetail) : false);
  const line =
    options.line ?? (await askLines(io, appliance, mode, { isGross, usual: last?.category ?? "standard" }));
  const usual = last?.type === type ? last.payment : defaultPaymentMethod;
  const payment = options.payment ?? (await askPayment(io, usual));
  const gross = isGross ? (true as const) : undefined;
  const answered = { ...options, merchant: merchant.external_id, type, line, gross, payment };
  return {
    answered: customer === undefined ? answered : { ...answered, ...flagsOfCustomer(customer) },
    customer,
  };
}

/** The options with what every document needs. */
type Answered = NewOptions & Required<Pick<NewOptions, "type" | "line" | "payment">>;

export function askType(io: CommandContext["io"], initial: DocumentType | undefined): Promise<DocumentType> {
  const choices = NEW_TYPES.map((value) => {
    const { name } = typeInfo(value);
    return { value, name: { en: `${value} ${name.en}`, el: `${value} ${name.el}` } };
  });
  return askWhich(io, choices, { flag: "--type", message: { en: "Type", el: "Τύπος" }, initial });
}

export function askPayment(io: CommandContext["io"], initial: PaymentMethod): Promise<PaymentMethod> {
  const choices = METHODS.map((value) => ({ value, name: PAYMENT_WORDS[value] }));
  return askWhich(io, choices, { flag: "--payment", message: { en: "Payment", el: "Πληρωμή" }, initial });
}

/** Throws UsageError for a merchant without a tax number. */
function bodyOf(merchant: MerchantObject, answered: Answered, customer: Customer | undefined, today: string) {
  if (merchant.tax_id === null) throw new UsageError(noTaxNumber(merchant.external_id));
  const { type, payment, line, gross, branch = merchant.branch, date = today } = answered;
  const body = newBody({
    merchant: merchant.id,
    supplier: merchant.tax_id,
    branch,
    type,
    issueDate: date,
    customer,
    lines: pricedLines(line, gross === true),
    payment,
  });
  writeFurther(body, answered);
  return body;
}

/** Throws UsageError for a price with VAT that no net price yields. */
export function pricedLines(typed: readonly LineInput[], isGross: boolean): LineInput[] {
  return typed.flatMap((line, index) => {
    const lines = linesOf(line, isGross);
    if (!("problem" in lines)) return lines;
    const { en, el } = aboutPrice(lines.problem);
    throw new UsageError({ en: `--line ${index + 1}: ${en}`, el: `--line ${index + 1}: ${el}` });
  });
}

const noTaxNumber = (merchant: string) => ({
  en: `${merchant} has no tax number; \`fiscal merchants update ${merchant} --tax-id\` sets it`,
  el: `Η ${merchant} δεν έχει ΑΦΜ· το ορίζει η \`fiscal merchants update ${merchant} --tax-id\``,
});
