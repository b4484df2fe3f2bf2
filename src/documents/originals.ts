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
import { NORTHERN_IRELAND } from "../domain/tax-number.ts";
import { readAccepted } from "../issuing/outgoing.ts";
import type { Context } from "../journal/context.ts";
import { destinationIn } from "./issue-request.ts";

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

type KnownOriginal = OriginalDocument & CreditedDocument & { provider: Provider };

/** What is known here about the documents that a document credits. */
export interface KnownOriginals {
  /** Without those issued elsewhere. */
  originals: readonly KnownOriginal[];
  /** Undefined if it credits no MARKs. */
  credit: Credit | undefined;
}

/** Of a document that credits no MARKs. */
export const NO_ORIGINALS: KnownOriginals = { originals: [], credit: undefined };

export async function readOriginals(
  context: Context,
  session: KeyedSession,
  document: CanonicalDocument,
  { merchantId, mode, provider }: Owner & { provider: Provider },
): Promise<KnownOriginals> {
  if (document.original_marks === undefined) return NO_ORIGINALS;
  const marks = originalMarksOf(document);
  const find = (mark: string) => findOriginalRow(session, mark, merchantId, mode);
  const originals: KnownOriginal[] = [];
  for (const mark of marks) {
    const row = await find(mark);
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
  // The sandbox knows only its own, and the authority none of those.
  const isTest = provider === "sandbox";
  const knownThere = originals.filter((original) => (original.provider === "sandbox") === isTest);
  const known = new Set(knownThere.map(({ mark }) => mark));
  const otherCredits = await findOtherCredits(session, known, { merchantId, mode });
  const nets = new Map<string, number | undefined>();
  for (const mark of otherCredits.flatMap(({ originalMarks }) => originalMarks))
    if (!known.has(mark) && !nets.has(mark)) nets.set(mark, (await find(mark))?.net);
  const credit: Credit = {
    document,
    originals: knownThere,
    unknownMarks: marks.filter((mark) => !known.has(mark)),
    knowsEveryMark: destinationIn(context, mode, provider) === "strict sandbox",
    otherCredits,
    netOf: (mark) => nets.get(mark),
  };
  return { originals, credit };
}

/** A pending credit counts, so that two at the same time cannot credit the same twice. */
export function isCounted({ status, cancelled_at: cancelledAt }: CreditRow): boolean {
  return (status === "pending" || status === "issued") && cancelledAt === null;
}

async function findOtherCredits(
  session: KeyedSession,
  marks: Iterable<string>,
  { merchantId, mode }: Owner,
): Promise<OtherCredit[]> {
  const credits = new Map<string, OtherCredit>();
  for (const mark of marks) {
    for (const row of await creditsOfMark(session, { mark, merchantId, mode })) {
      if (!isCounted(row) || credits.has(row.id)) continue;
      const { document: contents } = await readAccepted(session, row.id);
      credits.set(row.id, { id: row.id, net: row.net, contents, originalMarks: originalMarksOf(contents) });
    }
  }
  return [...credits.values()];
}
