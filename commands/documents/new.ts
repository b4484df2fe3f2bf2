/** `fiscal documents new`: issues one document and asks for what the flags do not say. See docs/contract.md#new-documents. */
import type { Appliance } from "../../src/appliance.ts";
import { findLast, newBody } from "../../src/documents/new-document.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { CommandContext } from "../context.ts";
import { verb } from "../define.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { printNote, printProblem } from "../io.ts";
import { chooseMerchant, findMerchant } from "../merchants/find-merchant.ts";
import { quoted } from "../next-steps.ts";
import { canPrompt } from "../ui/prompt.ts";
import { ISSUE_ONE_FIELDS, ISSUE_ONE_FLAGS, issueOne, orderOf } from "./issue-one.ts";
import { askChanges, askParts, pricedLines, withoutParts } from "./new/ask-parts.ts";
import {
  argsOf,
  checkGiven,
  flagsOfCustomer,
  NEW_FLAGS,
  type NewOptions,
  writeFurther,
} from "./new/new-flags.ts";

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
    const merchantName = await chooseMerchant(context, given.merchant);
    return context.withAppliance(async (appliance, mode) => {
      checkGiven(appliance, mode, given);
      const merchant = await findMerchant(appliance, merchantName);
      let options: NewOptions = given;
      for (;;) {
        const { body, answered } = await answer(context, appliance, { mode, merchant }, options);
        const issued = await issue(context, appliance, mode, { body, answered });
        if (!(issued instanceof AppError)) return issued;
        await printProblem(context.io, issued.text);
        const changed = await askChanges(context.io);
        if (changed.size === 0) throw issued;
        options = withoutParts(answered, changed);
      }
    });
  },
});

/** At a terminal returns the error of a document that is refused, so that the person can change the answers. */
async function issue(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  { body, answered }: { body: object; answered: NewOptions },
): Promise<ExitCode | AppError> {
  const isAsked = canPrompt(context.io);
  const about = { place: { en: "new", el: "νέο" }, reference: answered.reference, alwaysAsks: isAsked };
  try {
    return await issueOne(context, orderOf(appliance, mode, body, about), answered);
  } catch (error) {
    if (isAsked && error instanceof AppError && error.code === "validation_failed") return error;
    throw error;
  } finally {
    if (isAsked) await printCommandLine(context, mode, argsOf(answered));
  }
}

function printCommandLine({ io }: CommandContext, mode: Mode, args: readonly string[]): Promise<void> {
  const start = mode === "live" ? "fiscal --live documents new" : "fiscal documents new";
  const line = [start, ...args.map((word) => quoted(word))].join(" ");
  return printNote(io, { en: `The same as a command: ${line}`, el: `Το ίδιο ως εντολή: ${line}` });
}

/**
 * Asks for what no flag says, with the merchant's last document as the suggestion. Returns the body, and the options with the answers.
 * Throws UsageError for a merchant without a tax number.
 */
async function answer(
  { io }: CommandContext,
  appliance: Appliance,
  { mode, merchant }: { mode: Mode; merchant: MerchantObject },
  options: NewOptions,
) {
  const { id, external_id: name, tax_id: supplier } = merchant;
  const former = await findLast(appliance, mode, id);
  const place = { merchantId: id, mode };
  const { type, customer, lines, payment } = await askParts(io, appliance, place, options, {
    asked: "all",
    former,
  });
  if (supplier === null) throw new UsageError(noTaxNumber(name));
  const body = newBody({
    merchant: id,
    supplier,
    branch: options.branch ?? merchant.branch,
    type,
    issueDate: options.date ?? appliance.clock.today(),
    customer,
    lines: pricedLines(lines!),
    payment: payment!,
  });
  writeFurther(body, options);
  const answered: NewOptions = {
    ...options,
    merchant: name,
    type,
    ...(customer === undefined ? {} : flagsOfCustomer(customer)),
    line: lines!.typed,
    ...(lines!.isGross ? { gross: true } : {}),
    payment: payment!,
  };
  return { body, answered };
}

const noTaxNumber = (merchant: string) => ({
  en: `${merchant} has no tax number; \`fiscal merchants update ${merchant} --tax-id\` sets it`,
  el: `Η ${merchant} δεν έχει ΑΦΜ· το ορίζει η \`fiscal merchants update ${merchant} --tax-id\``,
});
