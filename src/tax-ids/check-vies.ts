/** Looks up the VAT numbers of EU customers after their documents were accepted (docs/contract.md#numbers-of-eu-customers). */
import { findDocumentInput } from "../../storage/documents/documents.ts";
import { findViesCheck, type ViesCheckRow, viesCheckWork } from "../../storage/merchants/customers.ts";
import type { KeyedSession, Session } from "../../storage/database/session.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { AppError } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import { VIES_CHECKS } from "../work/kinds.ts";
import { nextDue, workOff } from "../work/work-off.ts";

/** Looks up what is due, one number after the other, because the registry limits how much is asked. */
export function checkDueNumbers(context: Context, stopping?: AbortSignal): Promise<void> {
  return workOff(context, VIES_CHECKS, { scope: {}, stopping }, (check) => checkNumber(context, check));
}

async function checkNumber(context: Context, check: ViesCheckRow): Promise<void> {
  const { store, clock } = context;
  const taxId = await readTaxId(store.read, check.document_id);
  const valid = taxId === undefined ? undefined : await isRegistered(context, taxId);
  await store.write((trx) => {
    const due = valid === undefined && taxId !== undefined ? nextDue(trx, VIES_CHECKS, check) : null;
    const answer = valid === undefined ? {} : { valid: valid ? 1 : 0, checked_at: clock.now() };
    return viesCheckWork.settle(trx, check, { due_at: due, tries: check.tries + 1 }, answer);
  });
}

/** Undefined if the document has no customer. */
async function readTaxId(session: KeyedSession, documentId: string) {
  const stored = await findDocumentInput(session, documentId);
  return stored && readJson<CanonicalDocument>(stored.input_json).customer?.tax_id;
}

/** A number that the registry cannot even look up is not valid. Undefined if it does not answer. */
async function isRegistered(
  { taxIds }: Context,
  taxId: { country: string; code: string },
): Promise<boolean | undefined> {
  try {
    return (await taxIds.lookup("live", taxId)).valid;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "validation_failed" ? false : undefined;
  }
}

/** The answer about the customer's number; both are null until there is one. */
export interface Vies {
  valid: boolean | null;
  checked_at: string | null;
}

/** Undefined for a document whose customer's number is not looked up. */
export async function findVies(session: Session, documentId: string): Promise<Vies | undefined> {
  const check = await findViesCheck(session, { document_id: documentId });
  if (check === undefined) return undefined;
  return { valid: check.valid === null ? null : check.valid === 1, checked_at: check.checked_at };
}
