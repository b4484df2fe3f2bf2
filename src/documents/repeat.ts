/** Issues the contents of an issued document again, or of a rejected one corrected, as a new document (docs/contract.md#credit-and-repeat). */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { typeInfo } from "../domain/document-types.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import { findCreatedId } from "../journal/create-once.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { readContents } from "./contents.ts";
import { requireDocumentRow } from "./list-documents.ts";

/** The body of POST /documents for a repetition. */
export interface RepeatBody {
  merchant: string;
  provider: string;
  series?: string;
  external_reference?: string;
  document: Record<string, unknown>;
}

/** Whether the document can be repeated. */
export function isRepeatable({ status, type }: Pick<DocumentObject, "status" | "type">): boolean {
  return status === "issued" && typeInfo(type).originalMarks === "forbidden";
}

/**
 * The document `id` without its MARK, number, reference and metadata, on another day. It keeps the provider, and the series
 * unless the provider gave it. Throws `not_found`, and `invalid_state` if it was not issued or credits another document.
 */
export async function readRepetition(
  context: Context,
  mode: Mode,
  id: string,
  { date, reference }: { date?: string | undefined; reference?: string | undefined },
): Promise<RepeatBody> {
  const row = await requireDocumentRow(context.store.read, mode, id);
  if (row.status !== "issued") throw new AppError("invalid_state", NOT_ISSUED);
  const { object } = await readContents(context, mode, id);
  const { document } = object;
  if (typeInfo(document.type).originalMarks !== "forbidden")
    throw new AppError("invalid_state", CREDITS_ANOTHER);
  return bodyLike(row, { ...document, issue_date: date ?? context.clock.today() }, reference);
}

function bodyLike(row: DocumentRow, document: object, reference: string | undefined): RepeatBody {
  const hasOwnSeries = row.provider_numbered === 0 && row.series !== null;
  return {
    merchant: row.merchant_id,
    provider: row.provider,
    ...(hasOwnSeries ? { series: row.series! } : {}),
    ...(reference === undefined ? {} : { external_reference: reference }),
    document: { ...document },
  };
}

/**
 * The rejected document `id` as it was sent, without its metadata, to be changed and issued. Its reference has a suffix unless
 * another is given, so that a batch does not take one for the other. Throws `not_found`, and `invalid_state` if it was not rejected.
 */
export async function readCorrection(
  context: Context,
  mode: Mode,
  id: string,
  { reference }: { reference?: string | undefined },
): Promise<RepeatBody> {
  const row = await requireDocumentRow(context.store.read, mode, id);
  if (row.status !== "rejected") throw new AppError("invalid_state", NOT_REJECTED);
  const { object } = await readContents(context, mode, id);
  return bodyLike(row, object.document, reference ?? correctedReference(row.external_reference));
}

const CORRECTS = "correction-of-";

/** The one key under which every interface issues the correction of the document `id`, so that it is issued once. */
export function correctionKey(id: string): string {
  return `${CORRECTS}${id}`;
}

/** The document that is corrected under `key`; undefined for any other key. */
export function correctedUnder(key: string): string | undefined {
  return key.startsWith(CORRECTS) ? key.slice(CORRECTS.length) : undefined;
}

/** The document that corrects the document `id`; undefined if none was accepted. */
export async function findCorrection(
  context: Context,
  mode: Mode,
  id: string,
): Promise<DocumentRow | undefined> {
  const correction = await findCreatedId(context, mode, {
    operation: "issueDocument",
    key: correctionKey(id),
  });
  return correction === undefined ? undefined : requireDocumentRow(context.store.read, mode, correction);
}

/** Why the document `id` is not corrected again; undefined if it was not corrected. */
export async function refusalOfCorrection(
  context: Context,
  mode: Mode,
  id: string,
): Promise<AppError | undefined> {
  const correction = await findCorrection(context, mode, id);
  if (correction === undefined) return undefined;
  const { status, series, number } = correction;
  const name = number === null ? correction.id : `${series} ${number}`;
  return new AppError("invalid_state", status === "rejected" ? correctionRejected(name) : correctedBy(name));
}

const correctedBy = (name: string): Text => ({
  en: `It was corrected already, by ${name}: credit or cancel that one, or issue a new document`,
  el: `Έχει ήδη διορθωθεί, με το ${name}: πιστώστε ή ακυρώστε εκείνο, ή εκδώστε νέο παραστατικό`,
});

const correctionRejected = (name: string): Text => ({
  en: `Its correction ${name} was rejected too: correct that one`,
  el: `Και η διόρθωσή του, ${name}, απορρίφθηκε: διορθώστε εκείνη`,
});

const REFERENCE_LENGTH_MAX = 200;

/** `order-7` becomes `order-7-2`, by which the console knows that it was answered. */
function correctedReference(reference: string | null): string | undefined {
  if (reference === null) return undefined;
  const corrected = `${reference}-2`;
  return [...corrected].length > REFERENCE_LENGTH_MAX ? reference : corrected;
}

const NOT_REJECTED = {
  en: "Only a rejected document can be corrected; one that was issued can be credited",
  el: "Διορθώνεται μόνο παραστατικό που απορρίφθηκε· όσο εκδόθηκε πιστώνεται",
  next: { operation: "creditDocument" },
} as const;

const NOT_ISSUED = {
  en: "Only an issued document can be repeated",
  el: "Μόνο ένα παραστατικό που εκδόθηκε μπορεί να επαναληφθεί",
};
const CREDITS_ANOTHER = {
  en: "A credit note for a certain document cannot be repeated; credit what is left of the document",
  el: "Πιστωτικό για συγκεκριμένο παραστατικό δεν επαναλαμβάνεται· πιστώστε ό,τι απομένει από εκείνο",
  next: { operation: "creditDocument" },
} as const;
