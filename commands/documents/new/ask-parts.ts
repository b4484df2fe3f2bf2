/** Asks for the parts of a document that no flag gives: all of a new one, or those of a rejected one that a person changes. */
import type { Appliance } from "../../../src/appliance.ts";
import { type Last, NEW_TYPES } from "../../../src/documents/new-document.ts";
import { PAYMENT_WORDS, type PaymentMethod } from "../../../src/domain/document-codes.ts";
import { notAllowedForType } from "../../../src/domain/document-rules.ts";
import { type DocumentType, typeInfo } from "../../../src/domain/document-types.ts";
import type { Party } from "../../../src/domain/canonical-schema.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { LineInput } from "../../../src/intake/read-row.ts";
import { linesOf } from "../../../src/intake/typed-line.ts";
import type { CustomerPlace } from "../../../src/merchants/customers.ts";
import type { ProgramIo } from "../../io.ts";
import { aboutFlag, optionOf, refuseFlag, wordOf } from "../../options.ts";
import { askWhich } from "../../ui/prompt.ts";
import { askCustomer } from "./ask-customer.ts";
import { aboutPrice, askGross, askLines } from "./ask-lines.ts";
import { CUSTOMER_FLAGS, METHODS, NEW_FLAGS, type NewOptions, type Part, PARTS } from "./new-flags.ts";

const NOTHING: Text = { en: "nothing more", el: "τίποτε άλλο" };

/** Which parts a person wants to change. */
export async function askChanges(io: ProgramIo): Promise<ReadonlySet<Part>> {
  const asked = new Set<Part>();
  for (;;) {
    const left = (Object.keys(PARTS) as Part[]).filter((part) => !asked.has(part));
    const part = await askWhich(
      io,
      [...left.map((value) => ({ value, name: PARTS[value] })), { value: "nothing" as const, name: NOTHING }],
      { flag: "--line", message: { en: "Change", el: "Να αλλάξετε" }, initial: "nothing" },
    );
    if (part === "nothing") return asked;
    asked.add(part);
  }
}

/** The options that say what the document has, not how it is issued and shown. */
const CONTENTS = Object.keys(NEW_FLAGS)
  .map(optionOf)
  .filter((option) => option !== "merchant");

export function givesContents(options: object): boolean {
  return CONTENTS.some((option) => option in options);
}

/** `options` without those of the `parts`. */
export function withoutParts(options: NewOptions, parts: ReadonlySet<Part>): NewOptions {
  const changed = new Set([...parts].flatMap((part) => PARTS[part].options));
  return Object.fromEntries(Object.entries(options).filter(([option]) => !changed.has(option)));
}

/**
 * Asks for the parts in `asked`, or for `all` that the type needs, and adds each answer to `options` at once, so that a later failure
 * loses none. Returns the type, and the customer if it is given or asked for.
 */
export async function askParts(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  options: NewOptions,
  { asked, former }: { asked: ReadonlySet<Part> | "all"; former: Last | undefined },
): Promise<{ type: DocumentType; customer: Party | undefined }> {
  const isAsked = (part: Part) => asked === "all" || asked.has(part);
  const suggested = former?.type;
  const type =
    options.type ?? (suggested !== undefined && !isAsked("type") ? suggested : await askType(io, suggested));
  options.type = type;
  const { isRetail, customer: ofType, defaultPaymentMethod } = typeInfo(type);
  const given = Object.keys(CUSTOMER_FLAGS).find((flag) => optionOf(flag) in options);
  // Not a usage error, so that a person at a terminal may change the type or the customer.
  if (given !== undefined && ofType === "forbidden")
    throw new AppError("validation_failed", aboutFlag(wordOf(given), notAllowedForType(type)));
  const takesCustomer =
    given !== undefined || (asked === "all" ? ofType === "required" : asked.has("customer"));
  const customer = takesCustomer ? await askCustomer(io, appliance, place, options) : undefined;
  if (options.line === undefined && isAsked("lines")) {
    const isGross = options.gross ?? (await askGross(io, isRetail));
    const usual = former?.category ?? "standard";
    options.line = await askLines(io, appliance, place.mode, { isGross, usual });
    if (isGross) options.gross = true;
  }
  const usual = former?.type === type ? former.payment : defaultPaymentMethod;
  if (options.payment === undefined && isAsked("payment")) options.payment = await askPayment(io, usual);
  return { type, customer };
}

function askType(io: ProgramIo, initial: DocumentType | undefined): Promise<DocumentType> {
  const choices = NEW_TYPES.map((value) => {
    const { name } = typeInfo(value);
    return { value, name: { en: `${value} ${name.en}`, el: `${value} ${name.el}` } };
  });
  return askWhich(io, choices, { flag: "--type", message: { en: "Type", el: "Τύπος" }, initial });
}

function askPayment(io: ProgramIo, initial: PaymentMethod): Promise<PaymentMethod> {
  const choices = METHODS.map((value) => ({ value, name: PAYMENT_WORDS[value] }));
  return askWhich(io, choices, { flag: "--payment", message: { en: "Payment", el: "Πληρωμή" }, initial });
}

/** The lines of the body. Throws UsageError for a price with VAT that no net price yields. */
export function pricedLines({ line: typed = [], gross }: NewOptions): LineInput[] {
  return typed.flatMap((line, index) => {
    const lines = linesOf(line, gross === true);
    return "problem" in lines ? refuseFlag(`--line ${index + 1}`, aboutPrice(lines.problem)) : lines;
  });
}
