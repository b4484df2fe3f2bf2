/** Credits documents with a 5.1, or with an 11.4 for retail receipts (docs/contract.md#crediting-a-document). */
import * as v from "valibot";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { type CanonicalDocument, type CanonicalLine, parseDocument } from "../domain/canonical-document.ts";
import { availableOf, type CreditedPart, creditLines, isNothingLeft } from "../domain/credit-lines.ts";
import { creditTaxes, type CreditedShare } from "../domain/taxes.ts";
import { computeTotals } from "../domain/totals.ts";
import { AppError, type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { acceptAlone } from "./accept.ts";
import { type CreditedOriginal, type ReadOriginal, readOriginal } from "./credit-original.ts";
import { requireDocumentRow } from "./list-documents.ts";
import type { PreparedRequest } from "./prepare.ts";
import { type Examination, examineRequest } from "./preview.ts";
import { LINES_MAX, NET_MAX } from "../domain/document-codes.ts";
import { ExternalReferenceField, IssueDateField, QuantitySchema } from "../domain/canonical-schema.ts";
import { checkTransmissionFailure } from "../domain/issue-body.ts";
import { component, described } from "../foundation/described.ts";
import { integerBetween, MetadataSchema } from "../foundation/field-schemas.ts";
import { checkWith } from "../foundation/validation.ts";

const CreditLineSchema = component(
  "CreditLine",
  "How much of a line to credit. Without quantity and net, all that is left of it.",
  v.strictObject({
    line: described(integerBetween(1, LINES_MAX), "The number of the line in the original, from 1."),
    quantity: v.optional(described(QuantitySchema, "Credits this quantity at the original's unit price.")),
    net: v.optional(described(integerBetween(1, NET_MAX), "Credits this net amount, in cents, instead.")),
  }),
);

export const CreditBodySchema = component(
  "CreditDocument",
  "What to credit. An empty object credits everything that is not credited yet.",
  v.strictObject({
    issue_date: v.optional(
      described(IssueDateField, "The day of issue of the credit note; today in Athens by default."),
    ),
    external_reference: v.optional(ExternalReferenceField),
    metadata: v.optional(MetadataSchema),
    lines: v.optional(
      described(
        v.pipe(v.array(CreditLineSchema), v.minLength(1), v.maxLength(LINES_MAX)),
        "The lines to credit, each at most once. Without lines, everything that is left is credited.",
      ),
    ),
  }),
);

type CreditInput = v.InferOutput<typeof CreditBodySchema>;

/** Throws `validation_failed` with every problem of the body itself. */
function parseCredit(body: unknown): CreditInput {
  const checked = checkWith(CreditBodySchema, body, "");
  if ("problems" in checked) throw validationError(checked.problems);
  const { metadata, lines = [] } = checked.output;
  const problems: Problem[] = checkTransmissionFailure(metadata);
  const named = new Set<number>();
  for (const [index, { line, quantity, net }] of lines.entries()) {
    if (named.has(line)) problems.push({ path: `lines[${index}].line`, message: NAMED_BEFORE });
    named.add(line);
    if (quantity !== undefined && net !== undefined)
      problems.push({ path: `lines[${index}].net`, message: NOT_BOTH });
  }
  if (problems.length > 0) throw validationError(problems);
  return checked.output;
}

const NOT_BOTH = {
  en: "cannot be given together with quantity",
  el: "δεν δίνεται μαζί με την ποσότητα (quantity)",
};

const NAMED_BEFORE = {
  en: "names a line that was named before; give each line once",
  el: "αναφέρει γραμμή που έχει ήδη δοθεί· δώστε κάθε γραμμή μία φορά",
};

/** The document `id`, which was issued here. */
export function ownOriginal({ clock }: Context, mode: Mode, id: string): ReadOriginal {
  return async (session) =>
    readOriginal(session, await requireDocumentRow(session, mode, id), { nowMs: clock.nowMs() });
}

/**
 * Accepts a credit note for the document and returns it, or the one accepted earlier under the same key. What remains is read in the
 * accepting write, so that concurrent credits never exceed the original. Throws `not_found`, `validation_failed`, `invalid_state`,
 * and what accepting a document throws.
 */
export async function creditDocument(
  context: Context,
  original: ReadOriginal,
  body: unknown,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const input = parseCredit(body);
  const today = context.clock.today();
  const read = async (session: KeyedSession) => prepareCredit(await original(session), input, today);
  return acceptAlone(context, read, cause, use);
}

/** What a credit note would be, and what it would take of the original. */
export interface CreditPreview extends Examination {
  parts: readonly CreditedPart[];
}

/** What crediting would issue now. Throws what `creditDocument` throws, except for idempotency; stores nothing. */
export async function previewCredit(
  context: Context,
  mode: Mode,
  original: ReadOriginal,
  body: unknown,
): Promise<CreditPreview> {
  const input = parseCredit(body);
  const request = prepareCredit(await original(context.store.read), input, context.clock.today());
  return { ...(await examineRequest(context, request, mode)), parts: request.credits };
}

/** The lines of a document with what is left of each. */
export interface Creditable {
  lines: readonly CanonicalLine[];
  /** In the order of the lines. */
  left: readonly CreditedPart[];
  isNothingLeft: boolean;
  /** What to say when nothing is left. */
  nothingLeft: Text;
}

/** Throws `not_found`, and `invalid_state` if the document cannot be credited. */
export async function readCreditable({ store }: Context, original: ReadOriginal): Promise<Creditable> {
  const { remaining } = await original(store.read);
  return {
    lines: remaining.lines.map((open) => open.original),
    left: remaining.lines.map((open) => {
      const { line, quantity } = open;
      return { line, quantity, ...availableOf(remaining, open) };
    }),
    isNothingLeft: isNothingLeft(remaining),
    nothingLeft: NOTHING_LEFT,
  };
}

function prepareCredit(
  original: CreditedOriginal,
  input: CreditInput,
  today: string,
): Required<PreparedRequest> {
  const { remaining, merchant, provider } = original;
  if (isNothingLeft(remaining)) throw new AppError("invalid_state", NOTHING_LEFT);
  const note = creditLines(remaining, input.lines);
  if ("problems" in note) throw validationError(note.problems);
  const document = buildDocument(original, note.lines, input.issue_date ?? today);
  const { external_reference, metadata } = input;
  const envelope = { merchant, provider, external_reference, metadata };
  // The body has an issue date too, whose path has no prefix.
  const parsed = parseDocument(document, { today, prefix: "" });
  return { envelope: { ...envelope, document }, ...parsed, credits: note.parts };
}

/** The credit note, with the parties of the original. What it takes is no longer in `remaining`. */
function buildDocument(
  original: CreditedOriginal,
  lines: CanonicalDocument["lines"],
  issueDate: string,
): CanonicalDocument {
  const { mark, noteType, contents, earlier } = original;
  const { supplier, customer } = contents;
  const { net, vat, gross } = computeTotals(lines);
  return {
    type: noteType,
    issue_date: issueDate,
    currency: "EUR",
    supplier,
    customer,
    original_marks: [mark],
    lines,
    ...creditTaxes(contents, earlier, shareOf(original)),
    totals: { net, vat, gross },
  };
}

/** How much is credited together with this credit note. */
function shareOf({ remaining }: CreditedOriginal): CreditedShare {
  const { net } = computeTotals(remaining.lines.map(({ original }) => original));
  return { reached: net - (isNothingLeft(remaining) ? 0 : remaining.total.net), whole: net };
}

const NOTHING_LEFT: Text = {
  en: "Nothing of this document is left to credit",
  el: "Δεν απομένει τίποτα από το παραστατικό για πίστωση",
};
