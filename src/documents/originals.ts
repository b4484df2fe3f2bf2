/** Finds the documents that a credit note credits, where they were issued here. */
import { type DocumentRow, findDocumentInput, findDocumentsByMark } from "../../storage/documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/session.ts";
import { readJson } from "../foundation/json.ts";
import type { OriginalDocument } from "../domain/classification.ts";
import type { Decided } from "../issuing/outgoing.ts";
import type { CanonicalDocument } from "../domain/canonical-schema.ts";

/** The merchant's document with this MARK; undefined if it was issued elsewhere. */
export async function findOriginalRow(
  session: Session,
  mark: string,
  merchantId: string,
  mode: Mode,
): Promise<DocumentRow | undefined> {
  const rows = await findDocumentsByMark(session, mark);
  return rows.find((candidate) => candidate.merchant_id === merchantId && candidate.mode === mode);
}

/** The documents that a 5.1 credits, without those issued elsewhere. */
export async function findOriginals(
  session: Session,
  document: CanonicalDocument,
  merchantId: string,
  mode: Mode,
): Promise<OriginalDocument[]> {
  const originals: OriginalDocument[] = [];
  for (const mark of document.original_marks ?? []) {
    const row = await findOriginalRow(session, mark, merchantId, mode);
    const input = row === undefined ? undefined : await findDocumentInput(session, row.id);
    if (row === undefined || input === undefined) continue;
    originals.push({ mark, gross: row.gross, pairs: readJson<Decided>(input.decided_json).classifications });
  }
  return originals;
}
