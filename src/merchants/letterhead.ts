/**
 * What a merchant's paper says of the merchant: kept with each document as it was when the document was accepted, so that
 * the PDF of an old document does not move house with the company. It is worked out once after each change of the
 * merchant, not for each document.
 */
import { createHash } from "node:crypto";
import type { DocumentInputRow } from "../../storage/documents.ts";
import { findLetterhead, insertLetterhead } from "../../storage/letterheads.ts";
import type { MerchantRow } from "../../storage/merchants.ts";
import type { Session } from "../../storage/session.ts";
import type { Transaction } from "../../storage/write.ts";
import { readJson } from "../foundation/json.ts";
import { readSettings, type Settings } from "./merchant-settings.ts";

export interface Letterhead {
  name: string;
  paper: Settings["paper"];
}

function presentLetterhead(merchant: MerchantRow): Letterhead {
  return { name: merchant.name, paper: readSettings(merchant).paper };
}

/** The id of the merchant's present letterhead, which is stored by the first document that is accepted under it. */
export async function keepLetterhead(trx: Transaction, merchant: MerchantRow): Promise<number> {
  if (merchant.letterhead_id !== null) return merchant.letterhead_id;
  const contentJson = JSON.stringify(presentLetterhead(merchant));
  const digest = createHash("sha256").update(contentJson).digest();
  return insertLetterhead(trx, { merchantId: merchant.id, digest, contentJson });
}

/**
 * The letterhead that a document was accepted under; today's for one that was accepted by a version that kept none. Paper
 * settings that were never made cannot have been printed: where there were none, today's stand in.
 */
export async function findLetterheadOf(
  session: Session,
  input: DocumentInputRow,
  merchant: MerchantRow,
): Promise<Letterhead> {
  const present = presentLetterhead(merchant);
  if (input.letterhead_id === null) return present;
  const json = await findLetterhead(session, input.letterhead_id);
  if (json === undefined) throw new Error(`The letterhead of the document ${input.document_id} is gone`);
  const kept = readJson<Letterhead>(json);
  return Object.keys(kept.paper).length === 0 ? { ...kept, paper: present.paper } : kept;
}
