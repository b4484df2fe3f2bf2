/** Checks a failed credit note before it is retried: while it was failed, others could credit the same. */
import { creditedLinesOfMark } from "../../storage/credits.ts";
import { type DocumentRow, findDocumentInput } from "../../storage/documents.ts";
import type { KeyedSession } from "../../storage/session.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { availableOf, takePart } from "../domain/credit-remaining.ts";
import { AppError } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { readOriginal } from "./credit-original.ts";
import { findOriginalRow } from "./originals.ts";

/** Throws `invalid_state` if the credit that `creditDocument` made no longer fits its original. */
export async function requireStillLeft(
  session: KeyedSession,
  row: DocumentRow,
  nowMs: number,
): Promise<void> {
  if (row.type !== "5.1") return;
  const stored = await findDocumentInput(session, row.id);
  const [mark] =
    stored === undefined ? [] : (readJson<CanonicalDocument>(stored.input_json).original_marks ?? []);
  if (mark === undefined) return;
  const parts = (await creditedLinesOfMark(session, mark)).filter((part) => part.document_id === row.id);
  if (parts.length === 0) return;
  const credited = await findOriginalRow(session, mark, row.merchant_id, row.mode);
  if (credited === undefined) throw new Error(`The original of the credit note ${row.id} is missing`);
  const { creditable, remaining } = await readOriginal(session, credited, { nowMs, without: row.id });
  for (const { line, quantity, net, vat } of parts) {
    const category = creditable.lines[line - 1]!.vat_category;
    const part = { line, quantity: BigInt(quantity), net, vat };
    const available = availableOf(remaining, line, category);
    if (net > available.net || vat > available.vat || part.quantity > remaining.lines[line - 1]!.quantity)
      throw new AppError("invalid_state", CREDITED_SINCE);
    takePart(remaining, part, category);
  }
}

const CREDITED_SINCE = {
  en: "What this document credits was credited by another one since; nothing is left for it",
  el: "Όσα πιστώνει αυτό το παραστατικό πιστώθηκαν στο μεταξύ με άλλο· δεν απομένει τίποτα γι’ αυτό",
};
