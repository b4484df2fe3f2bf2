/** The contents of a document: what was accepted, and what became of each line (docs/contract.md#document-contents). */
import * as v from "valibot";
import { findDocumentInput } from "../../storage/documents/documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { readJson } from "../foundation/json.ts";
import { wireWarnings } from "../foundation/stored-texts.ts";
import { idOf } from "../foundation/wire.ts";
import type { Text } from "../foundation/text.ts";
import {
  type CanonicalDocument,
  CanonicalDocumentSchema,
  GROSS_MAX,
  LineSchema,
  LINES_MAX,
  NET_MAX,
  type Payment,
} from "../domain/canonical-document.ts";
import type { Pair } from "../domain/classification.ts";
import { computeTotals } from "../domain/totals.ts";
import type { Decided } from "../issuing/outgoing.ts";
import { ClassificationObjectSchema } from "../journal/document-object.ts";
import { requireDocumentRow } from "./list-documents.ts";

const cents = (maximum: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maximum));

const ContentsLineSchema = v.strictObject({
  ...LineSchema.entries,
  line: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LINES_MAX)),
  net: cents(NET_MAX),
  vat: cents(NET_MAX),
  gross: cents(GROSS_MAX),
  classification: v.strictObject({ category: v.string(), type: v.nullable(v.string()) }),
});

export const DocumentContentsSchema = v.strictObject({
  id: idOf("doc"),
  object: v.literal("document_contents"),
  document: CanonicalDocumentSchema,
  lines: v.array(ContentsLineSchema),
  classification: ClassificationObjectSchema,
});

export type DocumentContents = v.InferOutput<typeof DocumentContentsSchema>;

/** Contents with what the object does not have. */
export interface ReadContents {
  object: DocumentContents;
  merchantId: string;
  /** As sent: one is assumed for a document without any. */
  payments: readonly Payment[];
}

/** Throws `not_found`, also for a document of the other mode. */
export async function readContents(context: Context, mode: Mode, id: string): Promise<ReadContents> {
  const row = await requireDocumentRow(context, mode, id);
  const stored = await findDocumentInput(context.store.read, row.id);
  if (stored === undefined) throw new Error(`The input of document ${id} is missing`);
  const document = readJson<CanonicalDocument>(stored.input_json);
  const decided = readJson<Decided>(stored.decided_json);
  const classification = {
    source: row.classification_source as DocumentContents["classification"]["source"],
    warnings: wireWarnings(readJson<Text[]>(row.warnings_json)),
  };
  const lines = contentsLines(document.lines, decided.classifications);
  return {
    object: { id: row.id, object: "document_contents", document, lines, classification },
    merchantId: row.merchant_id,
    payments: decided.payments,
  };
}

/** The lines with their amounts and classifications. */
export function contentsLines(
  lines: CanonicalDocument["lines"],
  classifications: readonly Pair[],
): DocumentContents["lines"] {
  const totals = computeTotals(lines).lines;
  return lines.map((line, index) => {
    const { net, vat } = totals[index]!;
    const { category, type } = classifications[index]!;
    return { ...line, line: index + 1, net, vat, gross: net + vat, classification: { category, type } };
  });
}
