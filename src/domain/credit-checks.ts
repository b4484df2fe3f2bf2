/**
 * Compares a credit note with the documents that it credits (docs/contract.md#credit-checks, docs/authority.md#credit-notes).
 * What is not known is not reported. Pure.
 */
import { euroText } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import type { Finding } from "./authority-rules.ts";
import type { CanonicalDocument } from "./canonical-schema.ts";
import { warnAboutCreditedTaxes } from "./taxes.ts";
import { creditNoteFor, isCreditNote } from "./document-types.ts";

export interface CreditedDocument {
  mark: string;
  /** The issuer's tax number. */
  supplier: string;
  /** The authority's type. */
  sentType: string;
  /** Cents. */
  net: number;
  /** Empty if they cannot be read. */
  contents: Partial<CanonicalDocument>;
  isCancelled: boolean;
}

/** Another valid credit note that credits one of the same documents. */
export interface OtherCredit {
  id: string;
  /** Cents. */
  net: number;
  /** Only where documents are accepted. */
  contents?: CanonicalDocument;
  originalMarks: readonly string[];
}

export interface Credit {
  document: CanonicalDocument;
  originals: readonly CreditedDocument[];
  /** Credited MARKs that no known document has. */
  unknownMarks: readonly string[];
  /** Whether a MARK that is not known here is not known to the authority either. */
  knowsEveryMark: boolean;
  /** Each once. */
  otherCredits: readonly OtherCredit[];
  /** Returns the net in cents of a document that only other credit notes credit; undefined if it is not known. */
  netOf(mark: string): number | undefined;
}

/** What the authority would object to, in the order of the originals; the sum of the credits last. */
export function checkCredit(credit: Credit): Finding[] {
  const reason = { en: "no document has this MARK", el: "κανένα παραστατικό δεν έχει αυτό το ΜΑΡΚ" };
  const unknown = credit.knowsEveryMark ? credit.unknownMarks.map((mark) => notFound(mark, reason)) : [];
  const findings = credit.originals.flatMap((original) => checkOriginal(credit, original));
  const canAddUp = credit.unknownMarks.length === 0 && findings.every(({ code }) => code === "318");
  const excess = canAddUp ? checkSum(credit) : [];
  return [...unknown, ...findings, ...excess];
}

/** The authority publishes no rule about the taxes of credit notes, so this is only a warning. Unknown originals may have any. */
export function warnAboutTaxesOfCredit({ document, originals, unknownMarks, otherCredits }: Credit): Text[] {
  if (unknownMarks.length > 0) return [];
  const own = new Set(originals.map(({ mark }) => mark));
  // How much a credit note took from each of its originals is not known, so one that has others too is left out.
  const earlier = otherCredits.filter(({ originalMarks }) => originalMarks.every((mark) => own.has(mark)));
  const contentsOf = (documents: readonly { contents?: Partial<CanonicalDocument> }[]) =>
    documents.map(({ contents = {} }) => contents);
  return warnAboutCreditedTaxes([document], contentsOf(earlier), contentsOf(originals));
}

function notFound(mark: string, reason: Text): Finding {
  return about(mark, "104", reason, "Requested Invoice was not found");
}

function about(mark: string, code: string, reason: Text, authorityMessage: string): Finding {
  const message = { en: `original ${mark}: ${reason.en}`, el: `αρχικό παραστατικό ${mark}: ${reason.el}` };
  return { code, message, authorityMessage };
}

/** The first objection only: the later ones would follow from it. */
function checkOriginal({ document }: Credit, original: CreditedDocument): Finding[] {
  const { mark, sentType } = original;
  if (original.isCancelled) return [notFound(mark, { en: "is cancelled", el: "είναι ακυρωμένο" })];
  if (original.supplier !== document.supplier.tax_id.code) {
    const reason = { en: "was issued by another tax number", el: "εκδόθηκε από άλλο ΑΦΜ" };
    return [about(mark, "301", reason, `Invoices with ΜΑΡΚ ${mark} requested not found`)];
  }
  const ofType = checkType(mark, sentType, document.type);
  if (ofType !== undefined) return [ofType];
  const own = original.contents.customer?.tax_id;
  const { country, code } = document.customer?.tax_id ?? {};
  if (own?.country === country && own?.code === code) return [];
  const reason = { en: "has another customer", el: "έχει άλλον πελάτη" };
  const authorityMessage = "Element counterpart.vatNumber must have same value with correlated's one";
  return [about(mark, "318", reason, authorityMessage)];
}

function checkType(mark: string, sentType: string, noteType: string): Finding | undefined {
  if (creditNoteFor(sentType) === noteType) return undefined;
  if (isCreditNote(sentType)) {
    const reason = { en: "is itself a credit note", el: "είναι και το ίδιο πιστωτικό" };
    return about(mark, "320", reason, "Invalid correlated invoice type");
  }
  const reason = {
    en: `is of type ${sentType}, which no ${noteType} can credit`,
    el: `είναι τύπου ${sentType}, που δεν πιστώνεται με ${noteType}`,
  };
  return about(mark, "322", reason, "Unsupported correlated invoice type");
}

/**
 * Only what is certain counts: a credit note that credits other documents too may have credited those first, up to their net
 * amount, and all of it if one of them is not known.
 */
function checkSum({ document, originals, otherCredits, netOf }: Credit): Finding[] {
  const own = new Set(originals.map(({ mark }) => mark));
  const available = originals.reduce((sum, { net }) => sum + BigInt(net), 0n);
  let credited = BigInt(document.totals.net);
  for (const { net, originalMarks } of otherCredits) {
    const elsewhere = originalMarks.filter((mark) => !own.has(mark)).map(netOf);
    if (elsewhere.includes(undefined)) continue;
    const rest = elsewhere.reduce<bigint>((sum, amount) => sum - BigInt(amount ?? 0), BigInt(net));
    if (rest > 0n) credited += rest;
  }
  if (credited <= available) return [];
  const [reached, limit] = [euroText(credited), euroText(available)];
  const message = {
    en: `totals: this and earlier credit notes come to ${reached.en} euros net, more than the ${limit.en} of the originals`,
    el: `σύνολα: αυτό και τα προηγούμενα πιστωτικά φτάνουν τα ${reached.el} ευρώ καθαρής αξίας, περισσότερα από τα ${limit.el} των αρχικών`,
  };
  const authorityMessage =
    "Net value of correlated invoice already exceeded by sum of net values of invoices correlated to it";
  return [{ code: "319", message, authorityMessage }];
}
