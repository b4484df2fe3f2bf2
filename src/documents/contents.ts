/** The contents of a document: its parties, lines and payments. */
import { findDocumentInput } from "../../storage/documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { readJson } from "../foundation/json.ts";
import type { CanonicalDocument, CanonicalLine, Payment } from "../domain/canonical-document.ts";
import type { Pair } from "../domain/classification.ts";
import { requireDocumentRow } from "./list-documents.ts";
import { computeTotals } from "../domain/totals.ts";

export interface DocumentContents {
  supplier: CanonicalDocument["supplier"];
  customer: CanonicalDocument["customer"];
  originalMarks: readonly string[];
  lines: readonly (CanonicalLine & {
    /** Cents. */
    net: number;
    /** Cents. */
    vat: number;
    /** As sent, including defaults. */
    classification: Pair | undefined;
  })[];
  /** As sent: one is assumed for a document without any. */
  payments: readonly Payment[];
}

/** Throws `not_found`, also for a document of the other mode. See docs/contract.md#document-contents. */
export async function getDocumentContents(
  context: Context,
  mode: Mode,
  id: string,
): Promise<DocumentContents> {
  const row = await requireDocumentRow(context, mode, id);
  const stored = await findDocumentInput(context.store.read, row.id);
  if (stored === undefined) throw new Error(`The input of document ${id} is missing`);
  const input = readJson<CanonicalDocument>(stored.input_json);
  const decided = readJson<{ classifications: Pair[]; payments: Payment[] }>(stored.decided_json);
  const { lines } = computeTotals(input.lines);
  return {
    supplier: input.supplier,
    customer: input.customer,
    originalMarks: input.original_marks ?? [],
    lines: input.lines.map((line, index) => ({
      ...line,
      net: lines[index]!.net,
      vat: lines[index]!.vat,
      classification: decided.classifications[index],
    })),
    payments: decided.payments,
  };
}
