/** What a document says: its parties, lines and payments, for people who look at it. */
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
    /** As it is sent, the service's default included. */
    classification: Pair | undefined;
  })[];
  /** As they are sent: a document without any is taken to be paid in one. */
  payments: readonly Payment[];
}

/** Throws `not_found`; a document of another mode reads as not there. */
export async function getDocumentContents(
  context: Context,
  mode: Mode,
  id: string,
): Promise<DocumentContents> {
  const row = await requireDocumentRow(context, mode, id);
  const kept = await findDocumentInput(context.store.read, row.id);
  if (kept === undefined) throw new Error(`The input of the document ${id} is gone`);
  const input = readJson<CanonicalDocument>(kept.input_json);
  const decided = readJson<{ classifications: Pair[]; payments: Payment[] }>(kept.decided_json);
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
