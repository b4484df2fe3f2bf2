/** The body of POST /documents/{id}/credit (docs/contract.md#crediting-a-document). */
import * as v from "valibot";
import { LINES_MAX, NET_MAX } from "../domain/document-codes.ts";
import { ExternalReferenceField, IssueDateField, QuantitySchema } from "../domain/canonical-schema.ts";
import { checkTransmissionFailure } from "../domain/issue-body.ts";
import { component, described } from "../foundation/described.ts";
import { type Problem, validationError } from "../foundation/errors.ts";
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

export type CreditInput = v.InferOutput<typeof CreditBodySchema>;

/** Throws `validation_failed` with every problem of the body itself. */
export function parseCredit(body: unknown): CreditInput {
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
