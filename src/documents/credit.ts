/** Credits issued documents with a 5.1 (docs/contract.md#crediting-a-document). */
import type { KeyedSession } from "../../storage/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { type CanonicalDocument, parseDocument } from "../domain/canonical-document.ts";
import { creditLines } from "../domain/credit-lines.ts";
import { availableOf, type CreditedPart, isNothingLeft } from "../domain/credit-remaining.ts";
import { computeTotals } from "../domain/totals.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { Cause, Context, IdempotencyClaim } from "../journal/context.ts";
import { type AcceptedDocument, acceptPrepared, checkPrepared, type PreparedRequest } from "./accept.ts";
import { type CreditInput, parseCredit } from "./credit-input.ts";
import { type CreditedOriginal, readOriginal } from "./credit-original.ts";
import { readDocumentRow } from "./list-documents.ts";
import { type Examination, examineDocument } from "./preview.ts";

/**
 * Accepts a credit note for the document `id` and returns it, or the one accepted earlier under the same key. What remains to
 * credit is read in the accepting write, so that concurrent credits never exceed the original. Throws `not_found`,
 * `validation_failed`, `invalid_state`, and what accepting a document throws.
 */
export async function creditDocument(
  context: Context,
  id: string,
  body: unknown,
  cause: Cause,
  claim?: IdempotencyClaim,
): Promise<AcceptedDocument> {
  const today = context.clock.today();
  const input = parseCredit(body, today);
  const prepare = (session: KeyedSession) =>
    prepareCredit(context, session, { id, mode: cause.mode, input, today });
  return acceptPrepared(context, prepare, cause, claim);
}

/** What a credit note would be, and what it would take of the original. */
export interface CreditPreview extends Examination {
  parts: readonly CreditedPart[];
}

/** What crediting would issue now. Throws what `creditDocument` throws, except for idempotency; stores nothing. */
export async function previewCredit(
  context: Context,
  mode: Mode,
  id: string,
  body: unknown,
): Promise<CreditPreview> {
  const today = context.clock.today();
  const input = parseCredit(body, today);
  const request = await prepareCredit(context, context.store.read, { id, mode, input, today });
  await checkPrepared(context, request, mode);
  const { merchant, provider, metadata } = request.envelope;
  const options = { mode, merchant, provider, metadata };
  return { ...(await examineDocument(context, request.document, options)), parts: request.credits };
}

/** A document with what is left of each line. */
export interface Creditable {
  contents: CanonicalDocument;
  lines: readonly CreditedPart[];
  isNothingLeft: boolean;
  /** What to say when nothing is left. */
  nothingLeft: Text;
}

/** Throws `not_found`, and `invalid_state` if the document cannot be credited. */
export async function readCreditable(context: Context, mode: Mode, id: string): Promise<Creditable> {
  const { read } = context.store;
  const row = await readDocumentRow(read, mode, id);
  const { document, remaining } = await readOriginal(read, row, { nowMs: context.clock.nowMs() });
  return {
    contents: document,
    lines: remaining.lines.map((left) => {
      const { vat_category: category } = document.lines[left.line - 1]!;
      return { ...left, ...availableOf(remaining, left.line, category) };
    }),
    isNothingLeft: isNothingLeft(remaining, document.lines),
    nothingLeft: NOTHING_LEFT,
  };
}

interface CreditOrder {
  id: string;
  mode: Mode;
  input: CreditInput;
  today: string;
}

async function prepareCredit(
  context: Context,
  session: KeyedSession,
  { id, mode, input, today }: CreditOrder,
): Promise<Required<PreparedRequest>> {
  const row = await readDocumentRow(session, mode, id);
  const original = await readOriginal(session, row, { nowMs: context.clock.nowMs() });
  const { creditable, remaining } = original;
  if (isNothingLeft(remaining, creditable.lines)) throw new AppError("invalid_state", NOTHING_LEFT);
  const note = creditLines(creditable, remaining, input.lines);
  if ("problems" in note) throw validationError(note.problems);
  const document = buildDocument(original, note.lines, input.issue_date ?? today);
  const { external_reference, metadata } = input;
  const envelope = { merchant: row.merchant_id, provider: row.provider, external_reference, metadata };
  const parsed = parseDocument(document, { today, prefix: "document" });
  return { envelope: { ...envelope, document }, document: parsed, credits: note.parts };
}

/** The credit note, with the parties of the original. */
function buildDocument(
  { mark, document: { supplier, customer } }: CreditedOriginal,
  lines: CanonicalDocument["lines"],
  issueDate: string,
): CanonicalDocument {
  const { net, vat, gross } = computeTotals(lines);
  return {
    type: "5.1",
    issue_date: issueDate,
    currency: "EUR",
    supplier,
    customer,
    original_marks: [mark],
    lines,
    totals: { net, vat, gross },
  };
}

const NOTHING_LEFT: Text = {
  en: "Nothing of this document is left to credit",
  el: "Δεν απομένει τίποτα από το παραστατικό για πίστωση",
};
