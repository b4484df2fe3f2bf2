/**
 * Stores letterheads: what a PDF shows of the merchant. Each document refers to the letterhead under which it was accepted,
 * so that an old document shows the old address. One is built after a change of the merchant, not for each document.
 */
import { createHash } from "node:crypto";
import type { DocumentInputRow } from "../../storage/documents/documents.ts";
import {
  findLetterhead,
  insertLetterhead as insertLetterheadRow,
  type IssuingMerchantRow,
} from "../../storage/merchants/merchant-settings.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { readJson } from "../foundation/json.ts";
import { type Paper, readPaper } from "./settings.ts";

export interface Letterhead {
  name: string;
  paper: Paper;
}

function buildLetterhead(merchant: IssuingMerchantRow): Letterhead {
  // The format is today's: it is no part of what a document says.
  const { receipt: _receipt, ...paper } = readPaper(merchant.settings_json);
  return { name: merchant.name, paper };
}

/** Returns the id of the merchant's current letterhead in the mode. The first document accepted under it inserts it. */
export async function insertLetterhead(
  trx: Transaction,
  merchant: IssuingMerchantRow,
  mode: Mode,
): Promise<number> {
  if (merchant.letterhead_id !== null) return merchant.letterhead_id;
  const contentJson = JSON.stringify(buildLetterhead(merchant));
  const digest = createHash("sha256").update(contentJson).digest();
  return insertLetterheadRow(trx, { merchantId: merchant.id, mode, digest, contentJson });
}

/**
 * Returns the letterhead under which a document was accepted. If the merchant had no paper settings at that time, it has the
 * current ones: no earlier print can contradict them. `merchant` has the settings of the document's mode.
 */
export async function findLetterheadOf(
  session: Session,
  input: DocumentInputRow,
  merchant: IssuingMerchantRow,
): Promise<Letterhead> {
  const current = buildLetterhead(merchant);
  if (input.letterhead_id === null) return current;
  const json = await findLetterhead(session, input.letterhead_id);
  if (json === undefined) throw new Error(`The letterhead of the document ${input.document_id} is missing`);
  const accepted = readJson<Letterhead>(json);
  return Object.keys(accepted.paper).length === 0 ? { ...accepted, paper: current.paper } : accepted;
}
