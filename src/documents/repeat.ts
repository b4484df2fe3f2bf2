/** Issues the contents of an issued document again, as a new document (docs/contract.md#credit-and-repeat). */
import type { Mode } from "../../storage/stored-values.ts";
import { typeInfo } from "../domain/document-types.ts";
import { AppError } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
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
  const row = await requireDocumentRow(context, mode, id);
  if (row.status !== "issued") throw new AppError("invalid_state", NOT_ISSUED);
  const { object } = await readContents(context, mode, id);
  const { document } = object;
  if (typeInfo(document.type).originalMarks !== "forbidden")
    throw new AppError("invalid_state", CREDITS_ANOTHER);
  const hasOwnSeries = row.provider_numbered === 0 && row.series !== null;
  return {
    merchant: row.merchant_id,
    provider: row.provider,
    ...(hasOwnSeries ? { series: row.series! } : {}),
    ...(reference === undefined ? {} : { external_reference: reference }),
    document: { ...document, issue_date: date ?? context.clock.today() },
  };
}

const NOT_ISSUED = {
  en: "Only an issued document can be repeated",
  el: "Μόνο ένα παραστατικό που εκδόθηκε μπορεί να επαναληφθεί",
};
const CREDITS_ANOTHER = {
  en: "A credit note for a certain document cannot be repeated; credit what is left of the document",
  el: "Πιστωτικό για συγκεκριμένο παραστατικό δεν επαναλαμβάνεται· πιστώστε ό,τι απομένει από εκείνο",
  next: { operation: "creditDocument" },
} as const;
