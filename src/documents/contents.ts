/** The contents of a document: what was accepted, and what became of each line (docs/contract.md#document-contents). */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { component, described } from "../foundation/described.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import { readJson } from "../foundation/json.ts";
import { type Warning, wireWarnings } from "../foundation/stored-texts.ts";
import { idOf, objectName } from "../foundation/wire.ts";
import type { Text } from "../foundation/text.ts";
import {
  type CanonicalDocument,
  CanonicalDocumentSchema,
  LineSchema,
  LINES_MAX,
  type Payment,
} from "../domain/canonical-document.ts";
import { AMOUNT_FIELDS } from "../domain/canonical-schema.ts";
import type { Pair } from "../domain/classification.ts";
import { computeTotals } from "../domain/totals.ts";
import { readAccepted } from "../issuing/outgoing.ts";
import { ClassificationObjectSchema } from "../journal/document-object.ts";
import { findVies, type Vies } from "../tax-ids/check-vies.ts";
import { requireDocumentRow } from "./list-documents.ts";
import { findNotes } from "./notes.ts";

const ContentsLineSchema = component(
  "ContentsLine",
  "A line as it was accepted, with what became of it.",
  v.strictObject({
    ...LineSchema.entries,
    line: described(integerBetween(1, LINES_MAX), "The number of the line, from 1. A credit names it."),
    ...AMOUNT_FIELDS,
    classification: described(
      v.strictObject({
        category: described(v.string(), "The income category."),
        type: described(v.nullable(v.string()), "The income type; null if the category is sent without one."),
      }),
      "The income classification that was applied.",
    ),
  }),
);

export const DocumentContentsSchema = component(
  "DocumentContents",
  "What a document says. It never changes.",
  v.strictObject({
    id: idOf("doc"),
    object: objectName("document_contents"),
    document: described(CanonicalDocumentSchema, "The document as it was accepted."),
    lines: described(v.array(ContentsLineSchema), "The lines, each with its amounts and classification."),
    classification: ClassificationObjectSchema,
  }),
);

export type DocumentContents = v.InferOutput<typeof DocumentContentsSchema>;

/** Contents with what the object does not have. */
export interface ReadContents {
  object: DocumentContents;
  merchantId: string;
  /** As sent: one is assumed for a document without any. */
  payments: readonly Payment[];
  /** What a person should see besides the warnings. */
  notes: readonly Text[];
  /** The registry's answer about the customer's number; undefined if it is not looked up. */
  vies: Vies | undefined;
}

/** Throws `not_found`, also for a document of the other mode. */
export async function readContents(context: Context, mode: Mode, id: string): Promise<ReadContents> {
  const row = await requireDocumentRow(context.store.read, mode, id);
  const { document, decided } = await readAccepted(context.store.read, row.id);
  const classification = {
    source: row.classification_source as DocumentContents["classification"]["source"],
    warnings: wireWarnings(readJson<Warning[]>(row.warnings_json)),
  };
  const lines = contentsLines(document.lines, decided.classifications);
  const notes = findNotes(document, decided.payments, context.providers.find(row.provider) ?? {});
  const vies = await findVies(context.store.read, row.id);
  if (vies?.valid === false) notes.push(INVALID_NUMBER);
  return {
    object: { id: row.id, object: "document_contents", document, lines, classification },
    merchantId: row.merchant_id,
    payments: decided.payments,
    vies,
    // Version 0.2.0 stored them as warnings.
    notes: notes.filter(({ en }) => !classification.warnings.includes(en)),
  };
}

const INVALID_NUMBER: Text = {
  en: "customer.tax_id.code: VIES calls the number invalid, and the sale is without VAT because of that number: ask the customer for a valid one, or credit the document and issue it with VAT",
  el: "customer.tax_id.code: ο αριθμός δεν είναι έγκυρος στο VIES, και η πώληση είναι χωρίς ΦΠΑ λόγω αυτού του αριθμού: ζητήστε από τον πελάτη έγκυρο αριθμό, ή πιστώστε το παραστατικό και εκδώστε το με ΦΠΑ",
};

/** The lines with their amounts and classifications. */
export function contentsLines(
  lines: CanonicalDocument["lines"],
  classifications: readonly Pair[],
): DocumentContents["lines"] {
  return computeTotals(lines).lines.map(({ net, vat, ...line }, index) => {
    const { category, type } = classifications[index]!;
    return { ...line, line: index + 1, net, vat, gross: net + vat, classification: { category, type } };
  });
}
