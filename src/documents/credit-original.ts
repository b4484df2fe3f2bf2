/**
 * Reads a document that is to be credited, and what remains of it (docs/contract.md#crediting-a-document,
 * docs/contract.md#crediting-a-document-issued-elsewhere). A failed credit note must still fit what remains when it is retried.
 */
import { creditedLinesOfMark, creditsOfMark, type DocumentRow } from "../../storage/documents/documents.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Provider } from "../../storage/stored-values.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import {
  availableOf,
  CREDITED_IS_CANCELLED,
  type CreditedPart,
  type Credits,
  findRemaining,
  type Remaining,
  takePart,
} from "../domain/credit-lines.ts";
import { creditNoteFor, type DocumentTypeInfo, isCreditNote } from "../domain/document-types.ts";
import { computeVatShares, type VatShare } from "../domain/totals.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { readAccepted } from "../issuing/outgoing.ts";
import { findOriginalRow, isCounted } from "./originals.ts";
import type { RegisteredOriginal } from "./registered-original.ts";

/** A document that can be credited. */
export interface CreditedOriginal {
  merchant: string;
  provider: Provider;
  mark: string;
  /** The type of its credit notes. */
  noteType: NonNullable<DocumentTypeInfo["creditedBy"]>;
  /** Only the parties of a document issued elsewhere, which has no taxes besides VAT (src/domain/credit-registered.ts). */
  contents: Pick<CanonicalDocument, "supplier" | "customer"> & Partial<CanonicalDocument>;
  /** Its lines, with what is left of them. */
  remaining: Remaining;
  /** Its credits so far; all of them if it has taxes besides VAT. */
  earlier: readonly CanonicalDocument[];
}

/** Whether the document is of a kind and in a state to be credited. Something must also remain of it. */
export function isCreditable({
  type,
  status,
  cancellation_mark: cancelled,
}: Pick<DocumentObject, "type" | "status" | "cancellation_mark">): boolean {
  return creditNoteFor(type) !== null && status === "issued" && cancelled === null;
}

/** Throws `invalid_state` if the document cannot be credited, whether or not something remains of it. */
export async function readOriginal(
  session: KeyedSession,
  row: DocumentRow,
  { nowMs, without }: { nowMs: number; without?: string },
): Promise<CreditedOriginal> {
  const noteType = creditNoteFor(row.type);
  if (noteType === null) throw new AppError("invalid_state", WRONG_TYPE);
  const problem = problemWith(row, nowMs);
  if (problem !== undefined) throw new AppError("invalid_state", problem);
  const mark = row.mark!;
  const { document, decided } = await readAccepted(session, row.id);
  const of = { ...row, without, readsAll: document.taxes !== undefined };
  const { credits, earlier } = await readCredits(session, mark, of);
  return {
    merchant: row.merchant_id,
    provider: row.provider,
    mark,
    noteType,
    contents: document,
    remaining: findRemaining({ lines: document.lines, pairs: decided.classifications }, credits),
    earlier,
  };
}

/** Reads the document to credit, with what remains of it at that moment. */
export type ReadOriginal = (session: KeyedSession) => Promise<CreditedOriginal>;

/** A document that was issued elsewhere and read from its provider before. */
export function registeredOriginal(original: RegisteredOriginal): ReadOriginal {
  const { merchant, mode, mark, provider, supplier, customer, creditable } = original;
  return async (session) => {
    const of = { merchant_id: merchant, mode, readsAll: false };
    const { credits, earlier } = await readCredits(session, mark, of);
    const remaining = findRemaining(creditable, credits);
    const contents = { supplier, customer };
    return { merchant, provider, mark, noteType: "5.1", contents, remaining, earlier };
  };
}

/** Why a document of a type that has credit notes cannot be credited; undefined if it can be. */
function problemWith(row: DocumentRow, nowMs: number): Text | undefined {
  if (row.status !== "issued") return NOT_ISSUED;
  if (row.cancellation_mark !== null) return CREDITED_IS_CANCELLED;
  // Issued documents are leased only for their cancellation.
  const isLeased = row.lease_until !== null && Date.parse(row.lease_until) > nowMs;
  return isLeased ? BEING_CANCELLED : undefined;
}

/** The credits of a MARK that count, except for `without`. Long contents are read only where no lines are named, or with `readsAll`. */
async function readCredits(
  session: KeyedSession,
  mark: string,
  { merchant_id: merchantId, mode, without, readsAll }: CreditsOf,
): Promise<{ credits: Credits; earlier: CanonicalDocument[] }> {
  const named = new Map<string, CreditedPart[]>();
  for (const credit of await creditsOfMark(session, { mark, merchantId, mode }))
    if (credit.id !== without && isCounted(credit)) named.set(credit.id, []);
  for (const { document_id, line, quantity, net, vat } of await creditedLinesOfMark(session, { mark }))
    named.get(document_id)?.push({ line, quantity: BigInt(quantity), net, vat });
  const unnamed: VatShare[] = [];
  const earlier: CanonicalDocument[] = [];
  for (const [id, parts] of named) {
    if (parts.length > 0 && !readsAll) continue;
    const { document } = await readAccepted(session, id);
    if (parts.length === 0) unnamed.push(...computeVatShares(document.lines));
    earlier.push(document);
  }
  return { credits: { parts: [...named.values()].flat(), unnamed }, earlier };
}

interface CreditsOf extends Pick<DocumentRow, "merchant_id" | "mode"> {
  without?: string | undefined;
  readsAll: boolean;
}

const WRONG_TYPE: Text = {
  en: "A credit note cannot be credited",
  el: "Ένα πιστωτικό δεν πιστώνεται",
};

const NOT_ISSUED: Text = {
  en: "Only an issued document can be credited; this one has no MARK",
  el: "Πιστώνεται μόνο παραστατικό που εκδόθηκε· αυτό δεν έχει ΜΑΡΚ",
};

const BEING_CANCELLED: Text = {
  en: "This document is being cancelled; try again when that is done",
  el: "Το παραστατικό ακυρώνεται αυτή τη στιγμή· δοκιμάστε ξανά μόλις ολοκληρωθεί",
};

/** Throws `invalid_state` if a credit that names the lines of its original no longer fits it. */
export async function requireStillLeft(
  session: KeyedSession,
  row: DocumentRow,
  nowMs: number,
): Promise<void> {
  if (!isCreditNote(row.type)) return;
  const [mark] = (await readAccepted(session, row.id)).document.original_marks ?? [];
  if (mark === undefined) return;
  const parts = (await creditedLinesOfMark(session, { mark })).filter((part) => part.document_id === row.id);
  if (parts.length === 0) return;
  const credited = await findOriginalRow(session, mark, row.merchant_id, row.mode);
  if (credited === undefined) return requireUntouched(session, row, mark, parts);
  const { remaining } = await readOriginal(session, credited, { nowMs, without: row.id });
  for (const { line, quantity, net, vat } of parts) {
    const part = { line, quantity: BigInt(quantity), net, vat };
    const open = remaining.lines[line - 1]!;
    const available = availableOf(remaining, open);
    if (net > available.net || vat > available.vat || part.quantity > open.quantity)
      throw new AppError("invalid_state", CREDITED_SINCE);
    takePart(remaining, part);
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
