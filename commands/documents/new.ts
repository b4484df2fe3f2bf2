/** `fiscal documents new`: issues one document and asks for what the flags do not say. See docs/contract.md#new-documents. */
import type { Appliance } from "../../src/appliance.ts";
import { findLast, newBody } from "../../src/documents/new-document.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { CommandContext } from "../context.ts";
import { verb } from "../define.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "../exit.ts";
import { printNote, printProblem, type ProgramIo } from "../io.ts";
import { chooseMerchant, findMerchant } from "../merchants/find-merchant.ts";
import { commandLine, quoted } from "../next-steps.ts";
import { canPrompt } from "../ui/prompt.ts";
import { ISSUE_ONE_FIELDS, ISSUE_ONE_FLAGS, issueOne, orderOf } from "./issue-one.ts";
import { askChanges, askParts, pricedLines, withoutParts } from "./new/ask-parts.ts";
import { argsOf, checkGiven, NEW_FLAGS, type NewOptions, writeGiven } from "./new/new-flags.ts";

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
    const { io } = context;
    const merchantName = await chooseMerchant(context, given.merchant);
    return context.withAppliance(async (appliance, mode) => {
      checkGiven(appliance, mode, given);
      const merchant = await findMerchant(appliance, merchantName);
      if (merchant.tax_id === null) throw new UsageError(noTaxNumber(merchant.external_id));
      let options: NewOptions = { ...given, merchant: merchant.external_id };
      for (;;) {
        const issued = await askAndIssue(context, appliance, { mode, merchant }, options);
        if (!(issued instanceof AppError)) return issued;
        await printProblem(io, issued.text);
        const changed = await askChanges(io);
        if (changed.size === 0) {
          // A person has read it; with `--json` the error object ends the output.
          if (context.options.json === true) throw issued;
          return exitCodeOf(issued);
        }
        options = withoutParts(options, changed);
      }
    });
  },
});

interface Issuer {
  mode: Mode;
  merchant: MerchantObject;
}

/**
 * Adds the answers to `options`. At a terminal prints them as a command, however the attempt ends, and returns the error of a document that
 * is refused, so that the person can change them.
 */
async function askAndIssue(
  context: CommandContext,
  appliance: Appliance,
  issuer: Issuer,
  options: NewOptions,
): Promise<ExitCode | AppError> {
  const { io } = context;
  const { mode } = issuer;
  const isAsked = canPrompt(io);
  let exitCode: ExitCode | undefined;
  try {
    const body = await askForBody(io, appliance, issuer, options);
    const about = { place: { en: "new", el: "νέο" }, reference: options.reference, alwaysAsks: isAsked };
    exitCode = await issueOne(context, orderOf(appliance, mode, body, about), options);
    return exitCode;
  } catch (error) {
    if (isAsked && error instanceof AppError && error.code === "validation_failed") return error;
    throw error;
  } finally {
    // Without success with `--quiet` too, or nobody could go on with the answers.
    const print = exitCode === EXIT.done ? printNote : printProblem;
    if (isAsked) await print(io, describeAnswers(context, mode, options));
  }
}

function describeAnswers(context: CommandContext, mode: Mode, options: NewOptions): Text {
  const words = [...(mode === "live" ? ["--live"] : []), "documents", "new", ...argsOf(options)];
  const line = commandLine(context.options, words.map((word) => quoted(word)).join(" "));
  return { en: `The same as a command: ${line}`, el: `Το ίδιο ως εντολή: ${line}` };
}

/** Asks for what no flag says, with the merchant's last document as the suggestion, and adds the answers to `options`. */
async function askForBody(
  io: ProgramIo,
  appliance: Appliance,
  { mode, merchant }: Issuer,
  options: NewOptions,
): Promise<object> {
  const former = await findLast(appliance, mode, merchant.id);
  const place = { merchantId: merchant.id, mode };
  const wanted = { asked: "all", former } as const;
  const { type, customer } = await askParts(io, appliance, place, options, wanted);
  const body = newBody({
    merchant: merchant.id,
    supplier: merchant.tax_id!,
    branch: options.branch ?? merchant.branch,
    type,
    issueDate: options.date ?? appliance.clock.today(),
    customer,
    lines: pricedLines(options),
    payment: options.payment!,
  });
  writeGiven(body, "more", options);
  return body;
}

const noTaxNumber = (merchant: string) => ({
  en: `${merchant} has no tax number; \`fiscal merchants update ${merchant} --tax-id\` sets it`,
  el: `Η ${merchant} δεν έχει ΑΦΜ· το ορίζει η \`fiscal merchants update ${merchant} --tax-id\``,
});
