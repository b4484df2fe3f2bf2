/** Finds the documents that a credit note credits, where they were issued here, and the other credit notes about them. */
import {
  type CreditRow,
  creditsOfMark,
  type DocumentRow,
  findDocumentsByMark,
} from "../../storage/documents/documents.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { KeyedSession, Session } from "../../storage/database/session.ts";
import { type CanonicalDocument, originalMarksOf } from "../domain/canonical-document.ts";
import { regionOf, type OriginalDocument } from "../domain/classification.ts";
import type { Credit, CreditedDocument, OtherCredit } from "../domain/credit-checks.ts";
import type { DocumentType, Region } from "../domain/document-types.ts";
import { destinationOf } from "../domain/routing.ts";
import { NORTHERN_IRELAND } from "../domain/tax-number.ts";
import { readAccepted } from "../issuing/outgoing.ts";
import type { Context } from "../journal/context.ts";

/** The merchant whose documents are searched. */
interface Owner {
  merchantId: string;
  mode: Mode;
}

/** The merchant's document with this MARK; undefined if it was issued elsewhere. */
export async function findOriginalRow(
  session: Session,
  mark: string,
  merchantId: string,
  mode: Mode,
): Promise<DocumentRow | undefined> {
  const rows = await findDocumentsByMark(session, { mark });
  return rows.find((candidate) => candidate.merchant_id === merchantId && candidate.mode === mode);
}

/** Northern Ireland is in the EU for goods only, and only the credited document says which of the two a credit note is about. */
export async function regionOfSale(
  session: Session,
  document: CanonicalDocument,
  { merchantId, mode }: Owner,
): Promise<Region> {
  const { customer } = document;
  const [mark] = originalMarksOf(document);
  if (customer?.tax_id.country !== NORTHERN_IRELAND || mark === undefined) return regionOf(document);
  const original = await findOriginalRow(session, mark, merchantId, mode);
  return regionOf({ type: (original?.type as DocumentType | undefined) ?? document.type, customer });
}

export type KnownOriginal = OriginalDocument & CreditedDocument & { provider: Provider };

/** The documents that a credit note credits, without those issued elsewhere. */
async function findOriginals(
  session: KeyedSession,
  document: CanonicalDocument,
  owner: Owner,
): Promise<KnownOriginal[]> {
  const originals: KnownOriginal[] = [];
  for (const mark of originalMarksOf(document)) {
    const row = await findOriginalRow(session, mark, owner.merchantId, owner.mode);
    if (row === undefined) continue;
    const { document: contents, decided } = await readAccepted(session, row.id);
    originals.push({
      mark,
      pairs: decided.classifications,
      provider: row.provider,
      supplier: row.supplier,
      contents,
      sentType: decided.sentType,
      net: row.net,
      isCancelled: row.cancelled_at !== null,
    });
  }
  return originals;
}

/** Where a credit note goes, as far as it decides which originals are known there. */
interface CreditDestination extends Owner {
  provider: Provider;
  /** An original that is not known here is not known there either. */
  knowsEveryMark: boolean;
}

/** What is known here about the documents that a document credits. */
export interface KnownOriginals {
  originals: readonly KnownOriginal[];
  /** Undefined if it credits no MARKs. */
  credit: Credit | undefined;
}

/** Of a document that credits no MARKs. */
export const NO_ORIGINALS: KnownOriginals = { originals: [], credit: undefined };

export async function readOriginals(
  { config }: Context,
  session: KeyedSession,
  document: CanonicalDocument,
  target: Owner & { provider: Provider },
): Promise<KnownOriginals> {
  if (document.original_marks === undefined) return NO_ORIGINALS;
  const destination = destinationOf({ ...target, isSandboxStrict: config.sandbox.strict });
  const originals = await findOriginals(session, document, target);
  const knowsEveryMark = destination === "strict sandbox";
  return { originals, credit: await readCredit(session, document, originals, { ...target, knowsEveryMark }) };
}

/** A credit note with what is known here about its originals. The sandbox knows only its own, and the authority none of those. */
async function readCredit(
  session: KeyedSession,
  document: CanonicalDocument,
  found: readonly KnownOriginal[],
  { provider, knowsEveryMark, ...owner }: CreditDestination,
): Promise<Credit> {
  const isTest = provider === "sandbox";
  const originals = found.filter((original) => (original.provider === "sandbox") === isTest);
  const known = new Set(originals.map(({ mark }) => mark));
  const otherCredits = await findOtherCredits(session, originals, owner);
  return {
    document,
    originals,
    unknownMarks: originalMarksOf(document).filter((mark) => !known.has(mark)),
    knowsEveryMark,
    otherCredits,
    netOf: await readNets(session, otherMarksOf(otherCredits, known), owner),
  };
}

/** A pending credit counts, so that two at the same time cannot credit the same twice. */
export function isCounted({ status, cancelled_at: cancelledAt }: CreditRow): boolean {
  return (status === "pending" || status === "issued") && cancelledAt === null;
}

async function findOtherCredits(
  session: KeyedSession,
  originals: readonly CreditedDocument[],
  { merchantId, mode }: Owner,
): Promise<OtherCredit[]> {
  const credits = new Map<string, OtherCredit>();
  for (const { mark } of originals) {
    for (const row of await creditsOfMark(session, { mark, merchantId, mode })) {
      if (!isCounted(row) || credits.has(row.id)) continue;
      const { document: contents } = await readAccepted(session, row.id);
      credits.set(row.id, { id: row.id, net: row.net, contents, originalMarks: originalMarksOf(contents) });
    }
  }
  return [...credits.values()];
}

/** What the credit notes credit besides the known originals. */
function otherMarksOf(credits: readonly OtherCredit[], known: ReadonlySet<string>): Set<string> {
  return new Set(credits.flatMap(({ originalMarks }) => originalMarks.filter((mark) => !known.has(mark))));
}

async function readNets(
  session: Session,
  marks: ReadonlySet<string>,
  { merchantId, mode }: Owner,
): Promise<Credit["netOf"]> {
  const nets = new Map<string, number>();
  for (const mark of marks) {
    const row = await findOriginalRow(session, mark, merchantId, mode);
    if (row !== undefined) nets.set(mark, row.net);
  }
  return (mark) => nets.get(mark);
}
