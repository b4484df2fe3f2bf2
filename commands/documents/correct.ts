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
import { askPayment, askType, pricedLines } from "./new.ts";
import { askCustomer } from "./new/ask-customer.ts";
import { askGross, askLines } from "./new/ask-lines.ts";
import {
  askChanges,
  CHANGES,
  checkGiven,
  NEW_FLAGS,
  type NewOptions,
  type Part,
  writeFurther,
} from "./new/new-flags.ts";
import { hasField } from "../../src/intake/table-fields.ts";
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
      const isAsked = canPrompt(context.io) && !Object.keys(options).some((flag) => CHANGES.has(flag));
      if (isAsked) await requireUncorrected(appliance, rejected);
      const changes = isAsked ? { ...options, asked: await askChanges(context.io) } : options;
      await change(context.io, appliance, place, body, changes);
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

/** What is given as flags, or answered. */
type Changes = NewOptions & { asked?: ReadonlySet<Part> };

/** Changes `body` in place. Throws UsageError. */
async function change(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  body: RepeatBody,
  { asked, ...options }: Changes,
): Promise<void> {
  const document = body.document as Draft;
  if (options.type !== undefined || asked?.has("type") === true)
    document.type = options.type ?? (await askType(io, document.type));
  if (options.date !== undefined) document.issue_date = options.date;
  if (options.branch !== undefined) document.supplier = { ...document.supplier, branch: options.branch };
  if (options.customer !== undefined || asked?.has("customer") === true) {
    const { tax_id, name, address } = await askCustomer(io, appliance, place, options);
    document.customer = {
      tax_id,
      branch: 0,
      ...(name === undefined ? {} : { name }),
      ...(address === undefined ? {} : { address }),
    };
  }
  if (options.line !== undefined || asked?.has("lines") === true)
    await changeLines(io, appliance, place, document, options);
  const [former] = document.payments ?? [];
  const method =
    options.payment ??
    (asked?.has("payment") === true ? await askPayment(io, former?.method ?? "cash") : undefined);
  writeFurther(body, options);
  if (method === undefined && options.line === undefined && asked?.has("lines") !== true) return;
  if (method === undefined && former === undefined) return;
  document.payments = [{ method: method ?? former!.method, amount: payableOf(document) }];
}

async function changeLines(
  io: ProgramIo,
  appliance: Appliance,
  place: CustomerPlace,
  document: Draft,
  options: NewOptions,
): Promise<void> {
  if (hasField({ document }, "withheld") && options.withhold === undefined)
    throw new UsageError({
      en: "the taxes belong to the former lines: give --withhold as well, or correct the document in a file",
      el: "οι φόροι ανήκουν στις προηγούμενες γραμμές: δώστε και --withhold, ή διορθώστε το παραστατικό σε αρχείο",
    });
  const [first] = document.lines;
  const isGross = options.gross ?? (options.line === undefined ? await askGross(io, false) : false);
  const typed =
    options.line ??
    (await askLines(io, appliance, place.mode, { isGross, usual: first?.vat_category ?? "standard" }));
  document.lines = pricedLines(typed, isGross);
  const { net, vat, gross } = computeExactTotals(document.lines);
  document.totals = { net: Number(net), vat: Number(vat), gross: Number(gross) };
}

export const defineRepeat = verb({
  flags: {
    ...REFERENCE_OWNER,
    ...ISSUE_DATE,
    "--reference <reference>": {
      en: "external reference of the new document",
      el: "εξωτερική αναφορά του νέου παραστατικού",
    },
    "--preview": {
      en: "only show the new document, issue nothing",
      el: "μόνο δείχνει το νέο παραστατικό, χωρίς έκδοση",
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
