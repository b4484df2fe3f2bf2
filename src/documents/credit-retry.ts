/** Checks a failed credit note before it is retried: while it was failed, others could credit the same. */
import {
  creditedLinesOfMark,
  creditsOfMark,
  type DocumentRow,
  getDocumentInput,
} from "../../storage/documents/documents.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { isCreditNote } from "../domain/document-types.ts";
import { availableOf, takePart } from "../domain/credit-lines.ts";
import { AppError } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { readOriginal } from "./credit-original.ts";
import { findOriginalRow, isCounted } from "./originals.ts";

/** Throws `invalid_state` if a credit that names the lines of its original no longer fits it. */
export async function requireStillLeft(
  session: KeyedSession,
  row: DocumentRow,
  nowMs: number,
): Promise<void> {
  if (!isCreditNote(row.type)) return;
  const { input_json: input } = await getDocumentInput(session, row.id);
  const [mark] = readJson<CanonicalDocument>(input).original_marks ?? [];
  if (mark === undefined) return;
  const parts = (await creditedLinesOfMark(session, { mark })).filter((part) => part.document_id === row.id);
  if (parts.length === 0) return;
  const credited = await findOriginalRow(session, mark, row.merchant_id, row.mode);
  if (credited === undefined) return requireUntouched(session, row, mark, parts);
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

/**
 * For an original that was not issued here, whose amounts are not known without its provider: since this credit was accepted, no
 * other may have taken anything of the same lines.
 */
async function requireUntouched(
  session: KeyedSession,
  { id, merchant_id: merchantId, mode, created_at: acceptedAt }: DocumentRow,
  mark: string,
  parts: readonly { line: number }[],
): Promise<void> {
  const own = new Set(parts.map(({ line }) => line));
  const named = await creditedLinesOfMark(session, { mark });
  for (const credit of await creditsOfMark(session, { mark, merchantId, mode })) {
    if (credit.id === id || !isCounted(credit) || credit.updated_at < acceptedAt) continue;
    const lines = named.filter((part) => part.document_id === credit.id).map(({ line }) => line);
    if (lines.length === 0 || lines.some((line) => own.has(line)))
      throw new AppError("invalid_state", MAY_BE_CREDITED);
  }
}

const MAY_BE_CREDITED = {
  en: "Another document may have credited the same since; credit it again, which reads the original anew",
  el: "Στο μεταξύ ίσως πιστώθηκαν τα ίδια με άλλο παραστατικό· πιστώστε ξανά, ώστε να διαβαστεί εκ νέου το αρχικό",
};

const CREDITED_SINCE = {
  en: "What this document credits was credited by another one since; nothing is left for it",
  el: "Όσα πιστώνει αυτό το παραστατικό πιστώθηκαν στο μεταξύ με άλλο· δεν απομένει τίποτα γι’ αυτό",
};
