/** Issues a document again: `fiscal documents repeat` as it is, `fiscal documents correct` a rejected one, changed. See docs/contract.md#credit-and-repeat. */
import type { Appliance } from "../../src/appliance.ts";
import {
  correctionKey,
  readCorrection,
  readRepetition,
  refusalOfCorrection,
  type RepeatBody,
} from "../../src/documents/repeat.ts";
import type { CanonicalDocument } from "../../src/domain/canonical-document.ts";
import type { Party } from "../../src/domain/canonical-schema.ts";
import { payableOf } from "../../src/domain/taxes.ts";
import { computeExactTotals } from "../../src/domain/totals.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { LineInput } from "../../src/intake/read-row.ts";
import type { CustomerPlace } from "../../src/merchants/customers.ts";
import { verb } from "../define.ts";
import { UsageError } from "../exit.ts";
import { IDEMPOTENCY_KEY, ISSUE_DATE } from "../common-flags.ts";
import { useOfKey } from "../../src/journal/idempotency.ts";
import type { ProgramIo } from "../io.ts";
import { canPrompt } from "../ui/prompt.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { ISSUE_ONE_FIELDS, ISSUE_ONE_FLAGS, issueOne, orderOf } from "./issue-one.ts";
import { askChanges, askParts, givesContents, pricedLines } from "./new/ask-parts.ts";
import {
  checkGiven,
  give,
  givenFor,
  NEW_FLAGS,
  type NewOptions,
  type Part,
  PARTS,
  writeGiven,
} from "./new/new-flags.ts";
import { fieldsIn, hasField, readField } from "../../src/intake/table-fields.ts";
import { formatNumber } from "../../src/operations/document-view.ts";

export const defineCorrect = verb({
  flags: { ...NEW_FLAGS, ...IDEMPOTENCY_KEY, ...ISSUE_ONE_FLAGS },
  notes: {
    en: `The flags replace parts of the rejected document, which stays as it is. Without them a terminal asks what to change.
The new document has the old reference with a suffix, unless --reference gives another. \`fiscal errors explain CODE\` says what was wrong.`,
    el: `Οι σημαίες αντικαθιστούν μέρη του παραστατικού που απορρίφθηκε, το οποίο μένει όπως είναι. Χωρίς αυτές, το τερματικό ρωτά τι αλλάζει.
Το νέο έχει την παλιά αναφορά με κατάληξη, εκτός αν δοθεί άλλη με --reference. Τι έφταιγε το λέει η \`fiscal errors explain ΚΩΔΙΚΟΣ\`.`,
  },
  examples: [
    "fiscal documents correct 2026-015 --customer 094012834 --preview",
    'fiscal documents correct 2026-015 --line "Συμβουλές; 3; 50; 24%" --reference 2026-015b',
  ],
  fields: ISSUE_ONE_FIELDS,
  async run(context, options, name: string) {
    return context.withAppliance(async (appliance, mode) => {
      const rejected = await findDocument(appliance, mode, name, options);
      checkGiven(appliance, mode, options);
      const body = await readRejected(appliance, rejected, options);
      const place = { merchantId: rejected.merchant, mode };
      const isAsked = canPrompt(context.io) && !givesContents(options);
      if (isAsked) await requireUncorrected(appliance, rejected);
      const changed = isAsked ? await askChanges(context.io) : new Set<Part>();
      await change(context.io, appliance, place, body, options, changed);
      const { idempotencyKey, yes: _, wait: _wait, ...asked } = options;
      const use =
        useOfKey("correctDocument", idempotencyKey, { id: rejected.id }, asked) ??
        useOfKey("issueDocument", correctionKey(rejected.id), {}, body);
      try {
        const order = orderOf(appliance, mode, body, {
          place: { en: `correction of ${name}`, el: `διόρθωση του ${name}` },
          reference: body.external_reference,
          alwaysAsks: canPrompt(context.io),
          use,
        });
        return await issueOne(context, order, options);
      } catch (error) {
        const isOther = error instanceof AppError && error.code === "idempotency_conflict";
        if (isOther && idempotencyKey === undefined) await requireUncorrected(appliance, rejected);
        throw error;
      }
    });
  },
});

/** A document that was not rejected is wrong input. */
async function readRejected(
  appliance: Appliance,
  { id, mode }: DocumentObject,
  { reference }: NewOptions,
): Promise<RepeatBody> {
  try {
    return await readCorrection(appliance, mode, id, { reference });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_state") throw new UsageError(error.text);
    throw error;
  }
}

/** Throws UsageError if the document was corrected. */
async function requireUncorrected(appliance: Appliance, { id, mode }: DocumentObject): Promise<void> {
  const refusal = await refusalOfCorrection(appliance, mode, id);
  if (refusal !== undefined) throw new UsageError(refusal.text);
}

/** The contents, which are not checked yet once they are changed. */
type Draft = Omit<CanonicalDocument, "lines"> & { lines: readonly LineInput[] };

/** Changes `body` in place by the flags and what is answered about the `asked` parts. Throws UsageError. */
async function change(
  io: ProgramIo,
  appliance: Appliance,
  { merchantId, mode }: CustomerPlace,
  body: RepeatBody,
  options: NewOptions,
  asked: ReadonlySet<Part>,
): Promise<void> {
  const document = body.document as Draft;
  const [former] = document.payments ?? [];
  const changesLines = options.line !== undefined || asked.has("lines");
  if (changesLines && hasField({ document }, "withheld") && options.withhold === undefined)
    throw new UsageError({
      en: "the taxes belong to the former lines: give --withhold as well, or correct the document in a file",
      el: "οι φόροι ανήκουν στις προηγούμενες γραμμές: δώστε και --withhold, ή διορθώστε το παραστατικό σε αρχείο",
    });
  const answers = { ...options };
  const changesDetails =
    options.customer === undefined && PARTS.customer.options.some((option) => option in options);
  const kept = changesDetails ? document.customer : undefined;
  if (kept !== undefined) keepCustomer(kept, answers);
  const { type, customer } = await askParts(io, appliance, { merchantId, mode }, answers, {
    asked,
    former: {
      type: document.type,
      payment: former?.method ?? "cash",
      category: document.lines[0]!.vat_category,
    },
  });
  document.type = type;
  if (options.date !== undefined) document.issue_date = options.date;
  if (options.branch !== undefined) document.supplier = { ...document.supplier, branch: options.branch };
  if (customer !== undefined) document.customer = { ...customer, branch: kept?.branch ?? 0 };
  if (changesLines) {
    document.lines = pricedLines(answers);
    const { net, vat, gross } = computeExactTotals(document.lines);
    document.totals = { net: Number(net), vat: Number(vat), gross: Number(gross) };
  }
  writeGiven(body, "more", options);
  const method = answers.payment ?? (changesLines ? former?.method : undefined);
  if (method !== undefined) document.payments = [{ method, amount: payableOf(document) }];
}

/** Adds what no flag replaces of a customer of whom flags change a part. */
function keepCustomer(customer: Party, options: NewOptions): void {
  options.customer = customer.tax_id.code;
  options.customerCountry ??= customer.tax_id.country;
  for (const column of fieldsIn("customer")) {
    const former = readField({ document: { customer } }, column);
    if (former !== "" && givenFor(column, options) === undefined) give(column, options, former);
  }
}

export const defineRepeat = verb({
  flags: {
    ...REFERENCE_OWNER,
    ...ISSUE_DATE,
    "--reference <reference>": {
      en: "external reference of the new document",
      el: "εξωτερική αναφορά του νέου παραστατικού",
    },
    ...IDEMPOTENCY_KEY,
    ...ISSUE_ONE_FLAGS,
  },
  examples: [
    "fiscal documents repeat 2026-001 --preview",
    "fiscal documents repeat 2026-001 --reference 2026-001-again",
  ],
  fields: ISSUE_ONE_FIELDS,
  async run(context, options, name: string) {
    return context.withAppliance(async (appliance, mode) => {
      const original = await findDocument(appliance, mode, name, options);
      const body = await readRepetition(appliance, mode, original.id, options);
      const { date, reference, idempotencyKey } = options;
      const use = useOfKey("repeatDocument", idempotencyKey, { id: original.id }, { date, reference });
      const number = formatNumber(original);
      const place = { en: `repetition of ${number}`, el: `επανάληψη του ${number}` };
      const order = orderOf(appliance, mode, body, { place, reference, alwaysAsks: false, use });
      return issueOne(context, order, options);
    });
  },
});
